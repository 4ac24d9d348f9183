/**
 * Requires a minimum speed of arriving bodies. The limit holds for every request of the server,
 * also for requests that no route reads (unknown paths, a GET with a body); the check therefore
 * runs below the routes. Without it, a client could hold any number of connections by sending a
 * byte now and then.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isWaiting } from './pipelining.ts';
import { sendRawError } from './raw-response.ts';

/** The least rate of a body. */
export interface ArrivalLimits {
  /** Bytes that must arrive in each window. */
  readonly bytes: number;
  /** Length of the sliding window. Milliseconds. */
  readonly windowMs: number;
  /** How long the unread rest of a body may take after the response was sent. Milliseconds. */
  readonly restMs: number;
}

/** 1 KiB a second over any 30 seconds. */
const ARRIVAL_LIMITS: ArrivalLimits = { bytes: 30 * 1024, windowMs: 30_000, restMs: 60_000 };

/** How often per window the bytes are counted. */
const STEPS = 30;

interface Arrival {
  readonly response: ServerResponse;
  /** Ring buffer of the counts of the last window, one per step; allocated at the first step. */
  counts: Float64Array | undefined;
  /** Number of steps so far. */
  steps: number;
  /** Bytes received, plus the minimum for every step in which the server itself did not read. */
  bytes: number;
  /** Bytes of the socket at the last step. */
  socketBytes: number;
  /** Steps since the response was sent. */
  answeredSteps: number;
}

const tooSlow = new WeakSet<IncomingMessage>();

/** Whether a request was aborted because its body arrived too slowly. */
export function wasTooSlow(request: IncomingMessage): boolean {
  return tooSlow.has(request);
}

/**
 * Watches the bodies of all requests of a server. A body that arrives too slowly gets 408, unless
 * its response has begun, and its connection is closed.
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
  // Bytes that have arrived and are not read yet wait for the server (a disk, a connection): the client is not slow.
  arrival.bytes += request.readableLength > 0 || isWaiting(request) ? Math.max(came, limits.bytes / STEPS) : came;
  arrival.counts ??= new Float64Array(STEPS);
  // The slot holds the count of one window ago; at the start of the body that is nothing.
  const slot = ++arrival.steps % STEPS;
  const before = arrival.counts[slot] as number;
  arrival.counts[slot] = arrival.bytes;
  return arrival.steps >= STEPS && arrival.bytes - before < limits.bytes;
}

/** Sends 408, unless the response has begun, and closes the connection. */
export function cutOff(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  tooSlow.add(request);
  if (!response.headersSent && socket.writable) sendRawError(socket, 'REQUEST_TIMEOUT');
  // The response is flushed first; unread data would otherwise keep the connection open.
  socket.destroySoon();
}
