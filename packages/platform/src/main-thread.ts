/**
 * Turns on the main thread, by tenant and account. The processor time that the main thread spends for each is counted. Work of
 * a requester that used much waits in a queue, from which the event loop takes some {@link SLICE_MS} ms of work in each of its
 * turns, the requester that used least first. Work of a requester that used little goes on at once.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Tenant and account that the main thread works for. Omitted: no tenant, no account. */
export interface Requester {
  readonly tenant?: number | undefined;
  /** An account, by its id, or a client that has not signed in, by its address. */
  readonly user?: number | string | undefined;
}

/** How long work may take before the event loop turns. Milliseconds. */
export const SLICE_MS = 2;
/** Limit of a slice while requesters that used little have work: each of their steps waits for one. Milliseconds. */
const SHORT_SLICE_MS = 0.5;
/** Time for which work of such a requester is expected to go on. Milliseconds. */
const LIGHT_MS = 20;
/** Half-life, in milliseconds, of the counted use of a requester. */
const HALF_LIFE_MS = 500;
/** A tenant that used less never waits: a tenth of the thread, kept up for long. Milliseconds. */
const LITTLE_MS = HALF_LIFE_MS / Math.LN2 / 10;
/** A tenant that used more keeps the thread busy: a quarter of it, for long. Milliseconds. */
const BUSY_MS = HALF_LIFE_MS / Math.LN2 / 4;
/**
 * Maximum number of remembered requesters; beyond it, requesters with negligible use are forgotten.
 */
const MOST_REMEMBERED = 1_000;
/** Use that is next to nothing. Milliseconds. */
const NOTHING_MS = 0.1;

/** Counts time that is forgotten by half-lives. */
class Use {
  #ms = 0;
  #at = 0;

  /** Adds time. Milliseconds. */
  add(ms: number, now: number): void {
    this.#ms = this.at(now) + ms;
    this.#at = now;
  }

  /** The time that counts at a moment. Milliseconds. */
  at(now: number): number {
    return this.#ms * 2 ** ((this.#at - now) / HALF_LIFE_MS);
  }
}

interface Waiter {
  readonly requester: Requester;
  readonly goOn: () => void;
}

interface Account {
  readonly use: Use;
  readonly waiting: Waiter[];
}

interface Tenant {
  readonly use: Use;
  readonly accounts: Map<number | string, Account>;
  waiting: number;
}

const NO_ONE = 0;

/** Shares the main thread of this process. Tests make one of their own. */
export class MainThread {
  readonly #tenants = new Map<number, Tenant>();
  #heaviest: Tenant | undefined;
  #waiting = 0;
  #current: Requester | undefined;
  #since = 0;
  #closes = false;
  #turnBegan: number | undefined;
  #serves = false;
  /** When a requester that used little last went past others that wait. */
  #lightAt = Number.NEGATIVE_INFINITY;
  readonly #clock: () => number;

  /** @param clock the present moment in milliseconds */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Requesters whose work waits for a turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Time used by a tenant that counts now. Milliseconds. */
  usedBy(tenant: number): number {
    return this.#tenants.get(tenant)?.use.at(this.#clock()) ?? 0;
  }

  /** Whether a tenant used a quarter of the thread lately. */
  isBusyWith(tenant: number): boolean {
    return this.usedBy(tenant) > BUSY_MS;
  }

  /** Time for which work may go on before the event loop turns. Milliseconds. */
  get sliceMs(): number {
    return this.#clock() - this.#lightAt < LIGHT_MS ? SHORT_SLICE_MS : SLICE_MS;
  }

  /** Counts the time from now until the present callback of the event loop has ended for a requester. */
  enter(requester: Requester): void {
    const now = this.#clock();
    this.#count(now);
    this.#current = requester;
    this.#since = now;
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      setImmediate(() => {
        this.#turnBegan = undefined;
      });
    }
    if (this.#closes) return;
    this.#closes = true;
    afterMicrotasks(() => {
      this.#closes = false;
      this.#count(this.#clock());
    });
  }

  /**
   * Asks whether work of a requester may go on.
   * @returns undefined when it may, else a promise that resolves when it has its turn
   */
  turn(requester: Requester): Promise<void> | undefined {
    const now = this.#clock();
    const free = this.#waiting === 0 && now - (this.#turnBegan ?? now) < SLICE_MS;
    if (!free) {
      if (!this.#usedLittle(requester, now)) return this.wait(requester);
      if (this.#waiting > 0) this.#lightAt = now;
    }
    this.enter(requester);
    return undefined;
  }

  /** Resolves in a later turn of the event loop, in the order of use. */
  wait(requester: Requester): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const tenant = this.#tenantOf(requester);
    accountOf(tenant, requester, this.#clock()).waiting.push({ requester, goOn: resolve });
    tenant.waiting++;
    this.#waiting++;
    if (!this.#serves) {
      this.#serves = true;
      setImmediate(() => this.#serve(this.#clock()));
    }
    return promise;
  }

  /** Gives turns until the slice of this turn of the event loop is used. */
  #serve(began: number): void {
    const waiter = this.#next(this.#clock());
    if (!waiter) {
      this.#serves = false;
      return;
    }
    this.enter(waiter.requester);
    waiter.goOn();
    afterMicrotasks(() => {
      const now = this.#clock();
      this.#count(now);
      if (now - began < this.sliceMs && this.#waiting > 0) this.#serve(began);
      else setImmediate(() => this.#serve(this.#clock()));
    });
  }

  #next(now: number): Waiter | undefined {
    if (this.#waiting === 0) return undefined;
    const tenant = leastUsed(this.#tenants.values(), ({ waiting }) => waiting > 0, now);
    const account = tenant && leastUsed(tenant.accounts.values(), ({ waiting }) => waiting.length > 0, now);
    if (!tenant || !account) return undefined;
    tenant.waiting--;
    this.#waiting--;
    return account.waiting.shift();
  }

  /** Whether a requester used so little that its work need not wait. */
  #usedLittle(requester: Requester, now: number): boolean {
    const tenant = this.#tenants.get(requester.tenant ?? NO_ONE);
    if (!tenant) return true;
    const used = tenant.use.at(now);
    if (used < LITTLE_MS) return true;
    const heaviest = this.#heaviest;
    return heaviest !== undefined && heaviest !== tenant && 2 * used < heaviest.use.at(now);
  }

  #count(now: number): void {
    const requester = this.#current;
    if (!requester) return;
    this.#current = undefined;
    const ms = now - this.#since;
    const tenant = this.#tenantOf(requester);
    tenant.use.add(ms, now);
    accountOf(tenant, requester, now).use.add(ms, now);
    if (!this.#heaviest || tenant.use.at(now) > this.#heaviest.use.at(now)) this.#heaviest = tenant;
  }

  #tenantOf({ tenant = NO_ONE }: Requester): Tenant {
    const known = this.#tenants.get(tenant);
    if (known) return known;
    forgetIdle(this.#tenants, this.#clock(), (one) => one.waiting > 0);
    const made: Tenant = { use: new Use(), accounts: new Map(), waiting: 0 };
    this.#tenants.set(tenant, made);
    return made;
  }
}

/** The main thread of this process. */
export const mainThread = new MainThread();

function accountOf({ accounts }: Tenant, { user = NO_ONE }: Requester, now: number): Account {
  const known = accounts.get(user);
  if (known) return known;
  forgetIdle(accounts, now, (one) => one.waiting.length > 0);
  const made: Account = { use: new Use(), waiting: [] };
  accounts.set(user, made);
  return made;
}

function leastUsed<T extends { use: Use }>(all: Iterable<T>, waits: (one: T) => boolean, now: number): T | undefined {
  let chosen: T | undefined;
  for (const one of all) if (waits(one) && !(chosen && chosen.use.at(now) <= one.use.at(now))) chosen = one;
  return chosen;
}

/** Forgets entries that used next to nothing, where there are many. */
function forgetIdle<K, T extends { use: Use }>(all: Map<K, T>, now: number, waits: (one: T) => boolean): void {
  if (all.size < MOST_REMEMBERED) return;
  for (const [id, one] of all) if (!waits(one) && one.use.at(now) < NOTHING_MS) all.delete(id);
}

/**
 * Runs `work` after the present callback of the event loop, and after the promises that it
 * resolved.
 */
function afterMicrotasks(work: () => void): void {
  queueMicrotask(() => process.nextTick(work));
}

const requesters = new AsyncLocalStorage<Requester>();

/** Runs work for a requester: long work within takes turns with that of others, see {@link Turns}. */
export function runFor<T>(requester: Requester, work: () => T): T {
  return requesters.run(requester, work);
}

/** Requester of the present work. */
export function presentRequester(): Requester {
  return requesters.getStore() ?? {};
}
