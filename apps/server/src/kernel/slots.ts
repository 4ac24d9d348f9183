/** Limits how many long operations of one kind an account, a tenant, and this process have running. */
import { PorticoError } from './errors.ts';

/** Seconds after which a request that was refused may come again. */
const RETRY_SECONDS = 5;

/** How many may run at once; left out, there is no limit of that kind. */
interface SlotLimits {
  readonly ofAccount?: number;
  readonly ofTenant: number;
  readonly ofNode?: number;
}

export class Slots {
  readonly #limits: SlotLimits;
  readonly #operations: string;
  readonly #held = new Set<{ readonly tenantId: number; readonly userId: number }>();

  /** @param operations what they are, for the refusal */
  constructor(limits: SlotLimits, operations: string) {
    this.#limits = limits;
    this.#operations = operations;
  }

  /** Takes a slot. @returns gives it back  @throws PorticoError TOO_MANY_AT_ONCE */
  take(tenantId: number, userId: number): () => void {
    const { ofAccount, ofTenant, ofNode } = this.#limits;
    const ofThisTenant = [...this.#held].filter((held) => held.tenantId === tenantId);
    const own = ofThisTenant.filter((held) => held.userId === userId).length;
    if (ofAccount !== undefined && own >= ofAccount)
      this.#refuse(`${own} ${this.#operations} of this account are running; end one, or wait until one has ended, and`);
    if (ofThisTenant.length >= ofTenant) this.#refuse(`${ofTenant} ${this.#operations} of this tenant are running;`);
    if (ofNode !== undefined && this.#held.size >= ofNode)
      this.#refuse(`${ofNode} ${this.#operations} of all tenants are running;`);
    const slot = { tenantId, userId };
    this.#held.add(slot);
    return () => void this.#held.delete(slot);
  }

  /** @param what is running, up to what to do */
  #refuse(what: string): never {
    throw new PorticoError('TOO_MANY_AT_ONCE', {
      message: `${what} retry in ${RETRY_SECONDS} seconds.`,
      headers: { 'Retry-After': String(RETRY_SECONDS) },
    });
  }
}
