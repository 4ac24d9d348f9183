/**
 * Sections of the archive about a person beside profile and credentials, one file of JSON lines
 * each. Ids are read by an index that begins with the person, and the rows by their ids in batches,
 * so that no batch reads rows again.
 */
import { mostExportedFiles, mostExportedRows } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { sqlColumns } from '../../columns.ts';

const t = sqlColumns('attachments', 't');
const k = sqlColumns('comments', 'k');
const c = sqlColumns('communities', 'c');
const r = sqlColumns('community_roles', 'r');
const f = sqlColumns('file_contents', 'f');
const s = sqlColumns('post_user_state', 's');
const d = sqlColumns('posts', 'd');
const a = sqlColumns('tasks', 'a');
const tasks = sqlColumns('tasks', 'k');
const w = sqlColumns('workspace_members', 'w');

/** File of the archive. */
export interface Section {
  name: string;
  /**
   * SQL of the newest ids: `$1` tenant, `$2` user, `$3` limit. Omitted if `rows` reads everything
   * at once.
   */
  ids?: string;
  /** SQL of the rows: `$1` tenant, `$2` user, `$3` ids. */
  rows: string;
}

/** Rows per statement. */
const BATCH = 500;

const inCommunities = (table: string, condition: string) =>
  `SELECT t.id FROM communities c JOIN ${table} t ON t.tenant_id = c.tenant_id AND t.community_id = ${c.id}
    WHERE c.tenant_id = $1 AND t.tenant_id = $1 AND t.creator_id = $2 AND ${condition}`;
const newest = (ids: string) => `SELECT n.id FROM (${ids}) n ORDER BY n.id DESC LIMIT $3`;

/** Section of all rows of a table that name the user. */
const allOf = (name: string, table: string, columns: string): Section => ({
  name,
  rows: `SELECT ${columns} FROM ${table} t WHERE t.tenant_id = $1 AND t.user_id = $2`,
});

const AUDIT = `SELECT t.id, t.at, t.action, t.operation, t.actor_id AS "actorId", t.object AS "objectType", t.object_id AS "objectId",
    coalesce(t.before, v.before) AS before, coalesce(t.after, v.after) AS after, t.address, t.request_id AS "requestId", t.count
  FROM audit_entries t LEFT JOIN audit_values v ON v.tenant_id = t.tenant_id AND v.entry_id = t.id
 WHERE t.tenant_id = $1 AND t.id = ANY ($3::bigint[]) AND $2::bigint IS NOT NULL ORDER BY t.id`;
const byIds = (columns: string, table: string) =>
  `SELECT ${columns} FROM ${table} t WHERE t.tenant_id = $1 AND t.id = ANY ($3::bigint[]) AND $2::bigint IS NOT NULL ORDER BY t.id`;

/** Section of the newest rows of a table that name the user, by their ids. */
const newestOf = (name: string, table: string, columns: string): Section => ({
  name,
  ids: newest(`SELECT i.id FROM ${table} i WHERE i.tenant_id = $1 AND i.user_id = $2`),
  rows: byIds(columns, table),
});

/** Section of rows of posts, comments or tasks that name the person. */
const ofObjects = (
  name: string,
  table: string,
  object: 'post_id' | 'comment_id' | 'task_id',
  person: 'user_id' | 'principal',
  columns: string,
): Section => ({
  name,
  ids: newest(`SELECT DISTINCT i.${object} AS id FROM ${table} i WHERE i.tenant_id = $1 AND i.${person} = $2`),
  rows: `SELECT ${columns} FROM ${table} t
    WHERE t.tenant_id = $1 AND t.${person} = $2 AND t.${object} = ANY ($3::bigint[]) ORDER BY t.${object}`,
});

export const sections: readonly Section[] = [
  allOf(
    'sessions.ndjson',
    'user_sessions',
    `t.id, t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt", t.user_agent AS "userAgent", t.address`,
  ),
  allOf('passkeys.ndjson', 'passkeys', `t.id, t.name, t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt"`),
  allOf('authenticator-app.ndjson', 'totp_factors', `t.created_at AS "createdAt", t.confirmed_at AS "confirmedAt"`),
  allOf(
    'personal-access-tokens.ndjson',
    'personal_tokens',
    `t.id, t.name, t.read_only AS "readOnly", t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt"`,
  ),
  allOf(
    'identities.ndjson',
    'user_identities',
    `t.provider_id AS "identityProviderId", t.subject, t.linked_at AS "linkedAt"`,
  ),
  allOf('mails.ndjson', 'outgoing_mails', `t.id, t.recipient, t.template, t.state, t.created_at AS "createdAt"`),
  {
    name: 'groups.ndjson',
    rows: `SELECT g.id, g.name, g.external_id AS "externalId" FROM group_members m
             JOIN groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id
            WHERE m.tenant_id = $1 AND g.tenant_id = $1 AND m.user_id = $2 ORDER BY g.id`,
  },
  {
    name: 'roles.ndjson',
    rows: `SELECT ${r.community_id} AS "communityId", ${c.name} AS "communityName", ${r.role_id} AS "roleId",
                  CASE WHEN ${r.principal} < 0 THEN -${r.principal} END AS "byGroupId", ${r.given_by} AS "givenBy", ${r.given_at} AS "givenAt"
             FROM community_roles r JOIN communities c ON c.tenant_id = r.tenant_id AND ${c.id} = ${r.community_id}
            WHERE r.tenant_id = $1 AND c.tenant_id = $1 AND ${r.principal} IN (
                  SELECT $2::bigint UNION ALL SELECT -m.group_id FROM group_members m WHERE m.tenant_id = $1 AND m.user_id = $2)
            ORDER BY ${r.community_id}, ${r.principal}`,
  },
  {
    name: 'workspaces.ndjson',
    rows: `SELECT ${w.workspace_id} AS "workspaceId", ${w.role_id} AS "roleId", CASE WHEN ${w.principal} < 0 THEN -${w.principal} END AS "byGroupId",
                  ${w.given_by} AS "givenBy", ${w.given_at} AS "givenAt"
             FROM workspace_members w WHERE w.tenant_id = $1 AND ${w.principal} IN (
                  SELECT $2::bigint UNION ALL SELECT -m.group_id FROM group_members m WHERE m.tenant_id = $1 AND m.user_id = $2)
            ORDER BY ${w.workspace_id}, ${w.principal}`,
  },
  {
    name: 'posts.ndjson',
    ids: newest(
      `${inCommunities('posts', 't.live')} UNION ALL
       SELECT ${d.id} FROM posts d WHERE d.tenant_id = $1 AND ${d.creator_id} = $2 AND ${d.draft} AND ${d.deleted_at} IS NULL`,
    ),
    rows: byIds(
      `t.id, t.community_id AS "communityId", t.type, t.draft, t.title, t.description_delta AS description,
       t.description_text AS "descriptionPlainText", t.custom_data AS "customData", t.screen_data AS "screenData",
       t.created_at AS "createdAt", t.modified_at AS "modifiedAt"`,
      'posts',
    ),
  },
  {
    name: 'comments.ndjson',
    ids: newest(
      `SELECT ${k.id} FROM post_user_state s JOIN comments k ON k.tenant_id = s.tenant_id AND ${k.post_id} = ${s.post_id}
        WHERE s.tenant_id = $1 AND k.tenant_id = $1 AND ${s.user_id} = $2 AND ${s.commented_at} IS NOT NULL
          AND ${k.creator_id} = $2 AND ${k.deleted_at} IS NULL`,
    ),
    rows: byIds(
      `t.id, t.post_id AS "postId", t.delta AS comment, t.plain AS "commentPlainText", t.created_at AS "createdAt",
       t.modified_at AS "modifiedAt"`,
      'comments',
    ),
  },
  {
    name: 'tasks.ndjson',
    ids: newest(
      `SELECT ${tasks.id} FROM tasks k WHERE k.tenant_id = $1 AND ${tasks.creator_id} = $2 AND ${tasks.deleted_at} IS NULL
        UNION SELECT ${a.id} FROM tasks a WHERE a.tenant_id = $1 AND ${a.assignee} = $2 AND ${a.deleted_at} IS NULL`,
    ),
    rows: byIds(
      `t.id, t.post_id AS "postId", t.state, t.title, t.description_delta AS description, t.creator_id AS "creatorId", t.assignee,
       t.expires_at AS "expiresAt", t.created_at AS "createdAt", t.modified_at AS "modifiedAt", t.closed_at AS "closedAt"`,
      'tasks',
    ),
  },
  ofObjects(
    'likes-of-posts.ndjson',
    'post_likes',
    'post_id',
    'user_id',
    't.post_id AS "postId", t.created_at AS "createdAt"',
  ),
  ofObjects(
    'likes-of-comments.ndjson',
    'comment_likes',
    'comment_id',
    'user_id',
    't.comment_id AS "commentId", t.created_at AS "createdAt"',
  ),
  ofObjects(
    'read-posts.ndjson',
    'post_user_state',
    'post_id',
    'user_id',
    't.post_id AS "postId", t.viewed_at AS "viewedAt", t.views_count AS "viewsCount", t.follows',
  ),
  newestOf(
    'notifications.ndjson',
    'notifications',
    `t.id, t.kind, t.post_id AS "postId", t.author_id AS "authorId", t.at, t.comment_id AS "commentId", t.task_id AS "taskId",
       t.read_at AS "readAt", t.done_at AS "doneAt", t.mail_state AS "mailState", t.mail_reason AS "mailReason",
       t.push_state AS "pushState", t.push_reason AS "pushReason"`,
  ),
  newestOf('following.ndjson', 'following', 't.community_id AS "communityId", t.post_id AS "postId", t.following'),
  ofObjects('watched-posts.ndjson', 'post_watchers', 'post_id', 'principal', 't.post_id AS "postId"'),
  ofObjects('watched-tasks.ndjson', 'task_watchers', 'task_id', 'principal', 't.task_id AS "taskId"'),
  ofObjects(
    'mentions-in-posts.ndjson',
    'post_mentions',
    'post_id',
    'user_id',
    't.post_id AS "postId", nullif(t.comment_id, 0) AS "commentId"',
  ),
  ofObjects('mentions-in-tasks.ndjson', 'task_mentions', 'task_id', 'user_id', 't.task_id AS "taskId"'),
  ofObjects(
    'event-invitations.ndjson',
    'event_invitations',
    'post_id',
    'principal',
    't.post_id AS "postId", t.type_id AS "typeId"',
  ),
  ofObjects(
    'event-answers.ndjson',
    'event_answers',
    'post_id',
    'user_id',
    't.post_id AS "postId", t.type_id AS "typeId", t.notes, t.answered_at AS "answeredAt"',
  ),
  newestOf(
    'done-items.ndjson',
    'waiting_marks',
    't.kind, t.item_id AS "itemId", t.post_id AS "postId", t.done_at AS "doneAt"',
  ),
  newestOf(
    'saved-views.ndjson',
    'saved_views',
    `t.id, t.community_id AS "communityId", t.name, t.post_filters AS "postFilters", t.attachment_filters AS "attachmentFilters",
       t.layout, t.group_by AS "groupBy", t.second_group_by AS "secondGroupBy", t.measure, t.measure_of AS "measureOf",
       t.created_at AS "createdAt"`,
  ),
  allOf('favourite-views.ndjson', 'favourite_views', `t.view_id AS "viewId", t.created_at AS "createdAt"`),
  allOf('default-views.ndjson', 'default_views', `t.community_id AS "communityId", t.view_id AS "viewId"`),
  allOf(
    'favourite-communities.ndjson',
    'favourite_communities',
    `t.community_id AS "communityId", t.created_at AS "createdAt"`,
  ),
  allOf(
    'visited-communities.ndjson',
    'community_visits',
    `t.community_id AS "communityId", t.visited_at AS "visitedAt"`,
  ),
  allOf(
    'notification-preferences.ndjson',
    'notification_preferences',
    `nullif(t.community_id, 0) AS "communityId", t.kind, t.enabled`,
  ),
  allOf('push-subscriptions.ndjson', 'push_subscriptions', `t.id, t.service, t.created_at AS "createdAt"`),
  allOf(
    'calendar-feeds.ndjson',
    'calendar_feeds',
    `t.id, t.community_id AS "communityId", t.created_at AS "createdAt"`,
  ),
  {
    name: 'audit-log-by-the-person.ndjson',
    ids: newest('SELECT e.id FROM audit_entries e WHERE e.tenant_id = $1 AND e.actor_id = $2'),
    rows: AUDIT,
  },
  {
    name: 'audit-log-about-the-person.ndjson',
    ids: newest(`SELECT e.id FROM audit_entries e WHERE e.tenant_id = $1 AND e.object = 'user' AND e.object_id = $2`),
    rows: AUDIT,
  },
];

/** Attachments that the person uploaded; the archive holds their content as well. */
export const attachmentSection: Section = {
  name: 'files.ndjson',
  ids: newest(inCommunities('attachments', 't.deleted_at IS NULL')),
  rows: `SELECT ${t.id}, ${t.post_id} AS "postId", ${t.comment_id} AS "commentId", ${t.task_id} AS "taskId", ${t.name}, ${t.mime_type} AS "mimeType", ${t.size},
                ${t.created_at} AS "createdAt", ${f.storage_key} AS "storageKey"
           FROM attachments t LEFT JOIN file_contents f ON f.tenant_id = t.tenant_id AND ${f.content_ref} = ${t.content_ref}
          WHERE t.tenant_id = $1 AND ${t.id} = ANY ($3::bigint[]) AND $2::bigint IS NOT NULL ORDER BY ${t.id}`,
};

/** Reads the rows of a section, oldest first, in batches. */
export async function* readSection<Row extends object = Record<string, unknown>>(
  db: TenantDb,
  section: Section,
  userId: number,
): AsyncGenerator<Row[]> {
  if (section.ids === undefined) {
    yield await db.query<Row>(section.rows, [db.tenantId, userId]);
    return;
  }
  const most = section === attachmentSection ? mostExportedFiles : mostExportedRows;
  const found = await db.query<{ id: number }>(section.ids, [db.tenantId, userId, most]);
  const ids = found.map(({ id }) => id).reverse();
  for (let at = 0; at < ids.length; at += BATCH)
    yield await db.query<Row>(section.rows, [db.tenantId, userId, ids.slice(at, at + BATCH)]);
}
