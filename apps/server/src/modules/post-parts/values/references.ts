/** Resolves the references of one or more writes in a fixed number of queries. */
import { knownGroupSql, Parameters, visiblePostSql, type WriteScope } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';
import { entityKind, holdsObjects, ValueError } from '../../fields/index.ts';
import type { FieldRule } from './field-rules.ts';

const e = sqlColumns('catalog_entries', 'e');
const c = sqlColumns('catalogs', 'c');
const groupMembers = sqlColumns('group_members');
const g = sqlColumns('groups', 'g');
const p = sqlColumns('posts', 'p');
const usersColumns = sqlColumns('users');

/** Whether a field refers to posts. */
export function holdsPosts(field: Pick<FieldRule, 'type' | 'metadata'>): boolean {
  return holdsObjects(field) && entityKind(field) === 'post';
}

function idOf(metadata: string | undefined): number | undefined {
  return metadata !== undefined && /^\d{1,16}$/.test(metadata) ? Number(metadata) : undefined;
}

/** Ids to resolve. */
export class WantedReferences {
  readonly entries = new Set<number>();
  readonly users = new Set<number>();
  readonly groups = new Set<number>();
  /** Groups that the post holds already: its editor need not know them. */
  readonly keptGroups = new Set<number>();
  readonly posts = new Set<number>();
  /** Whether deleted people and groups may be named. */
  deletedToo = false;
  /** Groups from which members may be picked. */
  readonly pickerGroups = new Set<number>();

  /**
   * Adds the ids of a value of a reference field. @param kept whether the post holds them already
   */
  add(field: FieldRule, ids: readonly number[], kept = false): void {
    if (!holdsObjects(field)) {
      if (field.catalogId !== null) for (const id of ids) this.entries.add(id);
      return;
    }
    const kind = entityKind(field);
    const target = { user: this.users, group: this.groups, post: this.posts }[kind ?? 'post'];
    for (const id of ids) target.add(id);
    if (kept && kind === 'group') for (const id of ids) this.keptGroups.add(id);
    const picker = idOf(field.metadata.user_picker_from_group);
    if (kind === 'user' && picker !== undefined) this.pickerGroups.add(picker);
  }
}

/**
 * The result of the lookup of the wanted ids; a missing id does not exist or may not be referred
 * to.
 */
export interface References {
  entries: ReadonlyMap<number, { catalogId: number; parentIds: readonly number[]; deleted: boolean }>;
  users: ReadonlySet<number>;
  groups: ReadonlySet<number>;
  /** Posts that the writer sees, with their community. */
  posts: ReadonlyMap<number, number>;
  /** Members of picker groups, by group. */
  members: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Returns whether the caller can see the user, group or post with an id. */
export function isSeen(field: FieldRule, id: number, references: References): boolean {
  const kind = entityKind(field);
  if (kind === undefined) return false;
  return { user: references.users, group: references.groups, post: references.posts }[kind].has(id);
}

/** Looks up all wanted ids, in one statement per kind of object. */
export async function loadReferences(write: WriteScope, wanted: WantedReferences): Promise<References> {
  const { tx } = write;
  const entries = new Map<number, { catalogId: number; parentIds: readonly number[]; deleted: boolean }>();
  if (wanted.entries.size > 0) {
    const rows = await tx.query<{ id: number; catalogId: number; parentIds: number[]; deleted: boolean }>(
      `SELECT ${e.id}, ${e.catalog_id} AS "catalogId", ${e.parent_ids} AS "parentIds", ${e.deleted} OR ${c.deleted} AS deleted
         FROM catalog_entries e JOIN catalogs c ON c.tenant_id = e.tenant_id AND ${c.id} = ${e.catalog_id}
        WHERE e.tenant_id = $1 AND ${e.id} = ANY ($2::bigint[])`,
      [tx.tenantId, [...wanted.entries]],
    );
    for (const { id, ...entry } of rows) entries.set(id, entry);
  }
  const members = new Map<number, Set<number>>();
  if (wanted.pickerGroups.size > 0 && wanted.users.size > 0) {
    const rows = await tx.query<{ groupId: number; userId: number }>(
      `SELECT ${groupMembers.group_id} AS "groupId", ${groupMembers.user_id} AS "userId" FROM group_members
        WHERE tenant_id = $1 AND ${groupMembers.group_id} = ANY ($2::bigint[]) AND ${groupMembers.user_id} = ANY ($3::bigint[])`,
      [tx.tenantId, [...wanted.pickerGroups], [...wanted.users]],
    );
    for (const { groupId, userId } of rows) members.set(groupId, (members.get(groupId) ?? new Set()).add(userId));
  }
  return {
    entries,
    users: await existingUsers(write, wanted),
    groups: await knownGroups(write, wanted),
    posts: await visiblePosts(write, [...wanted.posts]),
    members,
  };
}

/** Returns the wanted users that exist: deleted ones only with `deletedToo`. */
async function existingUsers({ tx }: WriteScope, { users, deletedToo }: WantedReferences): Promise<Set<number>> {
  if (users.size === 0) return new Set();
  const rows = await tx.query<{ id: number }>(
    `SELECT ${usersColumns.id} FROM users WHERE tenant_id = $1 AND ${usersColumns.id} = ANY ($2::bigint[]) AND (${usersColumns.deleted_at} IS NULL OR $3::boolean)`,
    [tx.tenantId, [...users], deletedToo],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Returns the wanted groups that exist (deleted ones only with `deletedToo`), and that the writer
 * knows or the post holds already.
 */
async function knownGroups({ tx, actor }: WriteScope, wanted: WantedReferences): Promise<Set<number>> {
  const { groups, keptGroups, deletedToo } = wanted;
  if (groups.size === 0) return new Set();
  const parameters = new Parameters([tx.tenantId, [...groups], [...keptGroups], deletedToo]);
  const rows = await tx.query<{ id: number }>(
    `SELECT ${g.id} FROM groups g WHERE g.tenant_id = $1 AND ${g.id} = ANY ($2::bigint[]) AND (${g.deleted_at} IS NULL OR $4::boolean)
        AND (${g.id} = ANY ($3::bigint[]) OR ${knownGroupSql('g', actor, parameters)})`,
    parameters.values,
  );
  return new Set(rows.map((row) => row.id));
}

async function visiblePosts(write: WriteScope, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const parameters = new Parameters([write.tx.tenantId, ids]);
  const rows = await write.tx.query<{ id: number; communityId: number }>(
    `SELECT ${p.id}, ${p.community_id} AS "communityId" FROM posts p
      WHERE p.tenant_id = $1 AND ${p.id} = ANY ($2::bigint[]) AND ${visiblePostSql('p', write.actor, parameters)}`,
    parameters.values,
  );
  return new Map(rows.map((row) => [row.id, row.communityId]));
}

/**
 * Validates the ids of a reference field.
 * @param parentIds ids that the parent field holds after the write; undefined when the field has no
 *   parent
 * @param carried accepts values chosen in another community that are out of use, deleted or hidden
 *   from the writer
 * @returns the error, or undefined when all ids are valid
 */
export function referenceError(
  field: FieldRule,
  ids: readonly number[],
  parentIds: readonly number[] | undefined,
  references: References,
  carried = false,
): ValueError | undefined {
  if (holdsObjects(field)) return entityError(field, ids, references, carried);
  const own = field.catalogId === null ? new Map(field.enumValues.map((value) => [value.id, value])) : undefined;
  const bad: number[] = [];
  const misplaced: number[] = [];
  for (const id of ids) {
    const entry = own ? own.get(id) : references.entries.get(id);
    if (!entry || (entry.deleted && !carried) || ('catalogId' in entry && entry.catalogId !== field.catalogId))
      bad.push(id);
    else if (parentIds && entry.parentIds.length > 0 && !entry.parentIds.some((id) => parentIds.includes(id))) {
      misplaced.push(id);
    }
  }
  if (bad.length > 0) {
    const from = own ? 'the values of the field' : `catalog ${field.catalogId}`;
    return new ValueError('INVALID_VALUE', `${bad.join(', ')} cannot be chosen; send ids from ${from}.`, bad);
  }
  if (misplaced.length > 0) {
    const message = `${misplaced.join(', ')} does not belong to the value of field ${field.parentId}; send a value below it.`;
    return new ValueError('INVALID_VALUE', message, misplaced);
  }
  return undefined;
}

function entityError(
  field: FieldRule,
  ids: readonly number[],
  references: References,
  carried: boolean,
): ValueError | undefined {
  const kind = entityKind(field);
  const community = idOf(field.metadata.community_id);
  const picker = idOf(field.metadata.user_picker_from_group);
  const restriction = kind && { user: picker, group: undefined, post: community }[kind];
  const bad = ids.filter((id) => {
    if (carried && restriction === undefined) return false;
    if (kind === 'user') {
      return !references.users.has(id) || (picker !== undefined && !references.members.get(picker)?.has(id));
    }
    if (kind === 'group') return !references.groups.has(id);
    if (kind === 'post') {
      const found = references.posts.get(id);
      return found === undefined || (community !== undefined && found !== community);
    }
    return true;
  });
  if (bad.length === 0) return undefined;
  return new ValueError(
    'UNKNOWN_REFERENCE',
    `${bad.join(', ')} cannot be referred to; send ids of ${kind ?? 'object'}s that exist and that you may use here.`,
    bad,
  );
}
