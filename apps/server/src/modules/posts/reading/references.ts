/**
 * References of posts: people, groups, catalog entries, other posts. They are collected from all
 * posts of a response and looked up together: at most one statement for each kind of entity,
 * however many posts, and one round trip for all of them.
 */
import type { CatalogEntry, Group, JsonValue, PostBaseInfo, PostType, User, Visibility } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Parameters, visiblePostSql } from '../../../kernel/access/index.ts';
import type { Context } from '../../../kernel/scope.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { loadCatalogEntries, presentCatalogEntry } from '../../communities/index.ts';
import { entityKind, holdsObjects, isChoice, storedIds } from '../../fields/index.ts';
import { loadGroupViews, loadUserViews } from '../../people/index.ts';

/** Ids of referenced objects. */
export class Wanted {
  readonly users = new Set<number>();
  readonly groups = new Set<number>();
  readonly entries = new Set<number>();
  readonly posts = new Set<number>();

  /** Collects all references in the values of these fields. @returns their number */
  addValues(fields: readonly FieldDefinition[], data: Readonly<Record<string, unknown>>): number {
    let count = 0;
    for (const field of fields) {
      const value = data[field.id];
      if (value === undefined || value === null) continue;
      const target = this.#target(field);
      if (!target) continue;
      const ids = storedIds(value);
      for (const id of ids) target.add(id);
      count += ids.length;
    }
    return count;
  }

  /** Collects a principal: a user, or a group negated. */
  addPrincipal(principal: number): void {
    if (principal < 0) this.groups.add(-principal);
    else this.users.add(principal);
  }

  /** True when nothing was collected. */
  get empty(): boolean {
    return this.users.size + this.groups.size + this.entries.size + this.posts.size === 0;
  }

  #target(field: FieldDefinition): Set<number> | undefined {
    if (holdsObjects(field)) {
      const kind = entityKind(field);
      return kind && { user: this.users, group: this.groups, post: this.posts }[kind];
    }
    return isChoice(field) && field.catalogId !== null ? this.entries : undefined;
  }
}

/** The objects found. Posts that the caller does not see are missing, like unknown objects. */
export interface References {
  readonly users: ReadonlyMap<number, User>;
  readonly groups: ReadonlyMap<number, Group>;
  readonly entries: ReadonlyMap<number, CatalogEntry>;
  readonly posts: ReadonlyMap<number, PostBaseInfo>;
}

/**
 * Looks up all collected ids. @param db the database, or the transaction of the write that responds
 */
export async function loadReferences(scope: Context, db: TenantExecutor, wanted: Wanted): Promise<References> {
  // Without a statement no connection is taken.
  if (wanted.empty) return { users: new Map(), groups: new Map(), entries: new Map(), posts: new Map() };
  const language = scope.settings.defaultLanguage;
  const [users, groups, entries, posts] = await db.pipeline((one) =>
    Promise.all([
      loadUserViews(scope, one, wanted.users),
      loadGroupViews(one, wanted.groups),
      loadCatalogEntries(one, wanted.entries),
      loadReferredPosts(scope, one, [...wanted.posts]),
    ]),
  );
  return {
    users,
    groups,
    entries: new Map([...entries].map(([id, entry]) => [id, presentCatalogEntry(entry, language)])),
    posts,
  };
}

async function loadReferredPosts(
  scope: Context,
  db: TenantExecutor,
  ids: readonly number[],
): Promise<Map<number, PostBaseInfo>> {
  if (ids.length === 0) return new Map();
  const parameters = new Parameters([db.tenantId, ids]);
  const rows = await db.query<{
    id: number;
    communityId: number;
    customId: string;
    type: PostType;
    title: string | null;
    clientUid: string | null;
    visibility: Visibility;
    announcement: boolean;
  }>(
    `SELECT p.id, p.community_id AS "communityId", p.custom_no::text AS "customId", p.type, p.title,
            p.client_uid AS "clientUid", p.visibility, p.announcement
       FROM posts p WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[]) AND ${visiblePostSql('p', scope.actor, parameters)}`,
    parameters.values,
  );
  return new Map(
    rows.map(({ title, clientUid, ...row }) => [
      row.id,
      { ...row, ...(title !== null && { title }), ...(clientUid !== null && { clientUid }), deleted: false },
    ]),
  );
}

/**
 * Returns custom values as in responses (docs/decisions/values.md): values of catalogs and
 * references as arrays of objects, everything else in the stored form. Fields without a value are
 * omitted, and so are references to posts that the caller does not see, with the field if no other
 * reference remains. Deleted people and groups stay, marked `deleted`.
 * @param forForm true omits deleted people and groups: a form offers only valid choices
 */
export function presentValues(
  fields: readonly FieldDefinition[],
  data: Readonly<Record<string, unknown>>,
  references: References,
  forForm = false,
): Record<string, JsonValue> {
  const out: Record<string, JsonValue> = {};
  for (const field of fields) {
    const value = data[field.id];
    if (value === undefined || value === null) continue;
    const known = objectsOf(field, references, forForm);
    if (!known) {
      out[field.id] = value as JsonValue;
      continue;
    }
    const shown = storedIds(value).flatMap((id) => known(id) ?? []);
    if (shown.length > 0) out[field.id] = shown as JsonValue[];
  }
  return out;
}

/**
 * Returns a function that looks up an object of a field by id, and returns undefined for hidden
 * objects. Absent for fields whose values are not references.
 */
function objectsOf(
  field: FieldDefinition,
  references: References,
  forForm: boolean,
): ((id: number) => object | undefined) | undefined {
  if (isChoice(field)) return field.catalogId === null ? undefined : (id) => references.entries.get(id);
  if (!holdsObjects(field)) return undefined;
  const kind = entityKind(field);
  if (kind === 'post') return (id) => references.posts.get(id);
  const known = kind && { user: references.users, group: references.groups }[kind];
  return (id) => {
    const found = known?.get(id);
    return forForm && found?.deleted ? undefined : found;
  };
}
