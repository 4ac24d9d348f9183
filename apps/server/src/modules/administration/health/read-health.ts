/** Use of the tenant, and its work that waits or failed (operation getTenantHealth). */
import { type CommunityFilesUse, type GetTenantHealthResponse, healthLimits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { requireRight } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { version } from '../../../kernel/version.ts';
import { sqlColumns } from '../../columns.ts';

const posts = sqlColumns('posts');
const users = sqlColumns('users');
const contents = sqlColumns('file_contents');
const mails = sqlColumns('outgoing_mails');
const imports = sqlColumns('imports');
const changes = sqlColumns('definition_changes');
const attachments = sqlColumns('attachments');
const c = sqlColumns('communities', 'c');

/** Days within which a person who used the portal counts as seen. */
const SEEN_DAYS = 30;

/**
 * Returns the figures of the tenant of the caller.
 * @throws PorticoError 403 without manageDigitalWorplace
 */
export async function readHealth(scope: Scope): Promise<GetTenantHealthResponse> {
  requireRight(scope.actor, 'manageDigitalWorplace');
  const figures = await readFigures(scope.db);
  const quota = scope.settings.attachmentQuotaBytes;
  return {
    version,
    ...figures,
    ...(quota !== null && { filesQuotaBytes: quota }),
    largestCommunities: await readLargest(scope.db),
  };
}

async function readFigures(db: TenantExecutor): Promise<GetTenantHealthResponse> {
  const person = `tenant_id = $1 AND ${users.deleted_at} IS NULL AND NOT ${users.blocked}
    AND NOT ${users.service_account} AND NOT ${users.system_account}`;
  const [row] = await db.query<GetTenantHealthResponse>(
    `SELECT (SELECT count(*) FROM users WHERE ${person}) AS "activeUsersCount",
            (SELECT count(*) FROM users
              WHERE ${person} AND ${users.last_access_at} > now() - interval '${SEEN_DAYS} days') AS "seenUsersCount",
            (SELECT count(*) FROM communities WHERE tenant_id = $1) AS "communitiesCount",
            (SELECT count(*) FROM posts WHERE tenant_id = $1 AND ${posts.live}) AS "postsCount",
            f.bytes AS "filesBytes", f.files AS "filesCount", f.waiting AS "waitingFilesCount",
            m.waiting AS "waitingMailsCount", m.failed AS "failedMailsCount", m.unsent AS "unsentMailsCount",
            i.running AS "runningImportsCount", i.failed AS "failedImportsCount",
            d.running AS "runningDefinitionChangesCount", d.failed AS "failedDefinitionChangesCount"
       FROM (SELECT coalesce(sum(${contents.size}), 0)::bigint AS bytes, count(*) AS files,
                    count(*) FILTER (WHERE ${contents.previews} IS NULL OR ${contents.text_state} IS NULL) AS waiting
               FROM file_contents WHERE tenant_id = $1 AND ${contents.attached_at} IS NOT NULL) f,
            (SELECT count(*) FILTER (WHERE ${mails.state} = 'waiting') AS waiting,
                    count(*) FILTER (WHERE ${mails.state} = 'failed') AS failed,
                    count(*) FILTER (WHERE ${mails.state} = 'unsent') AS unsent
               FROM outgoing_mails WHERE tenant_id = $1) m,
            (SELECT count(*) FILTER (WHERE ${imports.state} IN ('waiting', 'running')) AS running,
                    count(*) FILTER (WHERE ${imports.state} = 'failed') AS failed
               FROM imports WHERE tenant_id = $1) i,
            (SELECT count(*) FILTER (WHERE ${changes.finished_at} IS NULL) AS running,
                    count(*) FILTER (WHERE ${changes.error} IS NOT NULL) AS failed
               FROM definition_changes WHERE tenant_id = $1) d`,
    [db.tenantId],
  );
  return row!;
}

/** Returns the communities with the largest attachments. */
async function readLargest(db: TenantExecutor): Promise<CommunityFilesUse[]> {
  return db.query<CommunityFilesUse>(
    `SELECT ${c.id} AS "communityId", ${c.name}, a.bytes AS "filesBytes", a.files AS "filesCount"
       FROM (SELECT ${attachments.community_id} AS community, sum(${attachments.size})::bigint AS bytes, count(*) AS files
               FROM attachments WHERE tenant_id = $1 AND ${attachments.deleted_at} IS NULL
                AND ${attachments.content_ref} IS NOT NULL GROUP BY 1) a
       JOIN communities c ON c.tenant_id = $1 AND ${c.id} = a.community
      ORDER BY a.bytes DESC, ${c.id} LIMIT $2`,
    [db.tenantId, healthLimits.communities],
  );
}
