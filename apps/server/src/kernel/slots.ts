/** How many pieces of long work each tenant has under way in this process. */
import { PorticoError } from './errors.ts';

/** Seconds after which a request that was refused may come again. */
const RETRY_SECONDS = 5;

export class Slots {
  readonly #most: number;
  readonly #what: string;
  readonly #held = new Map<number, number>();

  /** @param most of each tenant at once  @param what in words, for the refusal */
  constructor(most: number, what: string) {
    this.#most = most;
    this.#what = what;
  }

  /** Takes a slot. @returns gives it back  @throws PorticoError TOO_MANY_AT_ONCE */
  take(tenantId: number): () => void {
    const held = this.#held.get(tenantId) ?? 0;
    if (held >= this.#most) {
      throw new PorticoError('TOO_MANY_AT_ONCE', {
        message: `${this.#most} ${this.#what} of this tenant are running; retry in ${RETRY_SECONDS} seconds.`,
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      });
    }
    this.#held.set(tenantId, held + 1);
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      const left = (this.#held.get(tenantId) ?? 1) - 1;
      if (left > 0) this.#held.set(tenantId, left);
      else this.#held.delete(tenantId);
    };
  }
}
