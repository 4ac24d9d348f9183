/**
 * Large JSON bodies are read one in each turn of the event loop: reading one takes tens of milliseconds, and other requests
 * are served between two of them.
 */
import { setImmediate } from 'node:timers/promises';

/** A body of more bytes is large. */
export const LARGE_BODY = 64 * 1_024;

let last: Promise<unknown> = Promise.resolve();

/** Resolves when a large body may be read: a turn of the event loop after the one before. */
export function turnOfLargeBody(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
