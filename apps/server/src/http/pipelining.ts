/**
 * Pipelined requests: a client may send requests on a connection without waiting for the answers (RFC 9112, 9.3.2). Node.js begins each
 * as soon as it has arrived, so that one connection could have thousands at work at once. Here a connection has one at work; the others
 * wait, and while many wait no more of the connection is read.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many wait before no more is read. A connection that is not read is not seen to be closed by its client. */
const MAX_WAITING = 100;

interface Line {
  /** The answer to the request that is at work, or was last. */
  response: ServerResponse;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

const waiting = new WeakSet<IncomingMessage>();

/** Whether a request waits for earlier requests of its connection. */
export function isWaiting(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** Serves the requests of each connection one after the other. Call it before other listeners of requests are added. */
export function serveInTurn(server: Server): void {
  const [serve] = server.listeners('request') as RequestListener[];
  if (!serve) throw new Error('the server serves no requests yet');
  server.off('request', serve);
  const lines = new WeakMap<Socket, Line>();

  const begin = (line: Line, request: IncomingMessage, response: ServerResponse) => {
    line.response = response;
    if (line.waiting.length > 0) response.once('close', () => next(request.socket, line));
    serve(request, response);
  };
  const next = (socket: Socket, line: Line) => {
    const first = line.waiting.shift();
    if (!first || socket.destroyed) return;
    waiting.delete(first[0]);
    begin(line, ...first);
    if (line.waiting.length === MAX_WAITING - 1) socket.resume();
  };
  server.on('request', (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (!line) {
      const fresh: Line = { response, waiting: [] };
      lines.set(socket, fresh);
      // Node.js reads on when an answer has been sent, or the body of a request is read.
      socket.on('resume', () => {
        if (fresh.waiting.length >= MAX_WAITING) socket.pause();
      });
      serve(request, response);
    } else if (line.response.writableFinished && line.waiting.length === 0) begin(line, request, response);
    else {
      if (line.waiting.length === 0) line.response.once('close', () => next(socket, line));
      line.waiting.push([request, response]);
      waiting.add(request);
      if (line.waiting.length >= MAX_WAITING) socket.pause();
    }
  });
}
