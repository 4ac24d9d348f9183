/** Limits how many long operations of one kind a tenant has running in this process. */
import { PorticoError } from './errors.ts';

/** Seconds after which a request that was refused may come again. */
const RETRY_SECONDS = 5;

export class Slots {
  readonly #limit: number;
  readonly #operations: string;
  readonly #held = new Map<number, number>();

  /** @param limit of each tenant at once  @param operations what they are, for the refusal */
  constructor(limit: number, operations: string) {
    this.#limit = limit;
    this.#operations = operations;
  }

  /** Takes a slot. @returns gives it back  @throws PorticoError TOO_MANY_AT_ONCE */
  take(tenantId: number): () => void {
    const held = this.#held.get(tenantId) ?? 0;
    if (held >= this.#limit) {
      throw new PorticoError('TOO_MANY_AT_ONCE', {
        message: `${this.#limit} ${this.#operations} of this tenant are running; retry in ${RETRY_SECONDS} seconds.`,
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
