/**
 * State that the parts of the generator share: the actor, the time, the transaction, and the
 * objects created earlier.
 */
import type { Scope, Tenant } from '../kernel/scope.ts';
import { systemScope, type TenantServices } from '../modules/tenants/index.ts';
import type { TenantTx } from '../platform/db/tenant-db.ts';
import { Random } from '../platform/random.ts';
import { cast } from './content.ts';
import type { CommunitySpec, FieldSpec } from './read-community.ts';

/** Address of the administrator, printed by the first start. */
export const DEMO_ADMIN_EMAIL = 'admin@alveria.example';

/** The demo tells of the time from here to its first start. */
export const SEED_DATE = Date.UTC(2024, 0, 8, 7, 30);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A field that was made. */
export interface MadeField {
  id: number;
  spec: FieldSpec;
  /** Ids of its own values by key. */
  values: ReadonlyMap<string, number>;
}

/** A community that was made, with the ids behind the keys of its content. */
export interface MadeCommunity {
  id: number;
  spec: CommunitySpec;
  fields: ReadonlyMap<string, MadeField>;
  screenFields: ReadonlyMap<string, MadeField>;
  states: ReadonlyMap<string, number>;
  transitions: ReadonlyMap<string, number>;
  hashtags: ReadonlyMap<string, number>;
}

/** An entry of a catalog that was made. */
interface MadeEntry {
  id: number;
  key: string;
  parentKeys: readonly string[];
  deleted: boolean;
}

export class DemoContext {
  readonly services: TenantServices;
  readonly tenant: Tenant;
  readonly now: number;
  readonly random: Random = new Random(20_240_108);
  /** Ids of people in the order of the content. */
  people: number[] = [];
  serviceAccount = 0;
  readonly groups = new Map<string, number>();
  /** Members of groups by key of the group. */
  readonly members = new Map<string, readonly number[]>();
  /** Pictures of the service account's own that no event has taken yet. */
  covers: string[] = [];
  readonly workspaces = new Map<string, number>();
  readonly catalogs = new Map<string, { id: number; entries: readonly MadeEntry[] }>();
  readonly communities = new Map<string, MadeCommunity>();
  /** Ids of posts by community, published and visible to everyone with a role there. */
  readonly posts = new Map<string, number[]>();
  private readonly systemUserId: number;
  private readonly scopes = new Map<number, Promise<Scope>>();

  constructor(services: TenantServices, tenant: Tenant, systemUserId: number) {
    this.services = services;
    this.tenant = tenant;
    this.now = services.clock.now();
    this.systemUserId = systemUserId;
  }

  /** The same context with random numbers of its own, for work that runs beside other work. */
  fork(seed: number): DemoContext {
    return Object.assign(Object.create(DemoContext.prototype), this, { random: new Random(seed) }) as DemoContext;
  }

  /** The scope of the system account as of a time. Drops cached roles and definitions. */
  async system(at: number): Promise<Scope> {
    this.scopes.clear();
    return systemScope(this.services, this.tenant, this.systemUserId, { now: () => at });
  }

  /** The scope of one of the people as of a time, after everything about roles and definitions is made. */
  async as(userId: number, at: number, joined?: TenantTx): Promise<Scope> {
    let scope = this.scopes.get(userId);
    if (!scope) {
      scope = systemScope(this.services, this.tenant, userId);
      this.scopes.set(userId, scope);
    }
    return { ...(await scope), clock: { now: () => at }, ...(joined && { joined }) };
  }

  /** Runs work in one transaction, which the verbs called in it join. */
  transaction<T>(work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.services.databases.for(this.tenant.id).transaction(work);
  }

  /** Returns the users of the groups that a community's content names. */
  inGroups(keys: readonly string[]): number[] {
    return [...new Set(keys.flatMap((key) => this.members.get(key) ?? []))];
  }

  /** Returns the users without a licence. */
  unlicensed(userIds: readonly number[]): number[] {
    const licensed = new Set(cast.licensed.map((index) => this.people[index]));
    return userIds.filter((userId) => !licensed.has(userId));
  }

  /** A time of day in an office, some share of the way from the seed date to now. @param share 0 to 1 */
  time(share: number): number {
    const at = SEED_DATE + share * (this.now - SEED_DATE - 2 * HOUR);
    const day = Math.floor(at / DAY) * DAY;
    const office = day + 7 * HOUR + this.random.int(0, 9 * 60) * 60_000 + this.random.int(0, 59) * 1000;
    return Math.min(office, this.now - HOUR);
  }

  /** A time later than another, but not later than now. */
  later(after: number, within: number): number {
    return Math.min(after + Math.ceil(this.random.next() * within), this.now - 60_000);
  }
}
