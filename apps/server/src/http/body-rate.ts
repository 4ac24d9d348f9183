/**
 * How fast bodies must arrive. It holds for every request of the server, also for those that no route reads (unknown paths, a
 * GET with a body), which is why it is watched below the routes: otherwise anybody could hold as many connections as they
 * like, each at the price of a byte now and then.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { answerRaw } from './raw-answer.ts';

/** The least rate of a body. */
export interface ArrivalLimits {
  /** What must have come in each window. Bytes. */
  readonly bytes: number;
  /** Length of a window; it slides. Milliseconds. */
  readonly windowMs: number;
  /** How long the rest of a body may take that nobody reads, once the answer is out. Milliseconds. */
  readonly restMs: number;
}

/** 1 KiB a second over any 30 seconds. */
export const ARRIVAL_LIMITS: ArrivalLimits = { bytes: 30 * 1024, windowMs: 30_000, restMs: 60_000 };

/** How many times in a window the bytes are counted. */
const STEPS = 30;

interface Arrival {
  readonly response: ServerResponse;
  /** Counts of the last window, one for each step, as a ring; made at the first step. */
  counts: Float64Array | undefined;
  /** Steps that were taken. */
  steps: number;
  /** Bytes that came, and those that count as if they had while it was the server that did not read. */
  bytes: number;
  /** Bytes of the socket at the last step. */
  socketBytes: number;
  /** Steps since the answer was out. */
  answeredSteps: number;
}

const tooSlow = new WeakSet<IncomingMessage>();

/** Whether a request was cut off because its body came too slowly. */
export function wasTooSlow(request: IncomingMessage): boolean {
  return tooSlow.has(request);
}

/**
 * Watches the bodies of all requests of a server. One that comes too slowly is answered 408, unless its answer has begun, and
 * its connection is closed.
 */
export function watchArrival(server: Server, limits: ArrivalLimits = ARRIVAL_LIMITS): void {
  const arrivals = new Map<IncomingMessage, Arrival>();
  let timer: NodeJS.Timeout | undefined;
  const forget = (request: IncomingMessage) => {
    arrivals.delete(request);
    if (arrivals.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const step = () => {
    for (const [request, arrival] of arrivals) {
      if (request.complete || request.socket.destroyed) forget(request);
      else if (isTooSlow(request, arrival, limits)) {
        forget(request);
        cutOff(request, arrival.response);
      }
    }
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete || !bringsBody(request)) return;
    arrivals.set(request, {
      response,
      counts: undefined,
      steps: 0,
      bytes: 0,
      socketBytes: request.socket.bytesRead,
      answeredSteps: 0,
    });
    request.once('close', () => forget(request));
    timer ??= setInterval(step, limits.windowMs / STEPS).unref();
  });
}

function bringsBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isTooSlow(request: IncomingMessage, arrival: Arrival, limits: ArrivalLimits): boolean {
  if (arrival.response.writableEnded && ++arrival.answeredSteps * (limits.windowMs / STEPS) > limits.restMs)
    return true;
  const { bytesRead } = request.socket;
  const came = bytesRead - arrival.socketBytes;
  arrival.socketBytes = bytesRead;
  // What has come and is not read yet waits for the server (a disk, a connection), not for the client.
  arrival.bytes += request.readableLength > 0 ? Math.max(came, limits.bytes / STEPS) : came;
  arrival.counts ??= new Float64Array(STEPS);
  // The slot holds the count of one window ago; at the start of the body that is nothing.
  const slot = ++arrival.steps % STEPS;
  const before = arrival.counts[slot] as number;
  arrival.counts[slot] = arrival.bytes;
  return arrival.steps >= STEPS && arrival.bytes - before < limits.bytes;
}

/** Answers 408, unless the answer has begun, and closes the connection. */
export function cutOff(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  tooSlow.add(request);
  if (!response.headersSent && socket.writable) answerRaw(socket, 'REQUEST_TIMEOUT');
  // What was written goes out first; what is left unread would otherwise keep the connection open.
  socket.destroySoon();
}
