/**
 * Limits failed attempts per minute, so that guessing keys or tokens, or retrying a revoked one in a loop, costs little. Successes
 * never count. All processes of a node count together.
 */
import { PorticoError } from './errors.ts';
import type { Counted, NodeLimits } from './node-limits.ts';

const WINDOW_MS = 60_000;

interface FailureLimitOptions {
  /** Node whose processes count together. */
  readonly node: NodeLimits;
  /**
   * Meaning of an attempt's key, for example an address: limits with different names count
   * separately.
   */
  readonly of: string;
  /** Failures of one key within a minute; 0 is no limit. */
  readonly most: number;
  /**
   * Noun for the counted failures, in the plural, for the error message; default failed sign-ins.
   */
  readonly counted?: string;
}

export class FailureLimit {
  readonly #options: FailureLimitOptions;

  constructor(options: FailureLimitOptions) {
    this.#options = options;
  }

  /**
   * Refuses a key with too many failures.
   * @param now epoch milliseconds
   * @throws PorticoError RATE_LIMITED (429) with the seconds to wait in Retry-After
   */
  async check(key: string, now: number): Promise<void> {
    const { most, counted = 'failed sign-ins' } = this.#options;
    if (most === 0) return;
    const { units, endsIn } = await this.#count(key, 0, now);
    if (units < most) return;
    const seconds = Math.max(1, Math.ceil(endsIn / 1000));
    throw new PorticoError('RATE_LIMITED', {
      message: `Too many ${counted}. Retry in ${seconds} seconds.`,
      headers: { 'Retry-After': String(seconds) },
    });
  }

  /** Counts a failure. @param now epoch milliseconds */
  async note(key: string, now: number): Promise<void> {
    if (this.#options.most > 0) await this.#count(key, 1, now);
  }

  #count(key: string, units: number, now: number): Promise<Counted> {
    const { node, of } = this.#options;
    return node.count(`failures of ${of}`, key, units, { now, length: WINDOW_MS });
  }
}

/** Returns the key of a client: an IPv4 address, or the 64-bit network of an IPv6 address. */
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
