// A chess room as one would write it with Colyseus: the server checks every move and the state is synchronised.
// It keeps nothing: a restart loses all games.
'use strict';
const { createServer } = require('node:http');
const { Room, Server } = require('@colyseus/core');
const { WebSocketTransport } = require('@colyseus/ws-transport');
const { schema } = require('@colyseus/schema');
const { Chess } = require('chess.js');

const Board = schema({ fen: 'string', ply: 'number' });

class ChessRoom extends Room {
  maxClients = 2;

  onCreate() {
    this.chess = new Chess();
    this.seats = [];
    this.state = new Board();
    this.publish(0);
    this.onMessage('move', (client, uci) => {
      const ply = this.state.ply + 1;
      if (this.seats[(ply + 1) % 2] !== client.sessionId) return client.send('no', ply);
      try {
        this.chess.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] });
      } catch {
        return client.send('no', ply);
      }
      this.publish(ply);
      client.send('ok', ply);
    });
  }

  onJoin(client) {
    this.seats.push(client.sessionId);
  }

  publish(ply) {
    this.state.fen = this.chess.fen();
    this.state.ply = ply;
  }
}

const http = createServer();
const server = new Server({ greet: false, transport: new WebSocketTransport({ server: http }) });
server.define('chess', ChessRoom);
server.listen(0, '127.0.0.1').then(() => console.log(`colyseus listens on 127.0.0.1:${http.address().port}`));
