/**
 * Limits failed attempts per minute, so that guessing keys or tokens, or retrying a revoked one in a loop, costs little. Successes never count. Each process counts for itself, in memory.
 */
import { LRUCache } from 'lru-cache';
import { PorticoError } from './errors.ts';

const WINDOW_MS = 60_000;
/** Number of keys kept; the least recently used is dropped first. */
const MAX_KEYS = 10_000;

export class FailureLimit {
  readonly #most: number;
  readonly #counted: string;
  readonly #windows = new LRUCache<string, { since: number; failures: number }>({ max: MAX_KEYS });

  /**
   * @param most failures of one key within a minute; 0 is no limit
   * @param counted what was counted, in the plural, for the message of the refusal
   */
  constructor(most: number, counted = 'failed sign-ins') {
    this.#most = most;
    this.#counted = counted;
  }

  /**
   * Refuses a key with too many failures.
   * @param now epoch milliseconds
   * @throws PorticoError RATE_LIMITED (429) with the seconds to wait in Retry-After
   */
  check(key: string, now: number): void {
    const window = this.#windowOf(key, now);
    if (this.#most === 0 || !window || window.failures < this.#most) return;
    const seconds = Math.max(1, Math.ceil((window.since + WINDOW_MS - now) / 1000));
    throw new PorticoError('RATE_LIMITED', {
      message: `Too many ${this.#counted}. Retry in ${seconds} seconds.`,
      headers: { 'Retry-After': String(seconds) },
    });
  }

  /** Counts a failure. @param now epoch milliseconds */
  note(key: string, now: number): void {
    if (this.#most === 0) return;
    const window = this.#windowOf(key, now);
    if (window) {
      window.failures++;
      return;
    }
    this.#windows.set(key, { since: now, failures: 1 });
  }

  #windowOf(key: string, now: number): { since: number; failures: number } | undefined {
    const window = this.#windows.get(key);
    return window && now - window.since < WINDOW_MS ? window : undefined;
  }
}

/** What counts as one client: an IPv4 address, or the network of 64 bits that an IPv6 address is in. */
export function clientKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const parts = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const all = [...parts, ...Array<string>(Math.max(0, 8 - parts.length - rest.length)).fill('0'), ...rest];
  return `${all
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')}::/64`;
}
