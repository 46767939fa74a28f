// Fan-out as one would write it with socket.io: an event for everybody, over WebSockets only. The body of each POST
// is sent to all of them once the POST is answered.
'use strict';
const { createServer } = require('node:http');
const { Server } = require('socket.io');

const http = createServer((request, response) => {
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(pieces));
    response.end(() => io.emit('move', message));
  });
});
const io = new Server(http, { transports: ['websocket'], serveClient: false, perMessageDeflate: false });

http.listen(0, '127.0.0.1', () => console.log(`socket.io listens on 127.0.0.1:${http.address().port}`));
