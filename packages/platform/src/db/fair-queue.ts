/**
 * Distributes the connections of a node. Connections are shared by tenant, then by user: a free one
 * goes to the tenant with the fewest, there to the user with the fewest, there to the request that
 * waits longest. While other tenants ask, a tenant holds at most a third of them, rounded up; one
 * is kept for tenants that hold none; writes hold at most three quarters of the others, so that
 * reads continue while writes wait for locks or for a standby. While other tenants ask, a tenant
 * that keeps the main thread busy starts one read at a time: more connections would only fill
 * buffers and take processors from the database.
 */

/** Tenant and user that a connection is for. */
export interface Requester {
  /** Absent: the registry of tenants, which every request needs; it is served first and has no share. */
  readonly tenant?: number;
  /** Absent: work of the service itself, or a request that has not signed in. */
  readonly user?: number;
  /** True for transactions that write. */
  readonly writes: boolean;
  /** True for reads outside of transactions. */
  readonly brief?: boolean;
}

interface Waiter {
  readonly requester: Requester;
  readonly order: number;
  readonly grant: () => void;
}

interface Holder {
  held: number;
  /** Number of held connections that writes use. */
  writes: number;
  /** When this holder was served last: the order of grants. */
  servedAt: number;
}

interface User extends Holder {
  reading: Waiter[];
  writing: Waiter[];
}

interface Tenant extends Holder {
  /** When each brief read that holds a slot got it. */
  readonly brief: Map<Requester, number>;
  readonly users: Map<number, User>;
  waiting: number;
}

/** A tenant that requested a slot within this time counts as active. Milliseconds. */
const RECENT_MS = 10_000;
/** A brief read that takes longer waits for the database, and the next one of its tenant starts. Milliseconds. */
const BRIEF_MS = 100;
const NO_ID = 0;

/** Hands out a fixed number of slots. */
export class FairQueue {
  readonly #size: number;
  readonly #reserve: number;
  readonly #now: () => number;
  readonly #isBusy: (tenant: number) => boolean;
  readonly #tenants = new Map<number, Tenant>();
  /** The two tenants that requested a slot last. */
  #recent: readonly { tenant: number; at: number }[] = [];
  #held = 0;
  #writes = 0;
  #waiting = 0;
  #order = 0;
  #retry: NodeJS.Timeout | undefined;

  /**
   * @param size number of slots
   * @param now milliseconds of a clock that never goes back
   * @param isBusy whether a tenant keeps the main thread busy
   */
  constructor(size: number, now = () => performance.now(), isBusy: (tenant: number) => boolean = () => false) {
    this.#size = size;
    this.#reserve = size >= 4 ? 1 : 0;
    this.#now = now;
    this.#isBusy = isBusy;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get held(): number {
    return this.#held;
  }

  /** How many slots a tenant holds. */
  heldBy(tenant: number): number {
    return this.#tenants.get(tenant)?.held ?? 0;
  }

  /**
   * Asks for a slot.
   * @param grant called once when there is one, at once or later
   * @returns cancels the request; false when the slot was granted before
   */
  acquire(requester: Requester, grant: () => void): () => boolean {
    const tenant = this.#tenantOf(requester);
    const user = this.#userOf(tenant, requester);
    if (requester.tenant !== undefined && requester.user !== undefined) this.#recordRequest(requester.tenant);
    const waiter: Waiter = { requester, order: this.#order++, grant };
    const queue = requester.writes ? user.writing : user.reading;
    queue.push(waiter);
    tenant.waiting++;
    this.#waiting++;
    this.#serve();
    return () => {
      const index = queue.indexOf(waiter);
      if (index < 0) return false;
      queue.splice(index, 1);
      tenant.waiting--;
      this.#waiting--;
      this.#removeIdle(requester);
      return true;
    };
  }

  /** Gives a slot back. */
  release(requester: Requester): void {
    const tenant = this.#tenantOf(requester);
    for (const holder of [tenant, this.#userOf(tenant, requester)]) {
      holder.held--;
      if (requester.writes) holder.writes--;
    }
    tenant.brief.delete(requester);
    this.#held--;
    if (requester.writes) this.#writes--;
    this.#removeIdle(requester);
    this.#serve();
  }

  #serve(): void {
    while (this.#waiting > 0 && this.#held < this.#size) {
      const waiter = this.#next();
      if (!waiter) return;
      const { requester } = waiter;
      const tenant = this.#tenantOf(requester);
      const user = this.#userOf(tenant, requester);
      const queue = requester.writes ? user.writing : user.reading;
      queue.splice(queue.indexOf(waiter), 1);
      tenant.waiting--;
      this.#waiting--;
      const servedAt = this.#order++;
      for (const holder of [tenant, user]) {
        holder.held++;
        holder.servedAt = servedAt;
        if (requester.writes) holder.writes++;
      }
      if (requester.brief) tenant.brief.set(requester, this.#now());
      this.#held++;
      if (requester.writes) this.#writes++;
      waiter.grant();
    }
  }

  #next(): Waiter | undefined {
    const nobody = this.#tenants.get(NO_ID);
    const first = nobody && this.#nextOf(NO_ID, nobody);
    if (first) return first;
    let chosen: { tenant: Tenant; waiter: Waiter } | undefined;
    for (const [id, tenant] of this.#tenants) {
      if (tenant.waiting === 0 || (chosen && !precedes(tenant, chosen.tenant))) continue;
      const waiter = this.#nextOf(id, tenant);
      if (waiter) chosen = { tenant, waiter };
    }
    return chosen?.waiter;
  }

  #nextOf(id: number, tenant: Tenant): Waiter | undefined {
    const share = this.#shareOf(id, tenant);
    if (id !== NO_ID && tenant.held >= share) return undefined;
    if (id !== NO_ID && tenant.held > 0 && this.#size - this.#held <= this.#reserve) return undefined;
    const startsRead = this.#mayStartRead(id, tenant);
    const writable = this.#writes < partOf(this.#size - this.#reserve) && tenant.writes < partOf(share);
    let others = 0;
    for (const user of tenant.users.values()) if (user.reading.length + user.writing.length > 0) others++;
    let chosen: { user: User; waiter: Waiter } | undefined;
    for (const user of tenant.users.values()) {
      if (chosen && !precedes(user, chosen.user)) continue;
      // While other users of the tenant wait, no user holds more than half of its share.
      if (others > 1 && user.held >= Math.ceil(share / 2)) continue;
      const reading = startsRead ? user.reading[0] : user.reading.find(({ requester }) => !requester.brief);
      const writing = writable ? user.writing[0] : undefined;
      const waiter = earlier(reading, writing);
      if (waiter) chosen = { user, waiter };
    }
    return chosen?.waiter;
  }

  /** Whether a brief read of a tenant may start. */
  #mayStartRead(id: number, tenant: Tenant): boolean {
    if (tenant.brief.size === 0 || !this.#othersAsk(id, tenant) || !this.#isBusy(id)) return true;
    const since = this.#now() - BRIEF_MS;
    for (const started of tenant.brief.values()) {
      if (started <= since) continue;
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined;
        this.#serve();
      }, BRIEF_MS).unref();
      return false;
    }
    return true;
  }

  /** How many slots a tenant may hold now. */
  #shareOf(id: number, tenant: Tenant): number {
    if (id === NO_ID) return this.#size;
    return this.#othersAsk(id, tenant) ? Math.ceil(this.#size / 3) : this.#size - this.#reserve;
  }

  /** Whether other tenants hold slots, wait for one or asked for one lately. */
  #othersAsk(id: number, tenant: Tenant): boolean {
    return (
      this.#held > tenant.held + this.heldBy(NO_ID) ||
      this.#waiting > tenant.waiting ||
      this.#recent.some((other) => other.tenant !== id && this.#now() - other.at < RECENT_MS)
    );
  }

  #recordRequest(tenant: number): void {
    const at = this.#now();
    this.#recent = [{ tenant, at }, ...this.#recent.filter((other) => other.tenant !== tenant).slice(0, 1)];
  }

  #tenantOf({ tenant = NO_ID }: Requester): Tenant {
    let found = this.#tenants.get(tenant);
    if (!found) {
      found = { held: 0, writes: 0, servedAt: 0, brief: new Map(), users: new Map(), waiting: 0 };
      this.#tenants.set(tenant, found);
    }
    return found;
  }

  #userOf({ users }: Tenant, { user = NO_ID }: Requester): User {
    let found = users.get(user);
    if (!found) {
      found = { held: 0, writes: 0, servedAt: 0, reading: [], writing: [] };
      users.set(user, found);
    }
    return found;
  }

  #removeIdle(requester: Requester): void {
    const tenant = this.#tenantOf(requester);
    const user = this.#userOf(tenant, requester);
    if (user.held === 0 && user.reading.length === 0 && user.writing.length === 0)
      tenant.users.delete(requester.user ?? NO_ID);
    if (tenant.held === 0 && tenant.waiting === 0) this.#tenants.delete(requester.tenant ?? NO_ID);
  }
}

/** The holder of fewer connections comes first, then the holder served longer ago. */
function precedes(one: Holder, other: Holder): boolean {
  return one.held !== other.held ? one.held < other.held : one.servedAt < other.servedAt;
}

function earlier(one: Waiter | undefined, other: Waiter | undefined): Waiter | undefined {
  if (!one || !other) return one ?? other;
  return one.order < other.order ? one : other;
}

/** How many of a number of slots writes may hold. */
function partOf(slots: number): number {
  return Math.max(1, Math.floor((slots * 3) / 4));
}
