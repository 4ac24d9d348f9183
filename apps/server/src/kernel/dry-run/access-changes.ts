/**
 * Finds who gains and loses rights by writes that are undone. The objects that the writes change
 * tell whose rights may differ; these are read after the writes and again after the rollback.
 */
import { type AccessChange, planLimits } from '@portico/contract';
import type { Recorder, TenantExecutor } from '@portico/platform/db/tenant-db';
import { Turns } from '@portico/platform/turns';
import { givenRolesSql, heldRightsSql, holds, permissionsIn, roleBitsSql } from '../access/index.ts';
import { fullNameSql } from '../full-name.ts';
import type { Actor } from '../scope.ts';

/** Sight of a community, which every role in it gives. */
const SIGHT = 'seeCommunity';

/** Pairs of a person and a community above which no changes are told. */
const MOST_PAIRS = 100_000;

/** Rights of people at one moment. */
interface HeldRights {
  /** By community, then by user: {@link permissionsIn} as bits, times two, plus one for a role given to the person. */
  readonly communities: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** Names of these communities: the comparison may come when a created one is gone again. */
  readonly communityNames: ReadonlyMap<number, string>;
  /** Administrative rights, by user. */
  readonly tenant: ReadonlyMap<number, readonly string[]>;
  /** Names of people whom the writes created: nobody finds them after the rollback. */
  readonly newNames: ReadonlyMap<number, string>;
}

/** Statements that find the people whose rights depend on an object, given `$2` ids. */
const DEPENDENTS: Readonly<Record<string, string>> = {
  groups: 'SELECT m.user_id AS id FROM group_members m WHERE m.tenant_id = $1 AND m.group_id = ANY ($2::bigint[])',
  own_roles: `WITH holders AS MATERIALIZED (
      SELECT r.principal FROM community_roles r WHERE r.tenant_id = $1 AND r.role_id = ANY ($2::bigint[])
       UNION SELECT w.principal FROM workspace_members w WHERE w.tenant_id = $1 AND w.role_id = ANY ($2::bigint[])
       UNION SELECT s.user_id FROM standing_roles s WHERE s.tenant_id = $1 AND s.role_id = ANY ($2::bigint[])
       UNION SELECT -g.group_id FROM group_standing_roles g WHERE g.tenant_id = $1 AND g.role_id = ANY ($2::bigint[]))
    SELECT h.principal AS id FROM holders h WHERE h.principal > 0
     UNION
    SELECT m.user_id FROM holders h JOIN group_members m ON m.tenant_id = $1 AND m.group_id = -h.principal`,
};

/** Notes the objects that writes change, as far as rights depend on them. */
export class AccessWatch implements Recorder {
  readonly #users = new Set<number>();
  readonly #newUsers = new Set<number>();
  readonly #communities = new Set<number>();
  readonly #workspaces = new Set<number>();
  readonly #db: TenantExecutor;

  constructor(db: TenantExecutor) {
    this.#db = db;
  }

  /** Called before the change, while the members of a group are still in it. */
  async changing(table: string, ids: readonly number[]): Promise<void> {
    this.changed(table, ids);
    const dependents = DEPENDENTS[table];
    if (dependents === undefined || ids.length === 0) return;
    for (const { id } of await this.#db.query<{ id: number }>(dependents, [this.#db.tenantId, ids]))
      this.#users.add(id);
  }

  created(table: string, ids: readonly number[]): void {
    this.changed(table, ids);
    if (table === 'users') for (const id of ids) this.#newUsers.add(id);
  }

  changed(table: string, ids: readonly number[]): void {
    const noted = { users: this.#users, communities: this.#communities, workspaces: this.#workspaces }[table];
    for (const id of ids) noted?.add(id);
  }

  /** Whether rights may have changed. */
  get touched(): boolean {
    return this.#users.size + this.#communities.size + this.#workspaces.size > 0;
  }

  /** Whether people were created: they can hold rights from the beginning. */
  get hasNewPeople(): boolean {
    return this.#newUsers.size > 0;
  }

  /** Reads the rights as they are now. @returns undefined where they are too many */
  async read(db: TenantExecutor): Promise<HeldRights | undefined> {
    const [users, communities, workspaces] = [this.#users, this.#communities, this.#workspaces].map((ids) => [...ids]);
    const within = `ARRAY(SELECT unnest($3::bigint[]) UNION
      SELECT w.id FROM communities w WHERE w.tenant_id = $1 AND w.workspace_id = ANY ($4::bigint[]))`;
    const rows = await db.query<HeldRow>(
      `WITH touched AS MATERIALIZED (SELECT ${within}::bigint[] AS ids),
       sought AS MATERIALIZED (
         SELECT unnest($2::bigint[]) AS principal UNION
         SELECT -o.group_id FROM group_members o WHERE o.tenant_id = $1 AND o.user_id = ANY ($2::bigint[])),
       given AS MATERIALIZED (
         SELECT g.community_id, g.principal, ${roleBitsSql('g.role_id')} AS bits FROM (
           ${givenRolesSql({ manyPrincipals: 'SELECT principal FROM sought' })} UNION
           ${givenRolesSql({ communities: '(SELECT ids FROM touched)::bigint[]' })}) g
          WHERE g.role_id IS NOT NULL),
       held AS (
         SELECT g.community_id, g.principal AS user_id, g.bits, true AS direct FROM given g WHERE g.principal > 0
          UNION ALL
         SELECT g.community_id, m.user_id, g.bits, false FROM given g
           JOIN groups gr ON gr.tenant_id = $1 AND gr.id = -g.principal AND gr.deleted_at IS NULL
           JOIN group_members m ON m.tenant_id = $1 AND m.group_id = gr.id),
       all_held AS (SELECT h.community_id, h.user_id, bit_or(h.bits) AS bits, bool_or(h.direct) AS direct
         FROM held h JOIN users u ON u.tenant_id = $1 AND u.id = h.user_id AND u.deleted_at IS NULL AND NOT u.blocked
        WHERE h.user_id IN (SELECT unnest($2::bigint[])) OR h.community_id IN (SELECT unnest(ids) FROM touched)
        GROUP BY 1, 2 LIMIT ${MOST_PAIRS + 1})
       SELECT a.community_id AS "communityId", c.name AS "communityName", a.bits, a.direct,
              string_agg(a.user_id::text, ',') AS users
         FROM all_held a JOIN communities c ON c.tenant_id = $1 AND c.id = a.community_id GROUP BY 1, 2, 3, 4`,
      [db.tenantId, users, communities, workspaces],
    );
    const turns = new Turns();
    const held = new Map<number, Map<number, number>>();
    let pairs = 0;
    for (const { communityId, bits, direct, users: ids } of rows) {
      if (turns.isOver) await turns.next();
      const people = held.get(communityId) ?? new Map<number, number>();
      held.set(communityId, people);
      const known = people.size;
      for (const id of ids.split(',')) people.set(Number(id), bits * 2 + (direct ? 1 : 0));
      pairs += people.size - known;
    }
    if (pairs > MOST_PAIRS) return undefined;
    const administrators = await db.query<{ id: number; rights: string[] }>(
      `SELECT a.id, a.rights FROM (
         SELECT u.id, ${heldRightsSql('u')} AS rights FROM users u
          WHERE u.tenant_id = $1 AND u.id = ANY ($2::bigint[]) AND u.deleted_at IS NULL AND NOT u.blocked) a
        WHERE cardinality(a.rights) > 0`,
      [db.tenantId, users],
    );
    const communityNames = new Map(rows.map(({ communityId, communityName }) => [communityId, communityName]));
    const tenant = new Map(administrators.map(({ id, rights }) => [id, rights]));
    return { communities: held, communityNames, tenant, newNames: await namesOf(db, [...this.#newUsers]) };
  }
}

/** People with the same rights in a community. */
interface HeldRow {
  communityId: number;
  communityName: string;
  bits: number;
  direct: boolean;
  /** Their ids, with commas between them. */
  users: string;
}

interface Difference {
  readonly communityId: number;
  readonly permission: string;
  readonly gaining: number[];
  readonly losing: number[];
}

/**
 * Returns who gains and loses rights.
 * @param actor the caller: administrators of people or communities learn the names of members of
 *   groups; other callers learn the names of people with a role of their own
 */
export async function compareAccess(
  db: TenantExecutor,
  actor: Actor,
  before: HeldRights | undefined,
  after: HeldRights | undefined,
): Promise<AccessChange[]> {
  if (!before || !after) return [];
  const differences = (await differencesOf(before, after)).slice(0, planLimits.listed);
  if (differences.length === 0) return [];
  const administers = holds(actor, 'manageUsers') || holds(actor, 'manageDigitalWorplace');
  const known = ({ communityId }: Difference, userId: number) =>
    administers ||
    userId === actor.userId ||
    [before, after].some(({ communities }) => ((communities.get(communityId)?.get(userId) ?? 0) & 1) === 1);
  const named = differences.map((one) => ({
    ...one,
    named: {
      gaining: one.gaining.filter((id) => known(one, id)).slice(0, planLimits.names),
      losing: one.losing.filter((id) => known(one, id)).slice(0, planLimits.names),
    },
  }));
  const names = await namesOf(
    db,
    named.flatMap((one) => [...one.named.gaining, ...one.named.losing]).filter((id) => !after.newNames.has(id)),
  );
  const nameOf = (id: number) => before.communityNames.get(id) ?? after.communityNames.get(id) ?? '';
  const people = (ids: readonly number[]) =>
    ids.map((id) => ({ id, name: names.get(id) ?? after.newNames.get(id) ?? '' }));
  return named.map(({ communityId, permission, gaining, losing, named: shown }) => ({
    ...(communityId !== 0 && { communityId, communityName: nameOf(communityId) }),
    permission,
    gaining: people(shown.gaining),
    gainingCount: gaining.length,
    losing: people(shown.losing),
    losingCount: losing.length,
  }));
}

/** Returns the differences by community, then by right; ids of people ascending. */
async function differencesOf(before: HeldRights, after: HeldRights): Promise<Difference[]> {
  const found = new Map<string, Difference>();
  const note = (communityId: number, permission: string, userId: number, side: 'gaining' | 'losing') => {
    const key = `${communityId} ${permission}`;
    const known = found.get(key) ?? { communityId, permission, gaining: [], losing: [] };
    known[side].push(userId);
    found.set(key, known);
  };
  const turns = new Turns();
  const compare = async (from: HeldRights, to: HeldRights, side: 'gaining' | 'losing') => {
    for (const [userId, rights] of to.tenant)
      for (const right of rights) if (!from.tenant.get(userId)?.includes(right)) note(0, right, userId, side);
    for (const [communityId, people] of to.communities) {
      const known = from.communities.get(communityId);
      for (const [userId, rights] of people) {
        if (turns.isOver) await turns.next();
        const held = known?.get(userId);
        if (held === undefined) note(communityId, SIGHT, userId, side);
        else if (held === rights) continue;
        const gained = permissionsIn((rights >> 1) & ~((held ?? 0) >> 1));
        for (const permission of gained) note(communityId, permission, userId, side);
      }
    }
  };
  await compare(before, after, 'gaining');
  await compare(after, before, 'losing');
  for (const { gaining, losing } of found.values()) for (const ids of [gaining, losing]) ids.sort((a, b) => a - b);
  return [...found.values()].sort((a, b) => a.communityId - b.communityId);
}

async function namesOf(db: TenantExecutor, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: number; name: string }>(
    `SELECT t.id, ${fullNameSql('t')} AS name FROM users t WHERE t.tenant_id = $1 AND t.id = ANY ($2::bigint[])`,
    [db.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
