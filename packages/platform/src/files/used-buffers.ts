/**
 * Frees the buffers that files pass through. They are garbage as soon as they are written, and a
 * collection of the young generation, well under a millisecond, frees them. V8 by itself runs
 * almost no such collections, since almost nothing of them lies in its heap: it lets them pile up
 * to a limit and then marks the whole heap, which took as much time as hashing the files. This
 * module therefore requests young collections, by the bytes that have passed. That also bounds the
 * memory of a large upload.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Bytes that pass between two collections: few enough that V8 does not mark the heap, also after it
 * was idle.
 */
const BYTES = 4 * 1024 ** 2;

// The function is given out only to contexts that are made while the flag is set.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
setFlagsFromString('--no-expose-gc');

let passed = 0;

/** Notes that buffers of so many bytes were made and are used up. */
export function notePassed(bytes: number): void {
  passed += bytes;
  if (passed < BYTES) return;
  passed = 0;
  collect({ type: 'minor' });
}
