/** SQL of the rows of communities, for edits. */

import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { likePattern, normaliseText, sortKey } from '@portico/platform/text';
import type { WriteScope } from '../../kernel/access/index.ts';
import { Parameters } from '../../kernel/access/index.ts';
import { notFound, PorticoError } from '../../kernel/errors.ts';
import { type PageRequest, readPage, type SortKey } from '../../kernel/paging/index.ts';
import { type LastChange, staleToken } from '../../kernel/stale-token.ts';
import { sqlColumns } from '../columns.ts';
import { refuseArchived } from './communities.policy.ts';
import { refuseTooLarge } from './definition-size.ts';
import type { CommunitySettings } from './definition-types.ts';
import { keepDefinitions } from './definition-versions.ts';

const postsColumns = sqlColumns('posts');

const SETTING_COLUMNS: Readonly<Record<keyof CommunitySettings, string>> = {
  draft: 'draft',
  workspaceMemberRole: 'workspace_member_role',
  commentsHiddenFromReaders: 'comments_hidden_from_readers',
  titleEnabled: 'title_enabled',
  descriptionEnabled: 'description_enabled',
  watchersEnabled: 'watchers_enabled',
  watchersVisibleInPreview: 'watchers_visible_in_preview',
  manualAuthorEnabled: 'manual_author_enabled',
  hashtagEnabled: 'hashtag_enabled',
  attachmentEnabled: 'attachment_enabled',
  likeEnabled: 'like_enabled',
  offlineEnabled: 'offline_enabled',
  customFieldsEnabled: 'custom_fields_enabled',
  acknowledgeTaskEnabled: 'acknowledge_task_enabled',
  eventsEnabled: 'events_enabled',
  initStateChoiceEnabled: 'init_state_choice_enabled',
  attachmentMaxSize: 'attachment_max_size',
  defaultVisibility: 'default_visibility',
  versionRetentionDays: 'version_retention_days',
};

/** Returns columns and values of the given settings. */
export function settingColumns(settings: Partial<CommunitySettings>): Record<string, unknown> {
  const entries = Object.entries(SETTING_COLUMNS).map(([setting, column]) => [
    column,
    settings[setting as keyof CommunitySettings],
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * SQL of the time from which a row of `communities` is read-only, by itself or with its workspace.
 * @param table its name or alias
 */
export function archivedSql(table: string): string {
  return `coalesce(${table}.archived_at, (SELECT w.archived_at FROM workspaces w WHERE w.tenant_id = $1 AND w.id = ${table}.workspace_id))`;
}

/** Columns of a community that writes to it check. */
interface LockedCommunity {
  etag: number;
  coverContentRef: string | null;
  workspaceId: number;
  /** Time since which the community is read-only, by itself or with its workspace. */
  archivedAt: number | null;
  /** Time since which the community itself is archived. */
  ownArchivedAt: number | null;
}

/**
 * Locks a community for the rest of the write.
 * @param archivedToo whether the write may change archived communities
 * @returns undefined when the community does not exist
 * @throws PorticoError COMMUNITY_ARCHIVED
 */
export async function readCommunityHead(
  tx: TenantTx,
  communityId: number,
  archivedToo = false,
): Promise<LockedCommunity | undefined> {
  const [row] = await tx.query<LockedCommunity>(
    `SELECT etag, cover_content_ref AS "coverContentRef", workspace_id AS "workspaceId",
            archived_at AS "ownArchivedAt", ${archivedSql('communities')} AS "archivedAt"
       FROM communities WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
    [tx.tenantId, communityId],
  );
  if (row && !archivedToo) refuseArchived(row);
  return row;
}

/**
 * @throws PorticoError CONFLICT_STALE_TOKEN with the present token, the author and the time of the
 * last change
 */
export async function refuseStaleCommunity(tx: TenantTx, communityId: number): Promise<never> {
  const [row] = await tx.query<LastChange>(
    `SELECT etag AS version, coalesce(modified_at, created_at) AS "modifiedAt",
            coalesce(modifier_id, creator_id) AS "modifierId"
       FROM communities WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, communityId],
  );
  throw row ? await staleToken(tx, row) : notFound();
}

/**
 * Returns whether the workspace exists and may get communities. The result holds until the
 * transaction ends.
 * @throws PorticoError WORKSPACE_ARCHIVED
 */
export async function workspaceExists(tx: TenantTx, workspaceId: number): Promise<boolean> {
  const [row] = await tx.query<{ archived: boolean }>(
    'SELECT archived_at IS NOT NULL AS archived FROM workspaces WHERE tenant_id = $1 AND id = $2 FOR SHARE',
    [tx.tenantId, workspaceId],
  );
  if (row?.archived) throw new PorticoError('WORKSPACE_ARCHIVED');
  return row !== undefined;
}

/** Columns of a name. */
export const nameColumns = (name: string) => ({ name, name_key: sortKey(name) });

/**
 * Updates the given columns of a community, and raises its token.
 * @throws ValidationError where its definition has grown above the limit
 */
export async function updateCommunityRow(
  write: WriteScope,
  communityId: number,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { tx } = write;
  await keepDefinitions(write, [communityId]);
  const all = {
    ...columns,
    modifier_id: write.actor.userId,
    modified_at: new Date(write.now),
  };
  const parameters = new Parameters([tx.tenantId, communityId]);
  const set = Object.entries(all).map(([column, value]) => `${column} = ${parameters.add(value)}`);
  await tx.sendChange(
    'communities',
    [communityId],
    `UPDATE communities SET ${set.join(', ')}, etag = etag + 1 WHERE tenant_id = $1 AND id = $2`,
    parameters.values,
  );
  await refuseTooLarge(write, [communityId]);
}

/**
 * Deletes a community with everything that belongs to it, and its workflow unless another community
 * uses it.
 * @returns false for a community with posts, which stays
 */
export async function deleteCommunityRow({ tx }: WriteScope, communityId: number): Promise<boolean> {
  const posts = await tx.query(`SELECT FROM posts WHERE tenant_id = $1 AND ${postsColumns.community_id} = $2 LIMIT 1`, [
    tx.tenantId,
    communityId,
  ]);
  if (posts.length > 0) return false;
  // Related communities lose the relation, so their clients must read their definition again.
  await tx.sendChange(
    'communities',
    [communityId],
    `UPDATE communities SET etag = etag + 1
      WHERE tenant_id = $1 AND id <> $2
        AND id IN (SELECT unnest(ARRAY[r.source_community_id, r.target_community_id]) FROM community_relations r
                    WHERE r.tenant_id = $1 AND (r.source_community_id = $2 OR r.target_community_id = $2))`,
    [tx.tenantId, communityId],
  );
  const [gone] = await tx.changeRows<{ workflowId: number | null }>(
    'communities',
    [communityId],
    'DELETE FROM communities WHERE tenant_id = $1 AND id = $2 RETURNING workflow_id AS "workflowId"',
    [tx.tenantId, communityId],
  );
  if (gone?.workflowId != null) {
    await tx.send(
      `DELETE FROM workflows WHERE tenant_id = $1 AND id = $2
          AND NOT EXISTS (SELECT FROM communities c WHERE c.tenant_id = $1 AND c.workflow_id = $2)`,
      [tx.tenantId, gone.workflowId],
    );
  }
  return true;
}

/** Filter of a list for administration. */
interface ManagedFilter {
  /** Part of the name. */
  readonly name: string | undefined;
  readonly workspaceId: number | undefined;
  /** Ids of the communities that may be listed; undefined: all. */
  readonly among: readonly number[] | undefined;
}

/** Returns a page of communities by name. */
export async function listCommunityIds(db: TenantExecutor, filter: ManagedFilter, page: PageRequest<SortKey>) {
  const parameters = new Parameters([db.tenantId]);
  const where = ['tenant_id = $1'];
  if (filter.among) where.push(`id = ANY (${parameters.add(filter.among)}::bigint[])`);
  if (filter.workspaceId !== undefined) where.push(`workspace_id = ${parameters.add(filter.workspaceId)}`);
  const name = normaliseText(filter.name ?? '');
  if (name !== '') where.push(`name_key LIKE ${parameters.add(likePattern(name))}`);
  return readPage<{ id: number }>(
    db,
    page,
    {
      select: 'id',
      from: 'communities',
      where,
      order: [
        { sql: 'name_key', desc: false, type: 'text' },
        { sql: 'id', desc: false, type: 'bigint' },
      ],
    },
    parameters,
  );
}
