/** SQL that finds the objects in the file of a community by their keys. */

import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { GIVES_ROLES, knownGroupSql, Parameters } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import type { LanguageMap } from './file-types.ts';

/**
 * Returns the community with this external id, else the only one of this name without an external
 * id.
 */
export async function findCommunity(db: TenantExecutor, key: string): Promise<number | undefined> {
  return (await findCommunities(db, [key])).get(key);
}

/** Returns communities by their keys, like {@link findCommunity}. */
export async function findCommunities(db: TenantExecutor, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<{ key: string; named: boolean; ids: number[] }>(
    `SELECT coalesce(external_id, name) AS key, external_id IS NULL AS named, (array_agg(id))[1:2] AS ids FROM communities
      WHERE tenant_id = $1 AND (external_id = ANY ($2::text[]) OR (name = ANY ($2::text[]) AND external_id IS NULL))
      GROUP BY 1, 2 ORDER BY 2 DESC`,
    [db.tenantId, [...new Set(keys)]],
  );
  const only = rows.filter(({ ids }) => ids.length === 1);
  return new Map(only.map(({ key, ids: [id] }) => [key, id!]));
}

/** Returns the keys of communities. */
export async function loadCommunityKeys(db: TenantExecutor, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: number; key: string }>(
    'SELECT id, coalesce(external_id, name) AS key FROM communities WHERE tenant_id = $1 AND id = ANY ($2::bigint[])',
    [db.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, key }) => [id, key]));
}

export interface WorkspaceRow {
  id: number;
  externalId: string | null;
  name: string;
  translations: LanguageMap;
  description: LanguageMap;
}

const WORKSPACE = 'id, external_id AS "externalId", name, translations, description';

/** Returns the workspace with this external id, else the first of this name without one. */
export async function findWorkspace(db: TenantExecutor, key: string): Promise<WorkspaceRow | undefined> {
  const [row] = await db.query<WorkspaceRow>(
    `SELECT ${WORKSPACE} FROM workspaces
      WHERE tenant_id = $1 AND (external_id = $2 OR (name = $2 AND external_id IS NULL))
      ORDER BY external_id IS NULL, id LIMIT 1`,
    [db.tenantId, key],
  );
  return row;
}

export async function loadWorkspace(db: TenantExecutor, workspaceId: number): Promise<WorkspaceRow | undefined> {
  const [row] = await db.query<WorkspaceRow>(`SELECT ${WORKSPACE} FROM workspaces WHERE tenant_id = $1 AND id = $2`, [
    db.tenantId,
    workspaceId,
  ]);
  return row;
}

/**
 * Returns groups in use that the caller knows, by name; of several with the same name the first.
 */
export async function findGroups(
  db: TenantExecutor,
  actor: Actor,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const parameters = new Parameters([db.tenantId, [...new Set(names)]]);
  const rows = await db.query<{ id: number; name: string }>(
    `SELECT g.id, g.name FROM groups g WHERE g.tenant_id = $1 AND g.name = ANY ($2::text[]) AND g.deleted_at IS NULL
        AND ${knownGroupSql('g', actor, parameters, GIVES_ROLES)} ORDER BY g.id DESC`,
    parameters.values,
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Maximum number of groups among which the most similar name is sought. */
const MOST_COMPARED = 2_000;

/** Returns the names of groups in use that the caller knows. */
export async function knownGroupNames(db: TenantExecutor, actor: Actor): Promise<string[]> {
  const parameters = new Parameters([db.tenantId]);
  const rows = await db.query<{ name: string }>(
    `SELECT g.name FROM groups g WHERE g.tenant_id = $1 AND g.deleted_at IS NULL
        AND ${knownGroupSql('g', actor, parameters, GIVES_ROLES)} ORDER BY g.id DESC LIMIT ${MOST_COMPARED}`,
    parameters.values,
  );
  return rows.map(({ name }) => name);
}

export async function groupNames(db: TenantExecutor, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: number; name: string }>(
    'SELECT id, name FROM groups WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL',
    [db.tenantId, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the roles of groups in a community, by name of the group. */
export async function loadGroupRoles(
  db: TenantExecutor,
  communityId: number,
): Promise<{ groupId: number; name: string; roleId: number }[]> {
  return db.query(
    `SELECT g.id AS "groupId", g.name, r.role_id AS "roleId"
       FROM community_roles r JOIN groups g ON g.tenant_id = $1 AND g.id = -r.principal AND g.deleted_at IS NULL
      WHERE r.tenant_id = $1 AND r.community_id = $2 AND r.principal < 0
      ORDER BY g.name COLLATE "C", g.id`,
    [db.tenantId, communityId],
  );
}

/** Returns the names of the views of communities, in the order of their creation. */
export async function loadViewNames(
  db: TenantExecutor,
  communityIds: readonly number[],
): Promise<{ id: number; communityId: number; name: string }[]> {
  if (communityIds.length === 0) return [];
  return db.query(
    `SELECT id, community_id AS "communityId", name FROM post_views
      WHERE tenant_id = $1 AND community_id = ANY ($2::bigint[]) ORDER BY id`,
    [db.tenantId, [...new Set(communityIds)]],
  );
}

/** Returns the hashtags in use, by name. */
export async function loadHashtags(
  db: TenantExecutor,
  communityId: number,
): Promise<{ name: string; externalId: string | null }[]> {
  return db.query(
    `SELECT name, external_id AS "externalId" FROM hashtags
      WHERE tenant_id = $1 AND community_id = $2 AND NOT deleted ORDER BY name_key, id`,
    [db.tenantId, communityId],
  );
}

export interface CatalogRow {
  id: number;
  externalId: string | null;
  name: LanguageMap;
  parentId: number | null;
}

const CATALOG = 'id, external_id AS "externalId", name, parent_id AS "parentId"';

/** Returns the catalogs with these ids, and all catalogs above them. */
export async function loadCatalogsWithParents(db: TenantExecutor, ids: readonly number[]): Promise<CatalogRow[]> {
  if (ids.length === 0) return [];
  return db.query(
    `WITH RECURSIVE line AS (
       SELECT ${CATALOG} FROM catalogs WHERE tenant_id = $1 AND id = ANY ($2::bigint[])
       UNION
       SELECT c.id, c.external_id, c.name, c.parent_id FROM catalogs c JOIN line l ON c.id = l."parentId" WHERE c.tenant_id = $1)
     SELECT * FROM line ORDER BY id`,
    [db.tenantId, ids],
  );
}

/** Returns the catalogs with these keys: by external id, else by a name in any language. */
export async function findCatalogs(db: TenantExecutor, keys: readonly string[]): Promise<CatalogRow[]> {
  if (keys.length === 0) return [];
  return db.query(
    `SELECT ${CATALOG} FROM catalogs c
      WHERE c.tenant_id = $1 AND NOT c.deleted
        AND (c.external_id = ANY ($2::text[])
             OR (c.external_id IS NULL AND EXISTS (SELECT FROM jsonb_each_text(c.name) n WHERE n.value = ANY ($2::text[]))))
      ORDER BY c.external_id IS NULL, c.id`,
    [db.tenantId, keys],
  );
}

export interface EntryRow {
  id: number;
  catalogId: number;
  externalId: string | null;
  label: LanguageMap;
  parentIds: number[];
  deleted: boolean;
  version: number;
  position: number;
}

/** Returns entries of catalogs by label, deleted ones included; at most `limit`. */
export async function loadEntries(
  db: TenantExecutor,
  catalogIds: readonly number[],
  limit: number,
): Promise<EntryRow[]> {
  if (catalogIds.length === 0) return [];
  return db.query(
    `SELECT id, catalog_id AS "catalogId", external_id AS "externalId", label, parent_ids AS "parentIds", deleted, version, position
       FROM catalog_entries WHERE tenant_id = $1 AND catalog_id = ANY ($2::bigint[])
      ORDER BY catalog_id, label_key, id LIMIT $3`,
    [db.tenantId, catalogIds, limit],
  );
}
