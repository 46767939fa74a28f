// Chess as one would write it with boardgame.io: a pure move function, run by its server, kept in its memory.
'use strict';
const { Server } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');
const { Chess } = require('chess.js');

const game = {
  name: 'chess',
  setup: () => ({ fen: new Chess().fen() }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    move: ({ G }, uci) => {
      const chess = new Chess(G.fen);
      try {
        chess.move({ from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4] });
      } catch {
        return INVALID_MOVE;
      }
      return { fen: chess.fen() };
    },
  },
};

const server = Server({ games: [game], origins: [/./] });
server.run({ port: 0 }).then(({ appServer }) =>
  console.log(`boardgame.io listens on 127.0.0.1:${appServer.address().port}`),
);
