/** Limits how many long operations of one kind an account, a tenant, and this node have running. */
import { PorticoError } from './errors.ts';
import type { NodeLimits } from './node-limits.ts';

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

  /** @param operations their name for the refusal; their limits are counted under this name */
  constructor(limits: SlotLimits, operations: string) {
    this.#limits = limits;
    this.#operations = operations;
  }

  /** Takes a slot of the node. @returns gives it back  @throws PorticoError TOO_MANY_AT_ONCE */
  async take(node: NodeLimits, tenantId: number, userId: number): Promise<() => void> {
    const { ofAccount = Number.POSITIVE_INFINITY, ofTenant, ofNode = Number.POSITIVE_INFINITY } = this.#limits;
    const limits = [
      { key: `account ${tenantId} ${userId}`, most: ofAccount },
      { key: `tenant ${tenantId}`, most: ofTenant },
      { key: 'node', most: ofNode },
    ].filter(({ most }) => Number.isFinite(most));
    const taken = await node.take(this.#operations, limits);
    if ('release' in taken) return taken.release;
    const { key } = limits[taken.full] as { key: string };
    const running = `${taken.held} ${this.#operations}`;
    if (key.startsWith('account'))
      this.#refuse(`${running} of this account are running; end one, or wait until one has ended, and`);
    this.#refuse(key === 'node' ? `${running} of all tenants are running;` : `${running} of this tenant are running;`);
  }

  /** @param what the running operations and the remedy, as the beginning of a sentence */
  #refuse(what: string): never {
    throw new PorticoError('TOO_MANY_AT_ONCE', {
      message: `${what} retry in ${RETRY_SECONDS} seconds.`,
      headers: { 'Retry-After': String(RETRY_SECONDS) },
    });
  }
}
