/** Times of the attempts of a message. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after failed attempts, 75 h 35 min together. Milliseconds. */
const WAITS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** Part of a wait by which it varies, so that messages that failed together are not repeated together. */
const JITTER = 0.1;
/** Longest `Retry-After` that is followed. Milliseconds. */
const LONGEST_RETRY_MS = 24 * HOUR_MS;
/** Time for which a receiver that is overloaded gets nothing, if it names none. Milliseconds. */
const HOLD_MS = 30 * SECOND_MS;
/** Statuses of receivers that are overloaded. */
const OVERLOADED: readonly (number | undefined)[] = [429, 502, 504];

/**
 * Returns the wait before the next attempt, in milliseconds.
 * @param attempts made so far
 * @param retryAfterMs time that the receiver asked for
 * @param random between 0 and 1
 * @returns undefined when the message is given up
 */
export function waitAfter(
  attempts: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.max(Math.round(wait * (1 + JITTER * random())), retryAfterMs ?? 0);
}

/** Returns how long a receiver gets no message at all after an answer, in milliseconds; 0: it is not overloaded. */
export function holdAfter(status: number | undefined, retryAfterMs: number | undefined): number {
  return OVERLOADED.includes(status) ? (retryAfterMs ?? HOLD_MS) : 0;
}

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date.
 * @param now epoch milliseconds
 * @returns milliseconds, at most a day; undefined for no header and for one that cannot be read
 */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_RETRY_MS);
}

/** Time from the first attempt of a message to its last. Milliseconds. */
export const GIVEN_UP_AFTER_MS = WAITS.reduce((sum, wait) => sum + wait, 0);
