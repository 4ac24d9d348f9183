/**
 * Limits how many messages are being sent at once: of the process, of a tenant, of a webhook. A
 * webhook begins with one at a time, gets one more with each quick answer, and goes back to one with
 * a failure, so that receivers that do not answer take few places from the others.
 */

/** Messages being sent at once: of the process, of a tenant, of failing webhooks of a tenant, of a webhook. */
const OF_PROCESS = 128;
const OF_TENANT = 64;
const OF_FAILING = 24;
const OF_WEBHOOK = 4;
/** Duration of an attempt up to which an answer is quick. Milliseconds. */
const QUICK_MS = 1_000;

interface State {
  busy: number;
  width: number;
}

/** A webhook that has due messages. */
interface Waiting {
  readonly id: number;
  readonly failing: boolean;
}

export class Widths {
  /** By tenant and webhook; webhooks in their first state are left out. */
  readonly #tenants = new Map<number, Map<number, State>>();
  #busy = 0;

  /**
   * Returns how many messages of each webhook may be sent now. Webhooks that do not fail come first,
   * in the order of the number of their messages under way.
   */
  slots(tenantId: number, webhooks: readonly Waiting[]): Map<number, number> {
    const states = this.#tenants.get(tenantId);
    const busyOf = ({ id }: Waiting) => states?.get(id)?.busy ?? 0;
    const ordered = [...webhooks].sort((a, b) => Number(a.failing) - Number(b.failing) || busyOf(a) - busyOf(b));
    const ofTenant = [...(states?.values() ?? [])].reduce((sum, { busy }) => sum + busy, 0);
    let free = Math.min(OF_PROCESS - this.#busy, OF_TENANT - ofTenant);
    let failing = OF_FAILING - webhooks.filter((one) => one.failing).reduce((sum, one) => sum + busyOf(one), 0);
    const slots = new Map<number, number>();
    for (const webhook of ordered) {
      const width = webhook.failing ? 1 : (states?.get(webhook.id)?.width ?? 1);
      const room = Math.min(width - busyOf(webhook), free, webhook.failing ? failing : free);
      if (room <= 0) continue;
      slots.set(webhook.id, room);
      free -= room;
      if (webhook.failing) failing -= room;
    }
    return slots;
  }

  /** Notes that a message is being sent. */
  begin(tenantId: number, webhookId: number): void {
    const states = this.#tenants.get(tenantId) ?? new Map<number, State>();
    this.#tenants.set(tenantId, states);
    const state = states.get(webhookId) ?? { busy: 0, width: 1 };
    states.set(webhookId, state);
    state.busy++;
    this.#busy++;
  }

  /** Notes that an attempt has ended. */
  end(
    tenantId: number,
    webhookId: number,
    { arrived, milliseconds }: { arrived: boolean; milliseconds: number },
  ): void {
    const states = this.#tenants.get(tenantId)!;
    const state = states.get(webhookId)!;
    state.busy--;
    this.#busy--;
    state.width = arrived && milliseconds <= QUICK_MS ? Math.min(state.width + 1, OF_WEBHOOK) : 1;
    if (state.busy === 0 && state.width === 1) states.delete(webhookId);
    if (states.size === 0) this.#tenants.delete(tenantId);
  }
}
