/** SQL that inserts many posts in a fixed number of statements. */

import type { LinkPreview, PostType, Visibility } from '@portico/contract';
import { GrantSource, type WriteScope } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';
import type { EventFacts } from './event-data.ts';
import type { Schedule } from './publication.ts';
import { takeNumbers } from './take-numbers.ts';
import type { PostTexts } from './texts.ts';

const u = sqlColumns('users', 'u');

/** The full data of a new post. Times are epoch milliseconds. */
export interface NewPostRow extends PostTexts {
  type: PostType;
  surveyType: number | null;
  clientUid: string | null;
  visibility: Visibility;
  announcement: boolean;
  pinned: boolean;
  draft: boolean;
  schedule: Schedule | null;
  customData: Readonly<Record<string, unknown>>;
  stateId: number | null;
  initStateId: number | null;
  creatorId: number;
  at: number;
  coverContentRef: string | null;
  linkPreview: LinkPreview | null;
  event: EventFacts | null;
  /** User ids and negated group ids. */
  watchers: readonly number[];
  mentionedUserIds: readonly number[];
  hashtagIds: readonly number[];
  /** Number in another portal, which the community here has reserved, and the time of the import. */
  imported: { number: number; at: number } | null;
}

const INSERT_POSTS = `INSERT INTO posts (tenant_id, id, community_id, custom_no, type, survey_type, client_uid, visibility, announcement, pinned,
         draft, title, title_key, description_delta, description_text, custom_data, state_id, init_state_id, creator_id,
         created_at, modifier_id, modified_at, token_by, token_at, operated_at, active_at, published_at, recent_at, recent_by,
         scheduled_at, scheduled_local, scheduled_timezone, watchers_count, cover_content_ref, link_preview,
         event_start_at, event_end_at, event_timezone, event_all_day, event_location, event_notify_invited, imported_at)
  SELECT a.tenant_id, r.id, $2, r.custom_no, r.type, r.survey_type, r.client_uid, r.visibility,
         r.announcement, r.pinned, r.draft, r.title, r.title_key, r.description_delta, r.description_text, r.custom_data,
         r.state_id, r.init_state_id, r.creator_id, r.at, r.creator_id, r.at, r.creator_id, r.at, r.at, r.at,
         CASE WHEN r.draft THEN NULL ELSE r.at END, r.at, r.creator_id, r.scheduled_at, r.scheduled_local, r.scheduled_timezone,
         r.watchers_count, r.cover_content_ref, r.link_preview, r.event_start_at, r.event_end_at, r.event_timezone,
         r.event_all_day, r.event_location, r.event_notify_invited, r.imported_at
    FROM tenant_versions a, jsonb_to_recordset($3::jsonb) AS r (id bigint, custom_no bigint, type smallint, survey_type smallint,
         client_uid text, visibility smallint, announcement boolean, pinned boolean, draft boolean, title text,
         title_key text, description_delta text, description_text text, custom_data jsonb, state_id bigint,
         init_state_id bigint, creator_id bigint, at timestamptz, scheduled_at timestamptz, scheduled_local text,
         scheduled_timezone text, watchers_count integer, cover_content_ref text, link_preview jsonb,
         event_start_at timestamptz, event_end_at timestamptz, event_timezone text, event_all_day boolean,
         event_location text, event_notify_invited boolean, imported_at timestamptz)
   WHERE a.tenant_id = $1`;

function iso(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}

/** The inserted posts, in the order given, and ids for the rows about them. */
export interface InsertedPosts {
  posts: { id: number; customNo: number }[];
  eventIds: number[];
  changeIds: number[];
}

/**
 * Inserts posts of one community, numbered in the order given.
 * @param events number of history events to be written about them
 */
export async function insertPosts(
  write: WriteScope,
  communityId: number,
  posts: readonly NewPostRow[],
  events: number,
): Promise<InsertedPosts> {
  const { tx } = write;
  const [taken, last] = await Promise.all([
    tx.takeReservedIds('changes', posts.length, { posts: posts.length, history_events: events }),
    posts.every(({ imported }) => imported) ? 0 : takeNumbers(write, communityId, posts.length),
  ]);
  const { posts: ids, history_events: eventIds } = taken.others;
  const made = ids.map((id, index) => ({
    id,
    customNo: posts[index]!.imported?.number ?? last - posts.length + index + 1,
  }));
  const rows = posts.map((post, index) => ({
    id: made[index]!.id,
    custom_no: made[index]!.customNo,
    type: post.type,
    survey_type: post.surveyType,
    client_uid: post.clientUid,
    visibility: post.visibility,
    announcement: post.announcement,
    pinned: post.pinned,
    draft: post.draft,
    title: post.title,
    title_key: post.titleKey,
    description_delta: post.descriptionDelta,
    description_text: post.descriptionText,
    custom_data: post.customData,
    state_id: post.stateId,
    init_state_id: post.initStateId,
    creator_id: post.creatorId,
    at: iso(post.at),
    scheduled_at: iso(post.schedule?.at),
    scheduled_local: post.schedule?.local,
    scheduled_timezone: post.schedule?.timezone,
    watchers_count: post.watchers.length,
    cover_content_ref: post.coverContentRef,
    link_preview: post.linkPreview,
    imported_at: iso(post.imported?.at),
    ...(post.event && {
      event_start_at: iso(post.event.startAt),
      event_end_at: iso(post.event.endAt),
      event_timezone: post.event.timezone,
      event_all_day: post.event.allDay,
      event_location: post.event.location,
      event_notify_invited: post.event.notifyInvited,
    }),
  }));
  await tx.send(INSERT_POSTS, [tx.tenantId, communityId, JSON.stringify(rows)]);
  await insertSurroundings(write, communityId, posts, ids);
  return { posts: made, eventIds, changeIds: taken.ids };
}

const INSERT_SURROUNDINGS = `WITH grants AS (
    INSERT INTO post_grants (tenant_id, post_id, principal, source)
    SELECT a.tenant_id, g.* FROM tenant_versions a, unnest($2::bigint[], $3::bigint[], $4::smallint[]) AS g
     WHERE a.tenant_id = $1 ON CONFLICT DO NOTHING),
  watchers AS (
    INSERT INTO post_watchers (tenant_id, post_id, principal)
    SELECT a.tenant_id, w.* FROM tenant_versions a, unnest($5::bigint[], $6::bigint[]) AS w WHERE a.tenant_id = $1),
  hashtags AS (
    INSERT INTO post_hashtags (tenant_id, post_id, hashtag_id)
    SELECT a.tenant_id, h.* FROM tenant_versions a, unnest($7::bigint[], $8::bigint[]) AS h WHERE a.tenant_id = $1),
  mentions AS (
    INSERT INTO post_mentions (tenant_id, post_id, user_id)
    SELECT a.tenant_id, m.* FROM tenant_versions a, unnest($9::bigint[], $10::bigint[]) AS m WHERE a.tenant_id = $1),
  invitations AS (
    INSERT INTO event_invitations (tenant_id, post_id, principal, type_id)
    SELECT a.tenant_id, i.* FROM tenant_versions a, unnest($11::bigint[], $12::bigint[], $13::smallint[]) AS i
     WHERE a.tenant_id = $1),
  -- Who writes a post has viewed it, and follows it unless it is a service account.
  views AS (
    INSERT INTO post_view_counts (tenant_id, post_id, views_count, viewers_count)
    SELECT a.tenant_id, s, 1, 1 FROM tenant_versions a, unnest($15::bigint[]) AS s WHERE a.tenant_id = $1),
  states AS (
    INSERT INTO post_user_state (tenant_id, community_id, post_id, user_id, modified_at, viewed_at, views_count, follows)
    SELECT a.tenant_id, $14, s.post_id, s.user_id, s.at, s.at, 1,
           NOT EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND ${u.id} = s.user_id AND ${u.service_account})
      FROM tenant_versions a, unnest($15::bigint[], $16::bigint[], $17::timestamptz[]) AS s (post_id, user_id, at)
     WHERE a.tenant_id = $1)
  SELECT FROM tenant_versions WHERE tenant_id = $1`;

/** Pairs (and triples) of columns as `unnest` takes them. */
function columns<T extends readonly unknown[]>(rows: readonly T[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column]));
}

async function insertSurroundings(
  write: WriteScope,
  communityId: number,
  posts: readonly NewPostRow[],
  ids: readonly number[],
): Promise<void> {
  const grants = posts.flatMap((post, index) => [
    [ids[index]!, post.creatorId, GrantSource.CREATOR] as const,
    ...post.watchers.map((principal) => [ids[index]!, principal, GrantSource.WATCHER] as const),
    ...[...(post.event?.invitations.keys() ?? [])].map((who) => [ids[index]!, who, GrantSource.INVITED] as const),
  ]);
  const each = <V>(of: (post: NewPostRow) => Iterable<V>) =>
    posts.flatMap((post, index) => [...of(post)].map((value) => [ids[index]!, value] as const));
  const invitations = posts.flatMap((post, index) =>
    [...(post.event?.invitations ?? [])].map(([principal, typeId]) => [ids[index]!, principal, typeId] as const),
  );
  const states = posts.map((post, index) => [ids[index]!, post.creatorId, new Date(post.at)] as const);
  await write.tx.send(INSERT_SURROUNDINGS, [
    write.tx.tenantId,
    ...columns(grants, 3),
    ...columns(
      each((post) => post.watchers),
      2,
    ),
    ...columns(
      each((post) => post.hashtagIds),
      2,
    ),
    ...columns(
      each((post) => post.mentionedUserIds),
      2,
    ),
    ...columns(invitations, 3),
    communityId,
    ...columns(states, 3),
  ]);
}
