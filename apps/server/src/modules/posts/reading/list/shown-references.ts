/**
 * References to posts that the caller does not see, hidden or deleted, count as absent. Filters on
 * lists of references to posts agree with the references that the caller sees. References to people
 * and groups are visible to every reader of the post, also after the person or group was deleted,
 * and need none of this.
 */
import type { CustomFieldFilter } from '@portico/contract';
import {
  communitiesWith,
  hasPermission,
  hiddenFromRoleSql,
  Parameters,
  visiblePostSql,
} from '../../../../kernel/access/index.ts';
import type { Actor, Scope } from '../../../../kernel/scope.ts';
import type { FieldDefinition } from '../../../communities/index.ts';
import { entityKind, holdsObjects } from '../../../fields/index.ts';
import { type Condition, condition, type Statement } from './statement.ts';

/** The parts of references in filters that the caller sees. */
export interface ReferenceVisibility {
  readonly actor: Actor;
  /** The named posts that the caller sees. */
  readonly seen: ReadonlySet<number>;
  /**
   * Communities of the posts to which a field refers, by field; 0 for posts that were erased or
   * have no known community.
   */
  readonly targets: ReadonlyMap<number, readonly number[]>;
}

/** A filter, and the fields that it may name. */
interface NamedFilters {
  readonly filters: readonly CustomFieldFilter[] | undefined;
  readonly fields: readonly FieldDefinition[];
}

/**
 * Looks up the posts that filters name and the communities to which their fields refer, in one
 * statement; sends no statement when the filters name no posts.
 */
export async function loadReferenceVisibility(
  scope: Scope,
  sets: readonly NamedFilters[],
): Promise<ReferenceVisibility> {
  const ids = new Set<number>();
  const ofPosts = new Set<number>();
  for (const { filters, fields } of sets) {
    for (const { columnId, parameters = [] } of filters ?? []) {
      const field = fields.find((candidate) => candidate.id === columnId);
      if (!field || !namesPosts(field)) continue;
      ofPosts.add(field.id);
      // Values that are not ids are rejected later, by an error that names their place. Only texts
      // and numbers are converted here: Number() throws for some objects.
      const plain = parameters.filter((value) => typeof value === 'number' || typeof value === 'string');
      for (const id of plain.map(Number)) if (Number.isSafeInteger(id)) ids.add(id);
    }
  }
  const seen = new Set<number>();
  const targets = new Map<number, number[]>();
  if (ofPosts.size > 0) {
    for (const { id, community } of await lookUp(scope, [...ids], [...ofPosts])) {
      if (community === null) seen.add(id);
      else targets.set(id, [...(targets.get(id) ?? []), community]);
    }
  }
  return { actor: scope.actor, seen, targets };
}

/** Returns whether values of a field are references to posts. */
export const namesPosts = (field: FieldDefinition): boolean => holdsObjects(field) && entityKind(field) === 'post';

async function lookUp(
  { db, actor }: Scope,
  ids: readonly number[],
  ofPosts: readonly number[],
): Promise<{ id: number; community: number | null }[]> {
  const parameters = new Parameters([db.tenantId, ids, ofPosts]);
  const visible = visiblePostSql('p', actor, parameters);
  const next = (past: string) =>
    `SELECT v.ref_community FROM post_values v WHERE v.tenant_id = $1 AND v.field_id = f.id AND v.ref IS NOT NULL AND v.ref_community IS NOT NULL${past} ORDER BY v.ref_community LIMIT 1`;
  // A probe for each id and each community: with "= ANY" PostgreSQL may read a whole index.
  return db.query(
    `SELECT e.id, NULL::bigint AS community FROM unnest($2::bigint[]) AS w (id)
       CROSS JOIN LATERAL (SELECT p.id FROM posts p WHERE p.tenant_id = $1 AND p.id = w.id AND ${visible} OFFSET 0) e
     UNION ALL SELECT f.id, t.id AS community FROM unnest($3::bigint[]) AS f (id)
       CROSS JOIN LATERAL (
         WITH RECURSIVE found (id) AS (
           (${next('')}) UNION ALL SELECT (${next(' AND v.ref_community > found.id')}) FROM found WHERE found.id IS NOT NULL)
         SELECT id FROM found WHERE id IS NOT NULL) t`,
    parameters.values,
  );
}

/** SQL of a boolean: the caller sees the post that a reference leads to. @param ref SQL of its id */
function isVisible(ref: string, { actor }: ReferenceVisibility, sql: Statement): string {
  return `EXISTS (SELECT FROM posts r WHERE r.tenant_id = $1 AND r.id = ${ref} AND ${visiblePostSql('r', actor, sql)} OFFSET 0)`;
}

/**
 * Returns SQL of a boolean: a post holds a reference that passes a test. @param post SQL of the
 * post's id
 */
function containsReference(
  field: FieldDefinition,
  post: string,
  where: (ref: string) => string,
  sql: Statement,
): string {
  // Orders by the primary key: no other index leads to the rows of one post and field at once.
  const rows = `SELECT y.ref FROM post_values y WHERE y.tenant_id = $1 AND y.field_id = ${sql.bigint(field.id)} AND y.post_id = ${post} ORDER BY y.ord OFFSET 0`;
  return `EXISTS (SELECT FROM (${rows}) o WHERE o.ref IS NOT NULL AND ${where('o.ref')} OFFSET 0)`;
}

/**
 * Returns SQL of the posts that hold a reference which the caller does not see, regardless of their
 * other references; undefined when the field refers to no posts. It starts from the hidden posts:
 * posts that are private or not live in the communities to which the field refers.
 */
function withHiddenReference(
  field: FieldDefinition,
  visibility: ReferenceVisibility,
): ((sql: Statement) => string) | undefined {
  const rows = (sql: Statement, where: string) =>
    `SELECT x.post_id FROM post_values x WHERE x.tenant_id = $1 AND x.field_id = ${sql.bigint(field.id)} AND ${where}`;
  const referring = (sql: Statement, from: string) =>
    `SELECT e.post_id FROM (${from}) h CROSS JOIN LATERAL (${rows(sql, 'x.ref = h.id')} OFFSET 0) e`;
  const { actor } = visibility;
  const targets = visibility.targets.get(field.id) ?? [];
  const whole = new Set(communitiesWith(actor, 'readAllPosts'));
  const open = targets.filter((id) => actor.roles.has(id));
  const closed = targets.filter((id) => !actor.roles.has(id));
  const restricted = open.filter((id) => !whole.has(id));
  const [publicOnes, namedOnes] = [true, false].map((readsPublic) =>
    restricted.filter((id) => hasPermission(actor, id, 'readPublicPosts') === readsPublic),
  );
  if (targets.length === 0) return undefined;
  const within = (ids: readonly number[], sql: Statement, from: string) =>
    `SELECT i.id FROM unnest(${sql.bigints(ids)}) AS c (id) CROSS JOIN LATERAL (${from} OFFSET 0) i`;
  const posts = 'SELECT u.id FROM posts u WHERE u.tenant_id = $1 AND u.community_id = c.id';
  return (sql) => {
    const parts: string[] = [];
    if (closed.length > 0) {
      parts.push(
        `SELECT e.post_id FROM unnest(${sql.bigints(closed)}) AS c (id) CROSS JOIN LATERAL (${rows(sql, 'x.ref IS NOT NULL AND x.ref_community = c.id')} OFFSET 0) e`,
      );
    }
    if (open.length > 0) parts.push(referring(sql, within(open, sql, `${posts} AND NOT u.live`)));
    for (const [ids = [], readsPublic] of [
      [publicOnes, true],
      [namedOnes, false],
    ] as const) {
      if (ids.length === 0) continue;
      const unseen = `${posts} AND ${hiddenFromRoleSql('u', sql.bigints(actor.principals), true, readsPublic)}`;
      parts.push(referring(sql, within(ids, sql, unseen)));
    }
    return parts.join(' UNION ALL ');
  };
}

/**
 * The field has no reference that the caller sees, or one of several.
 * @param empty the condition that the field has no value
 * @param held the condition that it holds one of the ids, which the caller sees
 */
export function noVisibleReference(
  key: string,
  field: FieldDefinition,
  visibility: ReferenceVisibility,
  empty: Condition,
  held?: Condition & { readonly ids: readonly number[] },
): Condition {
  const hidden = withHiddenReference(field, visibility);
  const shown = (post: string, sql: Statement) =>
    containsReference(field, post, (ref) => isVisible(ref, visibility, sql), sql);
  const holdsOne = (post: string, sql: Statement) =>
    containsReference(field, post, (ref) => `${ref} = ANY (${sql.bigints(held?.ids ?? [])})`, sql);
  const starts = [empty.candidates, hidden, held?.candidates].filter((start) => start !== undefined);
  return condition(
    {
      key,
      byId: true,
      personal: true,
      ownCommunity: field.owner === 'post',
      test: (sql) => (held ? `(NOT ${shown('p.id', sql)} OR ${holdsOne('p.id', sql)})` : `NOT ${shown('p.id', sql)}`),
      candidates: (sql) => starts.map((start) => start(sql)).join(' UNION ALL '),
      excluded: (sql) =>
        hidden === undefined
          ? 'SELECT NULL::bigint AS post_id WHERE false'
          : `SELECT n.post_id FROM (${hidden(sql)}) n WHERE ${shown('n.post_id', sql)}${held ? ` AND NOT ${holdsOne('n.post_id', sql)}` : ''}`,
    },
    true,
  );
}

/**
 * This reference, and no other that the caller sees. @param held the condition that the field holds
 * it
 */
export function onlyVisibleReference(
  field: FieldDefinition,
  id: number,
  visibility: ReferenceVisibility,
  held: Condition,
): Condition {
  const other = (post: string, sql: Statement) =>
    containsReference(field, post, (ref) => `${ref} <> ${sql.bigint(id)} AND ${isVisible(ref, visibility, sql)}`, sql);
  return condition(
    {
      ...held,
      personal: true,
      test: (sql) => `(${held.test(sql)} AND NOT ${other('p.id', sql)})`,
      recheck: (sql) => `NOT ${other('p.id', sql)}`,
      // Elements are numbered, so a list that holds another id has a second element; few lists of a
      // field have one.
      excluded: (sql) =>
        `SELECT x.post_id FROM post_values x WHERE x.tenant_id = $1 AND x.field_id = ${sql.bigint(field.id)} AND x.ord = 1 AND ${other('x.post_id', sql)}`,
    },
    true,
  );
}
