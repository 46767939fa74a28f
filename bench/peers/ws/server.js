// Fan-out as one would write it with ws: one buffer, and a loop over all clients. The body of each POST is sent to
// all of them once the POST is answered.
'use strict';
const { createServer } = require('node:http');
const { WebSocket, WebSocketServer } = require('ws');

const http = createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const message = Buffer.concat(pieces);
    response.end(() => tell(message));
  });
});
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });

function tell(message) {
  for (const client of sockets.clients) {
    if (client.readyState === WebSocket.OPEN) client.send(message, { binary: false });
  }
}

http.listen(0, '127.0.0.1', () => console.log(`ws listens on 127.0.0.1:${http.address().port}`));
