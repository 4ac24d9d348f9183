/** Counts requests of the busiest tenants by name, and requests of all others together. */

/** Tenants that are counted by name. */
const MOST_NAMED = 50;
/** Requests after which the choice is made anew. */
const CHOOSE_EVERY = 10_000;

/** The name under which the others are counted: no tenant's, since it has a space. */
export const OTHERS = 'all others';

export class BusiestTenants {
  readonly #most: number;
  /** Requests since the last choice. */
  readonly #recent = new Map<string, number>();
  #named = new Set<string>();
  #since = 0;

  constructor(most: number = MOST_NAMED) {
    this.#most = most;
  }

  /** Counts a request. @returns the name to count it under, and names that are not used any more */
  count(tenant: string): { name: string; dropped: readonly string[] } {
    this.#recent.set(tenant, (this.#recent.get(tenant) ?? 0) + 1);
    this.#since += 1;
    let dropped: string[] = [];
    if (this.#since >= CHOOSE_EVERY) dropped = this.#choose();
    if (this.#named.size < this.#most) this.#named.add(tenant);
    return { name: this.#named.has(tenant) ? tenant : OTHERS, dropped };
  }

  #choose(): string[] {
    const busiest = [...this.#recent].sort(([, one], [, other]) => other - one).slice(0, this.#most);
    const named = new Set(busiest.map(([name]) => name));
    const dropped = [...this.#named].filter((name) => !named.has(name));
    this.#named = named;
    this.#recent.clear();
    this.#since = 0;
    return dropped;
  }
}
