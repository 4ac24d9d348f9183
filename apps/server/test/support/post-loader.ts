/**
 * Writes posts straight into the tables, with everything that belongs to them: for tests of reading and for benches, which
 * need more posts, and odder ones, than write verbs would make. Search rows, value rows and grants follow from the post by
 * the same functions that the verbs use.
 */

import type {
  AttachmentEntityType,
  AttachmentType,
  PostType,
  SurveyType,
  TaskType,
  Visibility,
} from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { finishAtOnce } from '@portico/platform/parts';
import { normaliseText, sortKey, sortKeyWithTies } from '@portico/platform/text';
import type { CommunityDefinition } from '../../src/modules/communities/index.ts';
import { entityKind, type StoredValue, storedIds } from '../../src/modules/fields/index.ts';
import { extendsVisibility, fieldRules, searchTexts } from '../../src/modules/post-parts/index.ts';
import { holdsPosts } from '../../src/modules/post-parts/values/references.ts';
import { textRow, valueRows } from '../../src/modules/post-parts/values/rows.ts';

/** A task of a loaded post. */
interface LoadedTask {
  type: TaskType;
  /** A user, or a group negated. */
  assignee: number;
  closed: boolean;
  deleted: boolean;
}

/** An attachment of a loaded post. */
export interface LoadedAttachment {
  name: string;
  mimeType: string;
  /** 1 image, 2 video, 3 audio, 4 other. */
  kind: number;
  type: AttachmentType;
  entityType: AttachmentEntityType;
  fieldId: number | null;
  creatorId: number;
  modifierId: number;
  createdAt: number;
  modifiedAt: number;
  deleted: boolean;
  hashtagIds: number[];
}

/** A post to be loaded. Times are epoch milliseconds. */
export interface LoadedPost {
  id: number;
  customNo: number;
  type: PostType;
  surveyType: SurveyType | null;
  visibility: Visibility;
  pinned: boolean;
  draft: boolean;
  deleted: boolean;
  title: string | null;
  descriptionText: string | null;
  /** Stored forms by field id, as the module of values keeps them. */
  customData: Record<string, StoredValue>;
  screenData: Record<string, StoredValue>;
  stateId: number | null;
  creatorId: number;
  modifierId: number;
  createdAt: number;
  modifiedAt: number;
  activeAt: number;
  recentAt: number;
  scheduledAt: number | null;
  eventStartAt: number | null;
  eventEndAt: number | null;
  eventAllDay: boolean;
  eventLocation: string | null;
  hashtagIds: number[];
  /** Users, and groups negated. */
  watchers: number[];
  /** Users mentioned in the text, and in a comment. */
  mentions: number[];
  commentMentions: number[];
  tasks: LoadedTask[];
  attachments: LoadedAttachment[];
  /** Last actions of users on the post. */
  states: { userId: number; viewedAt: number | null; modifiedAt: number | null; commentedAt: number | null }[];
}

/** A plain public post of type 1 with all marks off; `given` overrides members. */
export function plainPost(given: Pick<LoadedPost, 'id' | 'creatorId' | 'createdAt'> & Partial<LoadedPost>): LoadedPost {
  const { id, creatorId, createdAt } = given;
  return {
    customNo: id,
    type: 1,
    surveyType: null,
    visibility: 2,
    pinned: false,
    draft: false,
    deleted: false,
    title: null,
    descriptionText: null,
    customData: {},
    screenData: {},
    stateId: null,
    modifierId: creatorId,
    modifiedAt: createdAt,
    activeAt: createdAt,
    recentAt: createdAt,
    scheduledAt: null,
    eventStartAt: null,
    eventEndAt: null,
    eventAllDay: false,
    eventLocation: null,
    hashtagIds: [],
    watchers: [],
    mentions: [],
    commentMentions: [],
    tasks: [],
    attachments: [],
    states: [],
    ...given,
  };
}

/** Returns the key that orders the titles of loaded posts. */
export function titleKeyOf(title: string | null): string {
  return title === null ? '' : sortKeyWithTies(title);
}

/** Principals that see a private post, by the source of the grant (migration 0004). */
export function grantsOf(
  post: LoadedPost,
  definition: CommunityDefinition,
): { principal: number; source: number; sourceId: number }[] {
  const grants = [{ principal: post.creatorId, source: 1, sourceId: 0 }];
  for (const principal of post.watchers) grants.push({ principal, source: 2, sourceId: 0 });
  for (const [index, task] of post.tasks.entries()) {
    if (!task.deleted) grants.push({ principal: task.assignee, source: 3, sourceId: index + 1 });
  }
  const { post: fields, screen } = fieldRules(definition);
  for (const [rules, data] of [
    [fields, post.customData],
    [screen, post.screenData],
  ] as const) {
    for (const field of rules) {
      if (!extendsVisibility(field)) continue;
      const kind = entityKind(field);
      if (kind !== 'user' && kind !== 'group') continue;
      const sign = kind === 'group' ? -1 : 1;
      for (const id of storedIds(data[String(field.id)]))
        grants.push({ principal: sign * id, source: 5, sourceId: field.id });
    }
  }
  return grants;
}

/** Posts written by one round of statements. */
const CHUNK = 1_000;

/** Writes posts of one community. Ids must be new to the tenant. */
export async function loadPosts(
  db: TenantDb,
  definition: CommunityDefinition,
  posts: readonly LoadedPost[],
): Promise<void> {
  for (let start = 0; start < posts.length; start += CHUNK)
    await loadChunk(db, definition, posts.slice(start, start + CHUNK));
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

async function loadChunk(db: TenantDb, definition: CommunityDefinition, posts: readonly LoadedPost[]): Promise<void> {
  const rules = fieldRules(definition);
  const insert = async (table: string, rows: readonly object[]): Promise<void> => {
    const [first] = rows;
    if (first === undefined) return;
    const names = Object.keys(first);
    await db.execute(
      `INSERT INTO ${table} (tenant_id, ${names.join(', ')})
       SELECT a.tenant_id, ${names.map((name) => `r.${name}`).join(', ')}
         FROM tenant_versions a, jsonb_populate_recordset(NULL::${table}, $2::jsonb) AS r WHERE a.tenant_id = $1`,
      [db.tenantId, JSON.stringify(rows)],
    );
  };
  await insert(
    'posts',
    posts.map((post) => ({
      id: post.id,
      community_id: definition.id,
      custom_no: post.customNo,
      type: post.type,
      survey_type: post.surveyType,
      visibility: post.visibility,
      pinned: post.pinned,
      draft: post.draft,
      deleted_at: post.deleted ? iso(post.modifiedAt) : null,
      title: post.title,
      title_key: titleKeyOf(post.title),
      description_text: post.descriptionText,
      custom_data: post.customData,
      screen_data: post.screenData,
      state_id: post.stateId,
      creator_id: post.creatorId,
      created_at: iso(post.createdAt),
      modifier_id: post.modifierId,
      modified_at: iso(post.modifiedAt),
      token_by: post.modifierId,
      token_at: iso(post.modifiedAt),
      operated_at: iso(post.modifiedAt),
      active_at: iso(post.activeAt),
      recent_at: iso(post.recentAt),
      scheduled_at: iso(post.scheduledAt),
      event_start_at: iso(post.eventStartAt),
      event_end_at: iso(post.eventEndAt),
      event_all_day: post.eventStartAt === null ? null : post.eventAllDay,
      event_location: post.eventLocation,
      watchers_count: post.watchers.length,
      tasks_count: post.tasks.length,
      attachments_count: post.attachments.length,
    })),
  );
  await insert(
    'post_search',
    posts.map((post) => ({ post_id: post.id, community_id: definition.id, ...finishAtOnce(searchTexts(post, rules)) })),
  );
  const pairs = (post: LoadedPost) =>
    [
      ...rules.post.map((field) => [field, post.customData[String(field.id)]] as const),
      ...rules.screen.map((field) => [field, post.screenData[String(field.id)]] as const),
    ] as const;
  await insert(
    'post_values',
    posts.flatMap((post) =>
      pairs(post).flatMap(([field, value]) =>
        valueRows(field, value).map(({ fieldId, ...row }) => ({ field_id: fieldId, post_id: post.id, ...row })),
      ),
    ),
  );
  await insert(
    'post_texts',
    posts.flatMap((post) =>
      pairs(post).flatMap(([field, value]) => {
        const row = finishAtOnce(textRow(field, value));
        return row ? [{ field_id: row.fieldId, post_id: post.id, norm: row.norm }] : [];
      }),
    ),
  );
  await db.execute(
    `UPDATE post_values v
        SET ref_community = coalesce((SELECT p.community_id FROM posts p WHERE p.tenant_id = $1 AND p.id = v.ref), 0)
      WHERE v.tenant_id = $1 AND v.field_id = ANY ($2::bigint[]) AND v.ref IS NOT NULL AND coalesce(v.ref_community, 0) = 0`,
    [db.tenantId, [...rules.post, ...rules.screen].filter(holdsPosts).map((field) => field.id)],
  );
  await loadAround(db, definition, posts, insert);
}

type Insert = (table: string, rows: readonly object[]) => Promise<void>;

/** Loads the objects of posts: people, hashtags, tasks, attachments. */
async function loadAround(
  db: TenantDb,
  definition: CommunityDefinition,
  posts: readonly LoadedPost[],
  insert: Insert,
): Promise<void> {
  await insert(
    'post_grants',
    posts.flatMap((post) =>
      grantsOf(post, definition).map(({ principal, source, sourceId }) => ({
        post_id: post.id,
        principal,
        source,
        source_id: sourceId,
      })),
    ),
  );
  await insert(
    'post_watchers',
    posts.flatMap((post) => post.watchers.map((principal) => ({ post_id: post.id, principal }))),
  );
  await insert(
    'post_hashtags',
    posts.flatMap((post) => post.hashtagIds.map((id) => ({ post_id: post.id, hashtag_id: id }))),
  );
  await insert(
    'post_mentions',
    posts.flatMap((post) => [
      ...post.mentions.map((id) => ({ post_id: post.id, comment_id: 0, user_id: id })),
      ...post.commentMentions.map((id) => ({ post_id: post.id, comment_id: 1, user_id: id })),
    ]),
  );
  await insert(
    'post_user_state',
    posts.flatMap((post) =>
      post.states.map((state) => ({
        post_id: post.id,
        community_id: definition.id,
        user_id: state.userId,
        viewed_at: iso(state.viewedAt),
        modified_at: iso(state.modifiedAt),
        commented_at: iso(state.commentedAt),
      })),
    ),
  );
  const tasks = await takeIds(
    db,
    'tasks',
    posts.reduce((count, post) => count + post.tasks.length, 0),
  );
  await insert(
    'tasks',
    posts.flatMap((post) =>
      post.tasks.map((task) => ({
        id: tasks.shift(),
        post_id: post.id,
        type: task.type,
        assignee: task.assignee,
        creator_id: post.creatorId,
        created_at: iso(post.createdAt),
        modifier_id: post.creatorId,
        modified_at: iso(post.createdAt),
        closed_at: task.closed ? iso(post.modifiedAt) : null,
        deleted_at: task.deleted ? iso(post.modifiedAt) : null,
      })),
    ),
  );
  const attachments = posts.flatMap((post) =>
    post.attachments.map((attachment, index) => ({ id: post.id * 8 + index, post, attachment })),
  );
  await insert(
    'attachments',
    attachments.map(({ id, post, attachment }) => ({
      id,
      post_id: post.id,
      community_id: definition.id,
      entity_type: attachment.entityType,
      field_id: attachment.fieldId,
      type: attachment.type,
      kind: attachment.kind,
      name: attachment.name,
      name_key: sortKey(attachment.name),
      mime_type: attachment.mimeType,
      creator_id: attachment.creatorId,
      created_at: iso(attachment.createdAt),
      modifier_id: attachment.modifierId,
      modified_at: iso(attachment.modifiedAt),
      deleted_at: attachment.deleted ? iso(attachment.modifiedAt) : null,
    })),
  );
  await insert(
    'attachment_hashtags',
    attachments.flatMap(({ id, attachment }) =>
      attachment.hashtagIds.map((tag) => ({ attachment_id: id, hashtag_id: tag })),
    ),
  );
}

/** Whether a text holds another, as substring filters see it. */
export function holds(text: string | null, part: string): boolean {
  return text !== null && normaliseText(text).includes(normaliseText(part));
}
