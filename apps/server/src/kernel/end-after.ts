import type { Readable } from 'node:stream';
import { PorticoError } from './errors.ts';

/**
 * Ends a file that is made while it is sent, when its time is up: also when nobody takes anything of it. It breaks off,
 * which clients notice; it must not end as if it were whole.
 * @param reason for the log
 */
export function endAfter(file: Readable, milliseconds: number, reason: string): void {
  const timer = setTimeout(
    () => file.destroy(new PorticoError('UNAVAILABLE', { message: reason })),
    milliseconds,
  ).unref();
  file.once('close', () => clearTimeout(timer));
}
