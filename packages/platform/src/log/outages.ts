/**
 * Combines the errors of an outage, which every request would log alike: the database or the store
 * of files is away, or a disk is full. The log gets one line at once, then one line a second with a
 * count, and no stack.
 */

import { DatabaseUnavailable, isConnectionFailure, isFull, StatementCancelled } from '../db/pg-errors.ts';
import { StorageUnavailableError } from '../files/storage.ts';

/** Milliseconds between the lines of a lasting outage. */
const EVERY_MS = 1_000;
/** Different messages that one line names; further ones are counted only. */
const MAX_MESSAGES = 10;

/** A line about an outage. */
export interface OutageLine {
  readonly outage: true;
  /** Number of errors without a line of their own, since the last such line. */
  readonly count: number;
  /** The most recent error. */
  readonly reason: string;
}

export class Outages {
  readonly #tell: (line: OutageLine, message: string) => void;
  readonly #messages = new Map<string, number>();
  #count = 0;
  #reason = '';
  #timer: NodeJS.Timeout | undefined;

  /** @param tell writes the line */
  constructor(tell: (line: OutageLine, message: string) => void) {
    this.#tell = tell;
  }

  /**
   * Takes a line of the log that reports an outage.
   * @param fields fields of the line; `outage: true` marks it as an outage where `err` does not
   * @returns false when it reports something else and must be written unchanged
   */
  take(fields: unknown, message: string | undefined): boolean {
    const { err, code, outage, count, reason } = (fields ?? {}) as Record<string, unknown>;
    // Our own line.
    if (count !== undefined) return false;
    if (outage !== true && code !== 'UNAVAILABLE' && code !== 'STORAGE_FULL' && !isOutage(err)) return false;
    this.#count++;
    this.#reason = sentenceOf(err) ?? (typeof reason === 'string' ? reason : (message ?? ''));
    const key = message ?? 'unavailable';
    if (this.#messages.has(key) || this.#messages.size < MAX_MESSAGES)
      this.#messages.set(key, (this.#messages.get(key) ?? 0) + 1);
    if (!this.#timer) this.#turn();
    return true;
  }

  /** Logs the errors that have had no line yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#count === 0) return;
    const messages = [...this.#messages].map(([message, count]) =>
      count === 1 ? message : `${message} (${count} times)`,
    );
    const line: OutageLine = { outage: true, count: this.#count, reason: this.#reason };
    this.#messages.clear();
    this.#count = 0;
    this.#tell(line, `unavailable: ${messages.join(', ')}`);
  }

  #turn(): void {
    const going = this.#count > 0;
    this.flush();
    if (going) this.#timer = setTimeout(() => this.#turn(), EVERY_MS).unref();
  }
}

/** A statement that was cancelled says something of itself: its line is kept. */
function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return !(error instanceof StatementCancelled);
  return error instanceof StorageUnavailableError || isFull(error) || isConnectionFailure(error);
}

/**
 * The message of an error and of its cause; the message of its first part if it has none itself
 * (several addresses were tried).
 */
function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause = sentenceOf(error.cause);
  if (error.message !== '')
    return cause === undefined || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
  return error instanceof AggregateError ? sentenceOf(error.errors[0]) : error.name;
}
