/** SQL of an edit: the post's row, its text-derived rows and its event rows. */
import type { InvitationType, LinkPreview, Visibility } from '@portico/contract';
import { GrantSource, type WriteScope } from '../../../kernel/access/index.ts';
import { addGrants, addMentions, removeGrants, removeMentions } from '../../records/index.ts';
import type { EventFacts } from './event-data.ts';
import type { Publication } from './publication.ts';
import type { PostTexts } from './texts.ts';

/** A post's row after an edit. */
export interface EditedRow extends PostTexts, Publication {
  visibility: Visibility;
  pinned: boolean;
  customData: Readonly<Record<string, unknown>>;
  stateId: number | null;
  initStateId: number | null;
  publishedAt: number | null;
  /** The plan has changed, which clears its result. */
  scheduleChanged: boolean;
  coverContentRef: string | null;
  linkPreview: LinkPreview | null;
  event: Omit<EventFacts, 'invitations'> | null;
}

function date(ms: number | null | undefined): Date | null {
  return ms === null || ms === undefined ? null : new Date(ms);
}

/** Long parts of a post's row that an edit changes; other parts are not written again. */
interface ChangedParts {
  description: boolean;
  fieldIds: readonly number[];
}

/**
 * Writes a post's row and raises its token, if the token still equals the given one.
 * @returns whether it did
 */
export async function updatePost(
  write: WriteScope,
  postId: number,
  version: number,
  row: EditedRow,
  changed: ChangedParts,
): Promise<boolean> {
  const values = changed.fieldIds.map((id) => [String(id), row.customData[String(id)]] as const);
  const set = values.filter(([, value]) => value !== undefined);
  const removed = values.filter(([, value]) => value === undefined).map(([id]) => id);
  const count = await write.tx.execute(
    `UPDATE posts
        SET version = version + 1, token_by = $4, token_at = $5, modifier_id = $4, modified_at = $5,
            operated_at = greatest(operated_at, $5), active_at = greatest(active_at, $5),
            recent_at = greatest(recent_at, $5), recent_by = $4, title = $6, title_key = $7,
            description_delta = CASE WHEN $29 THEN $8 ELSE description_delta END,
            description_text = CASE WHEN $29 THEN $9 ELSE description_text END, visibility = $10, pinned = $11, draft = $12,
            custom_data = CASE WHEN $30 THEN (custom_data - $31::text[]) || $13::jsonb ELSE custom_data END, state_id = $14,
            init_state_id = $15, published_at = $16, scheduled_at = $17, scheduled_local = $18,
            scheduled_timezone = $19, scheduled_result = CASE WHEN $20 THEN NULL ELSE scheduled_result END,
            cover_content_ref = $21, link_preview = $22, event_start_at = $23, event_end_at = $24,
            event_timezone = $25, event_all_day = $26, event_location = $27, event_notify_invited = $28
      WHERE tenant_id = $1 AND id = $2 AND version = $3`,
    [
      write.tx.tenantId,
      postId,
      version,
      write.actor.userId,
      new Date(write.now),
      row.title,
      row.titleKey,
      changed.description ? row.descriptionDelta : null,
      changed.description ? row.descriptionText : null,
      row.visibility,
      row.pinned,
      row.draft,
      JSON.stringify(Object.fromEntries(set)),
      row.stateId,
      row.initStateId,
      date(row.publishedAt),
      date(row.schedule?.at),
      row.schedule?.local ?? null,
      row.schedule?.timezone ?? null,
      row.scheduleChanged,
      row.coverContentRef,
      row.linkPreview === null ? null : JSON.stringify(row.linkPreview),
      date(row.event?.startAt),
      date(row.event?.endAt),
      row.event?.timezone ?? null,
      row.event?.allDay ?? null,
      row.event?.location ?? null,
      row.event?.notifyInvited ?? null,
      changed.description,
      values.length > 0,
      removed,
    ],
  );
  return count === 1;
}

/**
 * Raises the tokens of a post that the write has locked, and records that it was modified. @param
 * which tokens to raise
 */
export async function raiseTokens(
  write: WriteScope,
  postId: number,
  which: { post: boolean; screen: boolean },
): Promise<void> {
  await write.tx.sendChange(
    'posts',
    [postId],
    `UPDATE posts
        SET version = version + $5::integer, token_by = CASE WHEN $5 = 1 THEN $3 ELSE token_by END,
            token_at = CASE WHEN $5 = 1 THEN $4 ELSE token_at END, screen_version = screen_version + $6::integer,
            screen_token_by = CASE WHEN $6 = 1 THEN $3 ELSE screen_token_by END,
            screen_token_at = CASE WHEN $6 = 1 THEN $4 ELSE screen_token_at END, modifier_id = $3, modified_at = $4,
            operated_at = greatest(operated_at, $4), active_at = greatest(active_at, $4),
            recent_at = greatest(recent_at, $4), recent_by = $3
      WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, postId, write.actor.userId, new Date(write.now), which.post ? 1 : 0, which.screen ? 1 : 0],
  );
}

/**
 * Replaces the mentions and hashtags of a post's own texts.
 * @returns people who were not mentioned in it before; the hashtags before, if they changed
 */
export async function replaceNames(
  write: WriteScope,
  postId: number,
  names: { userIds: readonly number[]; hashtagIds: readonly number[] },
): Promise<{ newlyMentioned: number[]; hashtagsBefore?: number[] }> {
  const { tx } = write;
  const [before] = await tx.query<{ userIds: number[]; hashtagIds: number[] }>(
    `SELECT coalesce((SELECT array_agg(user_id) FROM post_mentions
                       WHERE tenant_id = $1 AND post_id = $2 AND comment_id = 0), '{}') AS "userIds",
            coalesce((SELECT array_agg(hashtag_id) FROM post_hashtags
                       WHERE tenant_id = $1 AND post_id = $2), '{}') AS "hashtagIds"`,
    [tx.tenantId, postId],
  );
  const newlyMentioned = names.userIds.filter((id) => !before!.userIds.includes(id));
  const unmentioned = before!.userIds.filter((id) => !names.userIds.includes(id));
  const newTags = names.hashtagIds.filter((id) => !before!.hashtagIds.includes(id));
  const oldTags = before!.hashtagIds.filter((id) => !names.hashtagIds.includes(id));
  const run = async (sql: string, ids: readonly number[]) => {
    if (ids.length > 0) await tx.send(sql, [tx.tenantId, postId, ids]);
  };
  await removeMentions(write, postId, 0, unmentioned);
  await addMentions(write, postId, newlyMentioned);
  await run(
    'DELETE FROM post_hashtags WHERE tenant_id = $1 AND post_id = $2 AND hashtag_id = ANY ($3::bigint[])',
    oldTags,
  );
  await run(
    `INSERT INTO post_hashtags (tenant_id, post_id, hashtag_id)
     SELECT a.tenant_id, $2, h FROM tenant_versions a, unnest($3::bigint[]) AS h WHERE a.tenant_id = $1`,
    newTags,
  );
  const retagged = newTags.length + oldTags.length > 0;
  return { newlyMentioned, hashtagsBefore: retagged ? before!.hashtagIds : undefined };
}

/** Returns the people mentioned in a post's own texts. */
export async function mentionedIn(write: WriteScope, postId: number): Promise<number[]> {
  const rows = await write.tx.query<{ userId: number }>(
    `SELECT user_id AS "userId" FROM post_mentions
      WHERE tenant_id = $1 AND post_id = $2 AND comment_id = 0 ORDER BY user_id`,
    [write.tx.tenantId, postId],
  );
  return rows.map((row) => row.userId);
}

/** Returns the invitations of an event: capacity by principal. */
export async function readInvited(write: WriteScope, postId: number): Promise<Map<number, InvitationType>> {
  const rows = await write.tx.query<{ principal: number; typeId: InvitationType }>(
    'SELECT principal, type_id AS "typeId" FROM event_invitations WHERE tenant_id = $1 AND post_id = $2',
    [write.tx.tenantId, postId],
  );
  return new Map(rows.map((row) => [row.principal, row.typeId]));
}

/** Replaces the invitations of an event; invited principals can see it. */
export async function replaceInvitations(
  write: WriteScope,
  postId: number,
  invitations: ReadonlyMap<number, InvitationType>,
): Promise<void> {
  const { tx } = write;
  const parameters = [tx.tenantId, postId];
  await tx.send('DELETE FROM event_invitations WHERE tenant_id = $1 AND post_id = $2', parameters);
  await removeGrants(write, GrantSource.INVITED, postId);
  if (invitations.size === 0) return;
  await tx.send(
    `INSERT INTO event_invitations (tenant_id, post_id, principal, type_id)
     SELECT a.tenant_id, $2, i.* FROM tenant_versions a, unnest($3::bigint[], $4::smallint[]) AS i WHERE a.tenant_id = $1`,
    [...parameters, [...invitations.keys()], [...invitations.values()]],
  );
  await addGrants(
    write,
    GrantSource.INVITED,
    [...invitations.keys()].map((principal) => ({ postId, principal })),
  );
}
