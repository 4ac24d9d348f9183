/**
 * The beginning of every write on a post: lock it, check the right of the caller, compare the
 * token.
 */
import { randomUUID } from 'node:crypto';
import type { LinkPreview, PostType, Visibility } from '@portico/contract';
import { type PostReaders, seesPost, type WriteScope } from '../../../kernel/access/index.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import { type CommunityDefinition, getDefinition, refuseArchived } from '../../communities/index.ts';
import { askedSql, type PostCapabilities, postCapabilities } from '../../post-parts/index.ts';
import { readAcl } from '../../records/index.ts';
import type { EventFacts } from './event-data.ts';

/** A post's row for writes. Times are epoch milliseconds. */
export interface PostState {
  id: number;
  communityId: number;
  version: number;
  type: PostType;
  visibility: Visibility;
  pinned: boolean;
  draft: boolean;
  deleted: boolean;
  title: string | null;
  titleKey: string;
  descriptionDelta: string | null;
  descriptionText: string | null;
  customData: Record<string, unknown>;
  screenData: Record<string, unknown>;
  stateId: number | null;
  initStateId: number | null;
  creatorId: number;
  asked: boolean;
  createdAt: number;
  publishedAt: number | null;
  modifierId: number;
  modifiedAt: number;
  tokenBy: number;
  tokenAt: number;
  scheduledAt: number | null;
  scheduledLocal: string | null;
  scheduledTimezone: string | null;
  coverContentRef: string | null;
  linkPreview: LinkPreview | null;
  eventStartAt: number | null;
  eventEndAt: number | null;
  eventTimezone: string | null;
  eventAllDay: boolean | null;
  eventLocation: string | null;
  eventNotifyInvited: boolean | null;
  /** Bytes of the texts that {@link UNREAD} replaces. */
  unreadBytes: number;
}

/** Replaces a long text that a write need not read; nobody can send it. */
const UNREAD = randomUUID();
/** Shorter texts are read in any case: conditions of fields may compare them. Characters. */
const SHORT_TEXT = 4_000;

const TEXTS = `description_delta AS "descriptionDelta", description_text AS "descriptionText", custom_data AS "customData",
  screen_data AS "screenData", 0 AS "unreadBytes"`;

/** The same without long texts, except values of the fields with the ids `$4`, as texts. */
const SHORT_TEXTS = `CASE WHEN octet_length(description_delta) > 0 THEN '${UNREAD}' END AS "descriptionDelta",
  CASE WHEN octet_length(description_delta) > 0 THEN '${UNREAD}' END AS "descriptionText",
  ${shortened('custom_data')} AS "customData", ${shortened('screen_data')} AS "screenData",
  (coalesce(octet_length(description_delta), 0) + (SELECT coalesce(sum(octet_length(e.value #>> '{}')), 0)
     FROM jsonb_each(custom_data) e WHERE ${isUnread('e')}))::bigint AS "unreadBytes"`;

function shortened(column: string): string {
  return `(SELECT coalesce(jsonb_object_agg(e.key, CASE WHEN ${isUnread('e')} THEN '"${UNREAD}"'::jsonb ELSE e.value END), '{}')
     FROM jsonb_each(${column}) e)`;
}

function isUnread(entry: string): string {
  return `(jsonb_typeof(${entry}.value) = 'string' AND ${entry}.key <> ALL ($4::text[])
    AND length(${entry}.value #>> '{}') > ${SHORT_TEXT})`;
}

const COLUMNS = `id, community_id AS "communityId", version, type, visibility, pinned, draft,
  deleted_at IS NOT NULL AS deleted, title, title_key AS "titleKey", state_id AS "stateId", init_state_id AS "initStateId", creator_id AS "creatorId", created_at AS "createdAt", published_at AS "publishedAt",
  modifier_id AS "modifierId", modified_at AS "modifiedAt",
  token_by AS "tokenBy", token_at AS "tokenAt", scheduled_at AS "scheduledAt", scheduled_local AS "scheduledLocal",
  scheduled_timezone AS "scheduledTimezone", cover_content_ref AS "coverContentRef", link_preview AS "linkPreview",
  event_start_at AS "eventStartAt", event_end_at AS "eventEndAt", event_timezone AS "eventTimezone",
  event_all_day AS "eventAllDay", event_location AS "eventLocation", event_notify_invited AS "eventNotifyInvited"`;

/** Returns stored time and location of an event; null for other posts. */
export function storedEvent(post: PostState): Omit<EventFacts, 'invitations'> | null {
  if (post.eventStartAt === null) return null;
  return {
    startAt: post.eventStartAt,
    endAt: post.eventEndAt,
    timezone: post.eventTimezone,
    allDay: post.eventAllDay ?? false,
    location: post.eventLocation,
    notifyInvited: post.eventNotifyInvited ?? false,
  };
}

/** A post that is locked for the rest of the write. */
export interface OpenPost {
  post: PostState;
  definition: CommunityDefinition;
  capabilities: PostCapabilities;
  /** Readers of the post before the write. */
  acl: PostReaders;
}

type Need = { [K in keyof PostCapabilities]: PostCapabilities[K] extends boolean ? K : never }[keyof PostCapabilities];

interface OpenOptions {
  /** The capability that the write needs; without it a visible post returns 403. */
  need: Need;
  /** Types of post that the operation accepts; another type returns 404. */
  types?: readonly number[];
  /** The token that the client read; a different one returns 409. */
  occToken?: number;
  /** False for a read: the post is not locked. */
  hold?: boolean;
  /**
   * The fields that the write is about, by id: the description and long texts of other fields are
   * not read.
   */
  about?: readonly string[];
}

/**
 * Locks a post until the write ends. Its row is locked first and everything else is read then, so
 * that all data is in the state that the write before left; comments and other rows that only refer
 * to the post do not wait.
 * @throws PorticoError NOT_FOUND (unknown, not visible), FORBIDDEN (visible, not permitted),
 *   COMMUNITY_ARCHIVED, CONFLICT_STALE_TOKEN
 */
export async function openPost(write: WriteScope, postId: number, options: OpenOptions): Promise<OpenPost> {
  const post = await holdPostState(write, postId, options.hold, options.about);
  if (!post) throw notFound();
  const acl = await readAcl(write, postId);
  if (!seesPost(write.actor, { ...post, principals: acl.principals })) throw notFound();
  if (options.types && !options.types.includes(post.type)) throw notFound();
  const definition = await requireDefinition(write, post.communityId);
  if (options.hold !== false) refuseArchived(definition.community);
  const capabilities = postCapabilities(write.actor, definition, post);
  if (!capabilities[options.need]) throw forbidden(`Missing capability: ${options.need}.`);
  if (options.occToken !== undefined && options.occToken !== post.version) throw await stale(write, post);
  return { post, definition, capabilities, acl };
}

/** Locks and reads a post's row without checking access. @param about as of {@link OpenOptions}; by default everything is read */
export async function holdPostState(
  write: WriteScope,
  postId: number,
  hold = true,
  about?: readonly string[],
): Promise<PostState | undefined> {
  const rows = await write.tx.query<PostState>(
    `SELECT ${COLUMNS}, ${about ? SHORT_TEXTS : TEXTS}, ${askedSql('posts.id', '$3')} AS asked
       FROM posts WHERE tenant_id = $1 AND id = $2 ${hold ? 'FOR NO KEY UPDATE' : ''}`,
    [write.tx.tenantId, postId, write.actor.userId, ...(about ? [about] : [])],
  );
  return rows[0];
}

/** Returns the 409 that names the present token, its author and time. */
export const stale = ({ tx }: WriteScope, { version, tokenBy, tokenAt }: PostState) =>
  staleToken(tx, { version, modifierId: tokenBy, modifiedAt: tokenAt });

/** Returns the definition of an existing community. @throws PorticoError NOT_FOUND */
export async function requireDefinition(write: Scope | WriteScope, communityId: number): Promise<CommunityDefinition> {
  const definition = await getDefinition(write, communityId);
  if (!definition) throw notFound();
  return definition;
}
