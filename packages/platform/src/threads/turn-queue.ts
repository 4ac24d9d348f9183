/** A queue in which tenants take turns, and accounts within a tenant. */
import type { Requester } from '../main-thread.ts';

const NO_ONE = 0;

export class TurnQueue<T> {
  /** Elements by tenant and account; the one whose turn is next is first. */
  readonly #tenants = new Map<number, Map<number | string, T[]>>();

  add({ tenant = NO_ONE, user = NO_ONE }: Requester, element: T): void {
    const accounts = this.#tenants.get(tenant) ?? new Map<number | string, T[]>();
    this.#tenants.set(tenant, accounts);
    const elements = accounts.get(user);
    if (elements) elements.push(element);
    else accounts.set(user, [element]);
  }

  /** Removes the next element: the oldest one of the account and the tenant whose turn it is. */
  take(): T | undefined {
    for (const [tenant, accounts] of this.#tenants) {
      this.#tenants.delete(tenant);
      for (const [user, elements] of accounts) {
        accounts.delete(user);
        const element = elements.shift();
        if (elements.length > 0) accounts.set(user, elements);
        if (accounts.size > 0) this.#tenants.set(tenant, accounts);
        return element;
      }
    }
    return undefined;
  }

  /** Removes an element. @returns false if it is not in the queue */
  remove({ tenant = NO_ONE, user = NO_ONE }: Requester, element: T): boolean {
    const accounts = this.#tenants.get(tenant);
    const elements = accounts?.get(user);
    const index = elements?.indexOf(element) ?? -1;
    if (!accounts || !elements || index < 0) return false;
    elements.splice(index, 1);
    if (elements.length === 0) accounts.delete(user);
    if (accounts.size === 0) this.#tenants.delete(tenant);
    return true;
  }
}
