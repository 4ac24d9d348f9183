/**
 * Uploads whose policy is not checked yet. They arrive without sign-in, so their number per node
 * and their waiting time are bounded. A regular client sends its few fields at once; when a new
 * upload finds no place, the upload that has waited longest is aborted.
 */
import { PorticoError } from '../../../kernel/errors.ts';
import { type NodeLimits, shareOf } from '../../../kernel/node-limits.ts';

/** Limits of the uploads that await their policy. */
export interface PolicyWaitLimits {
  /** Uploads per process. */
  readonly uploads: number;
  /** Maximum time for the fields before the file. Milliseconds. */
  readonly milliseconds: number;
}

const POLICY_WAIT_LIMITS: PolicyWaitLimits = { uploads: 128, milliseconds: 15_000 };

interface Waiting {
  readonly timer: NodeJS.Timeout;
  giveUp(error: PorticoError): void;
}

export class PolicyWaits {
  readonly #most: number;
  readonly #milliseconds: number;
  /** Ordered by their start. */
  readonly #waiting = new Set<Waiting>();

  constructor(node: NodeLimits, { uploads, milliseconds }: PolicyWaitLimits = POLICY_WAIT_LIMITS) {
    this.#most = shareOf(node, uploads);
    this.#milliseconds = milliseconds;
  }

  /** Number of waiting uploads. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for the work before the policy check, within the limits.
   * @throws PorticoError REQUEST_TIMEOUT after too long, UNAVAILABLE when aborted for a newer
   * upload
   */
  async within<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const milliseconds = this.#milliseconds;
    const timer = setTimeout(
      () =>
        reject(
          new PorticoError('REQUEST_TIMEOUT', {
            message: `The fields of the form did not arrive within ${milliseconds / 1000} seconds; send the form again.`,
          }),
        ),
      milliseconds,
    );
    const waiting: Waiting = { timer, giveUp: reject };
    if (this.#waiting.size >= this.#most) this.#giveUpOldest();
    this.#waiting.add(waiting);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    }
  }

  #giveUpOldest(): void {
    const [oldest] = this.#waiting;
    if (!oldest) return;
    this.#waiting.delete(oldest);
    oldest.giveUp(
      new PorticoError('UNAVAILABLE', {
        message: 'Too many uploads are waiting for their form fields; send the form again.',
        headers: { 'Retry-After': '1' },
      }),
    );
  }
}
