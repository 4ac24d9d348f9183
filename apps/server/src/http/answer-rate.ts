/**
 * Requires a minimum speed of reading responses. A client that reads nothing would otherwise keep
 * its connection, the unsent bytes, and the resources of the response (a slot, an open file, a
 * connection to the file store) as long as it likes. The check watches the connections, so that it
 * holds for every response. It ignores connections without unsent bytes: quiet live channels and
 * requests in progress.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** The least rate of an answer that waits for its client. */
export interface AnswerLimits {
  /** Bytes that must be taken in each window, unless nothing waits any more. */
  readonly bytes: number;
  /**
   * Length of the window. Milliseconds. The system takes a good part of a megabyte at once where it has a large buffer, so that a steady
   * reader may seem to stop for a while: a short window would hit them.
   */
  readonly windowMs: number;
}

/** 64 KiB in two minutes. */
const ANSWER_LIMITS: AnswerLimits = { bytes: 64 * 1024, windowMs: 120_000 };

/** How often per window connections are looked at. */
const STEPS = 12;

interface Window {
  /** Bytes taken when it began. */
  taken: number;
  steps: number;
}

/** Node.js has no public way to see how much of a large write the system has taken. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
  /** The handle below an encrypted connection, which sends its bytes. */
  _parent?: Handle;
}
type WithHandle = Socket & { _handle?: Handle | null };

const notTaken = new WeakSet<Socket>();

/** Whether a connection was closed because its client did not take an answer. */
export function wasNotTaken(socket: Socket): boolean {
  return notTaken.has(socket);
}

/**
 * Watches all connections of a server, and closes a connection whose client does not read its
 * responses.
 */
export function watchAnswers(server: Server, limits: AnswerLimits = ANSWER_LIMITS): void {
  const windows = new Map<Socket, Window>();
  let timer: NodeJS.Timeout | undefined;
  const step = () => {
    for (const [socket, window] of windows) {
      if (!isStuck(socket, window, limits)) continue;
      notTaken.add(socket);
      socket.destroy();
    }
  };
  const watch = (socket: Socket) => {
    windows.set(socket, { taken: 0, steps: 0 });
    socket.once('close', () => {
      windows.delete(socket);
      if (windows.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
    timer ??= setInterval(step, limits.windowMs / STEPS).unref();
  };
  // For an encrypted connection, the socket that responses are written to.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', watch);
}

function isStuck(socket: WithHandle, window: Window, limits: AnswerLimits): boolean {
  const { _handle: handle } = socket;
  if (!handle) return false;
  const { bytesWritten, writeQueueSize } = handle._parent ?? handle;
  const taken = bytesWritten - writeQueueSize;
  if ((writeQueueSize === 0 && socket.writableLength === 0) || taken - window.taken >= limits.bytes) {
    window.taken = taken;
    window.steps = 0;
    return false;
  }
  window.steps += 1;
  return window.steps > STEPS;
}
