/** SQL of saved views, favourites and defaults. */
import type { CommunityAttachmentFilters, CommunityPostFilters } from '@portico/contract';
import { countRows } from '@portico/platform/db/count-rows';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';

const c = sqlColumns('communities', 'c');

/** Settings of a view; null: not set. */
export interface ViewSettings {
  postFilters: CommunityPostFilters | null;
  attachmentFilters: CommunityAttachmentFilters | null;
  orderBy: string | null;
  orderDesc: boolean | null;
  pinnedFirst: boolean | null;
  columns: readonly string[] | null;
  layout: string;
  groupBy: string | null;
  dateField: string | null;
  secondGroupBy: string | null;
  measure: string | null;
  measureOf: string | null;
  inOverview: boolean;
}

/** A view as the caller sees it. Times are epoch milliseconds. */
export interface ViewRow extends ViewSettings {
  id: number;
  communityId: number;
  communityName: string;
  name: string;
  /** Null: the community's view. */
  userId: number | null;
  version: number;
  creatorId: number;
  createdAt: number;
  modifierId: number;
  modifiedAt: number;
  favourite: boolean;
  defaultForMe: boolean;
  defaultForCommunity: boolean;
}

type StoredRow = Omit<ViewRow, 'postFilters' | 'attachmentFilters'> & {
  postFilters: string | null;
  attachmentFilters: string | null;
};

/**
 * Selects views that the user `$2` sees in the communities `$3`: the communities' views and the
 * user's own.
 */
const VISIBLE = `SELECT v.id, v.community_id AS "communityId", ${c.name} AS "communityName", v.name, v.user_id AS "userId",
    v.post_filters AS "postFilters", v.attachment_filters AS "attachmentFilters", v.order_by AS "orderBy",
    v.order_desc AS "orderDesc", v.pinned_first AS "pinnedFirst", v.columns, v.layout, v.group_by AS "groupBy",
    v.date_field AS "dateField", v.second_group_by AS "secondGroupBy", v.measure, v.measure_of AS "measureOf",
    v.in_overview AS "inOverview", v.version, v.creator_id AS "creatorId", v.created_at AS "createdAt",
    v.modifier_id AS "modifierId", v.modified_at AS "modifiedAt", f.view_id IS NOT NULL AS favourite,
    coalesce(mine.view_id = v.id, false) AS "defaultForMe", coalesce(theirs.view_id = v.id, false) AS "defaultForCommunity"
  FROM saved_views v
  JOIN communities c ON c.tenant_id = $1 AND ${c.id} = v.community_id
  LEFT JOIN favourite_views f ON f.tenant_id = $1 AND f.user_id = $2 AND f.view_id = v.id
  LEFT JOIN default_views mine ON mine.tenant_id = $1 AND mine.community_id = v.community_id AND mine.user_id = $2
  LEFT JOIN default_views theirs ON theirs.tenant_id = $1 AND theirs.community_id = v.community_id AND theirs.user_id = 0
  WHERE v.tenant_id = $1 AND (v.user_id IS NULL OR v.user_id = $2) AND v.community_id = ANY ($3::bigint[])`;

async function readViews(
  db: TenantExecutor,
  actor: Actor,
  communityIds: readonly number[],
  and = '',
  values: readonly unknown[] = [],
): Promise<ViewRow[]> {
  const rows = await db.query<StoredRow>(`${VISIBLE} ${and}`, [db.tenantId, actor.userId, communityIds, ...values]);
  return rows.map((row) => ({
    ...row,
    postFilters: row.postFilters === null ? null : JSON.parse(row.postFilters),
    attachmentFilters: row.attachmentFilters === null ? null : JSON.parse(row.attachmentFilters),
  }));
}

/** The views of a community that the actor sees; the caller has checked that they see the community. */
export function viewsOfCommunity(db: TenantExecutor, actor: Actor, communityId: number): Promise<ViewRow[]> {
  return readViews(db, actor, [communityId]);
}

/** A view that the actor sees. */
export async function findView(db: TenantExecutor, actor: Actor, viewId: number): Promise<ViewRow | undefined> {
  const [row] = await readViews(db, actor, [...actor.roles.keys()], 'AND v.id = $4', [viewId]);
  return row;
}

/** Favourite views that the actor still sees, the last added first. */
export function favouriteViews(db: TenantExecutor, actor: Actor): Promise<ViewRow[]> {
  return readViews(
    db,
    actor,
    [...actor.roles.keys()],
    'AND f.view_id IS NOT NULL ORDER BY f.created_at DESC, v.id DESC',
  );
}

/** A community among the favourites. */
interface FavouriteCommunityRow {
  communityId: number;
  communityName: string;
  workspaceId: number;
}

/** Favourite communities in which the actor still has a role, the last added first. */
export function favouriteCommunities(db: TenantExecutor, actor: Actor): Promise<FavouriteCommunityRow[]> {
  return db.query<FavouriteCommunityRow>(
    `SELECT ${c.id} AS "communityId", ${c.name} AS "communityName", ${c.workspace_id} AS "workspaceId"
       FROM favourite_communities f JOIN communities c ON c.tenant_id = $1 AND ${c.id} = f.community_id
      WHERE f.tenant_id = $1 AND f.user_id = $2 AND f.community_id = ANY ($3::bigint[])
      ORDER BY f.created_at DESC, f.id DESC`,
    [db.tenantId, actor.userId, [...actor.roles.keys()]],
  );
}

/**
 * Locks a view against deletion, or against changes, until the write ends. @returns whether it
 * exists
 */
export async function lockView(tx: TenantTx, viewId: number, strength: 'KEY SHARE' | 'UPDATE'): Promise<boolean> {
  const rows = await tx.query(`SELECT FROM saved_views WHERE tenant_id = $1 AND id = $2 FOR ${strength}`, [
    tx.tenantId,
    viewId,
  ]);
  return rows.length > 0;
}

/**
 * Counts the views of a community (`userId` null) or of a user in it, the figures among them that
 * the overview shows, and the characters of their filters. Writes of views wait for each other.
 * @param exceptId a view that does not count
 */
export async function measureViews(
  tx: TenantTx,
  communityId: number,
  userId: number | null,
  exceptId?: number,
): Promise<{ count: number; inOverview: number; filters: number }> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.views.' || $1 || '.' || $2, 0))`, [
    tx.tenantId,
    communityId,
  ]);
  const [found] = await tx.query<{ count: number; inOverview: number; filters: number }>(
    `SELECT count(*) AS count, count(*) FILTER (WHERE in_overview) AS "inOverview",
            coalesce(sum(coalesce(length(post_filters), 0) + coalesce(length(attachment_filters), 0)), 0)::bigint AS filters
       FROM saved_views
      WHERE tenant_id = $1 AND community_id = $2 AND user_id IS NOT DISTINCT FROM $3::bigint AND id IS DISTINCT FROM $4`,
    [tx.tenantId, communityId, userId, exceptId ?? null],
  );
  return found!;
}

/** Returns the characters of the filters of a view, as stored. */
export const filtersLength = ({ postFilters, attachmentFilters }: ViewSettings) =>
  (json(postFilters)?.length ?? 0) + (json(attachmentFilters)?.length ?? 0);

const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
const columnsOf = (name: string, settings: ViewSettings): unknown[] => [
  name,
  json(settings.postFilters),
  json(settings.attachmentFilters),
  settings.orderBy,
  settings.orderDesc,
  settings.pinnedFirst,
  settings.columns,
  settings.layout,
  settings.groupBy,
  settings.dateField,
  settings.secondGroupBy,
  settings.measure,
  settings.measureOf,
  settings.inOverview,
];

/** Adds a view. @param userId its owner; null for the community's @returns its id */
export async function insertView(
  { tx, actor, now }: WriteScope,
  view: { communityId: number; userId: number | null; name: string; settings: ViewSettings },
): Promise<number> {
  const [row] = await tx.create<{ id: number }>(
    'saved_views',
    `INSERT INTO saved_views (tenant_id, community_id, user_id, creator_id, created_at, modifier_id, modified_at, name,
        post_filters, attachment_filters, order_by, order_desc, pinned_first, columns, layout, group_by, date_field,
        second_group_by, measure, measure_of, in_overview)
     VALUES ($1, $2, $3, $4, $5, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
     RETURNING id`,
    [tx.tenantId, view.communityId, view.userId, actor.userId, new Date(now), ...columnsOf(view.name, view.settings)],
  );
  return row!.id;
}

/** Replaces the settings of a view. */
export async function updateView(
  { tx, actor, now }: WriteScope,
  viewId: number,
  name: string,
  settings: ViewSettings,
): Promise<void> {
  await tx.sendChange(
    'saved_views',
    [viewId],
    `UPDATE saved_views SET version = version + 1, modifier_id = $3, modified_at = $4, name = $5, post_filters = $6,
            attachment_filters = $7, order_by = $8, order_desc = $9, pinned_first = $10, columns = $11, layout = $12,
            group_by = $13, date_field = $14, second_group_by = $15, measure = $16, measure_of = $17, in_overview = $18
      WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, viewId, actor.userId, new Date(now), ...columnsOf(name, settings)],
  );
}

/** Deletes a view, also as a favourite and as a default. */
export async function deleteView(tx: TenantTx, viewId: number): Promise<void> {
  await tx.sendChange('saved_views', [viewId], 'DELETE FROM saved_views WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    viewId,
  ]);
}

/** The two kinds of favourites: their table and the column of the favourite. */
const FAVOURITES = {
  view: { table: 'favourite_views', column: 'view_id' },
  community: { table: 'favourite_communities', column: 'community_id' },
} as const;
export type FavouriteKind = keyof typeof FAVOURITES;

/**
 * Counts the favourites of the caller. Requests of the caller that add a favourite wait for each
 * other.
 */
export async function countFavourites({ tx, actor }: WriteScope, kind: FavouriteKind): Promise<number> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.favourites.' || $1 || '.' || $2, 0))`, [
    tx.tenantId,
    actor.userId,
  ]);
  return countRows(tx, `${FAVOURITES[kind].table} WHERE tenant_id = $1 AND user_id = $2`, [tx.tenantId, actor.userId]);
}

/** Returns whether it is a favourite of the caller. */
export async function isFavourite({ tx, actor }: WriteScope, kind: FavouriteKind, id: number): Promise<boolean> {
  const { table, column } = FAVOURITES[kind];
  const rows = await tx.query(`SELECT FROM ${table} WHERE tenant_id = $1 AND user_id = $2 AND ${column} = $3`, [
    tx.tenantId,
    actor.userId,
    id,
  ]);
  return rows.length > 0;
}

/** Adds a view to the favourites of the caller. */
export async function addFavouriteView({ tx, actor, now }: WriteScope, viewId: number): Promise<void> {
  await tx.sendChange(
    'saved_views',
    [viewId],
    'INSERT INTO favourite_views (tenant_id, user_id, view_id, created_at) VALUES ($1, $2, $3, $4)',
    [tx.tenantId, actor.userId, viewId, new Date(now)],
  );
}

export async function removeFavouriteView({ tx, actor }: WriteScope, viewId: number): Promise<void> {
  await tx.sendChange(
    'saved_views',
    [viewId],
    'DELETE FROM favourite_views WHERE tenant_id = $1 AND user_id = $2 AND view_id = $3',
    [tx.tenantId, actor.userId, viewId],
  );
}

/** Adds a community to the favourites of the caller. */
export async function addFavouriteCommunity({ tx, actor, now }: WriteScope, communityId: number): Promise<void> {
  await tx.create<{ id: number }>(
    'favourite_communities',
    'INSERT INTO favourite_communities (tenant_id, user_id, community_id, created_at) VALUES ($1, $2, $3, $4) RETURNING id',
    [tx.tenantId, actor.userId, communityId, new Date(now)],
  );
}

export async function removeFavouriteCommunity({ tx, actor }: WriteScope, communityId: number): Promise<void> {
  await tx.changeRows<{ id: number }>(
    'favourite_communities',
    ({ id }) => id,
    'DELETE FROM favourite_communities WHERE tenant_id = $1 AND user_id = $2 AND community_id = $3 RETURNING id',
    [tx.tenantId, actor.userId, communityId],
  );
}

/**
 * Returns the views with which a community opens: the user's, and (0) the one for users who have
 * not chosen.
 */
export function defaultsOf(
  db: TenantExecutor,
  userId: number,
  communityId: number,
): Promise<{ userId: number; viewId: number }[]> {
  return db.query<{ userId: number; viewId: number }>(
    `SELECT user_id AS "userId", view_id AS "viewId" FROM default_views
      WHERE tenant_id = $1 AND community_id = $2 AND user_id IN (0, $3) ORDER BY user_id DESC`,
    [db.tenantId, communityId, userId],
  );
}

/**
 * Sets the view with which a community opens. @param userId 0 for users who have not chosen @param
 * viewId null: no view
 */
export async function setDefault(
  tx: TenantTx,
  communityId: number,
  userId: number,
  viewId: number | null,
): Promise<void> {
  const before = await tx.query<{ viewId: number }>(
    `SELECT view_id AS "viewId" FROM default_views WHERE tenant_id = $1 AND community_id = $2 AND user_id = $3 FOR UPDATE`,
    [tx.tenantId, communityId, userId],
  );
  if (viewId === null) {
    await tx.sendChange(
      'saved_views',
      before.map((row) => row.viewId),
      'DELETE FROM default_views WHERE tenant_id = $1 AND community_id = $2 AND user_id = $3',
      [tx.tenantId, communityId, userId],
    );
  } else {
    await tx.sendChange(
      'saved_views',
      [...before.map((row) => row.viewId), viewId],
      `INSERT INTO default_views (tenant_id, community_id, user_id, view_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, community_id, user_id) DO UPDATE SET view_id = excluded.view_id`,
      [tx.tenantId, communityId, userId, viewId],
    );
  }
}
