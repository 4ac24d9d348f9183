/**
 * Creates posts: one for a request, many for an import or a generator, with the same validation and
 * the same statements, whose number does not grow with the number of posts.
 */
import {
  AttachmentEntityType,
  type EventPostData,
  HistoryType,
  type InputPostAttachment,
  type LinkPreview,
  PartUse,
  PostType,
  type TextFormat,
  type Visibility,
  type ZonedDatetimeInput,
} from '@portico/contract';
import { finishInTurns } from '@portico/platform/parts';
import { storableText } from '@portico/platform/text';
import { Turns } from '@portico/platform/turns';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { FieldError, FieldErrors } from '../../../kernel/errors.ts';
import {
  type CommunityDefinition,
  communityCapabilities,
  refuseArchived,
  usableDefaults,
} from '../../communities/index.ts';
import { applyFiles, type FilePlan, planFiles } from '../../files/index.ts';
import {
  checkFieldData,
  checkTextsTogether,
  type FieldDataResult,
  fieldRules,
  findPrincipals,
  insertFieldValues,
  loadReferences,
  MAX_CLIENT_UID_LENGTH,
  parseFieldData,
  readClientUid,
  searchTexts,
  storeSearchTexts,
  WantedReferences,
} from '../../post-parts/index.ts';
import { ChangeKind, type HistoryEvent, recordChanges, recordHistory } from '../../records/index.ts';
import { type EventFacts, readEvent } from './event-data.ts';
import { type InsertedPosts, insertPosts, type NewPostRow } from './post-rows.ts';
import {
  ALL_RIGHTS,
  checkAnnouncement,
  claimCover,
  readCover,
  readInitialState,
  readLinkPreview,
  readPin,
  readVisibility,
} from './post-settings.ts';
import { readPublication } from './publication.ts';
import {
  findNames,
  type NamedInTexts,
  namedInTexts,
  type PostTexts,
  pickNames,
  readTexts,
  type TextRules,
} from './texts.ts';
import { readWatchers } from './watchers.ts';

/**
 * A new post as in request bodies; see CreateCustomPostRequest and CreateEventPostRequest of the
 * contract.
 */
export interface NewPost {
  /** Default 1 (CUSTOM). */
  type?: PostType;
  title?: string;
  description?: string;
  descriptionFormat?: number;
  customData?: Readonly<Record<string, unknown>>;
  /** Fields missing in `customData` get their default. */
  applyDefaults?: boolean;
  deltaAreaFormat?: TextFormat;
  attachments?: readonly InputPostAttachment[];
  watcherUserIds?: readonly number[];
  watcherGroupIds?: readonly number[];
  workflowInitStateId?: number;
  visibility?: Visibility;
  announcement?: boolean;
  clientUid?: string;
  draft?: boolean;
  scheduledPublication?: ZonedDatetimeInput;
  event?: EventPostData;
  linkPreview?: LinkPreview;
  pinned?: boolean;
  coverImageContentRef?: string;
}

/** Fields that only callers inside the server set: imports, generators, jobs. */
export interface TrustedPost extends NewPost {
  surveyType?: number;
  /** Any state of the workflow; default: the initial one. */
  stateId?: number;
  /** Default: the acting user. */
  creatorId?: number;
  /** Creation time, epoch milliseconds. Default: the time of the write. */
  at?: number;
  /** Number in the archive of a community, and the time of its import; all posts of a call have it, or none. */
  imported?: { readonly number: number; readonly at: number };
}

/** The outcome for one post. */
export type CreateOutcome =
  | { postId: number; version: number; created: boolean; errors?: undefined }
  | { postId?: undefined; created?: undefined; errors: readonly FieldError[] };

export interface CreateOptions {
  /**
   * Set by callers inside the server: no rights are checked, and read-only and hidden fields may be
   * written.
   */
  trusted?: boolean;
  /** Field path of the attachments, for errors. Default `attachments`. */
  attachmentsPath?: string;
  /** Likewise the watchers. Default `watcherUserIds` and `watcherGroupIds`. */
  watcherPaths?: { users: string; groups: string };
  /** Groups that watch the copied post. */
  sourceWatcherGroups?: Iterable<number>;
  /** A cover in use that may be reused: the cover of the copied post. */
  knownCover?: string | null;
  /** Stored custom data of the copied post: values equal to its own are accepted as they are. */
  sourceData?: Readonly<Record<string, unknown>>;
  /** Handling of omitted texts; default: as for a new post. */
  texts?: TextRules;
  /** The event that is copied: its guests are kept when the body omits them. */
  sourceEvent?: EventFacts;
  /** The copy keeps the source's event as it is, for bodies without an event. */
  keepsEvent?: boolean;
}

interface ValidatedPost {
  errors: readonly FieldError[];
  /** Created by an earlier call with the same clientUid. */
  existing?: { postId: number; version: number };
  row?: NewPostRow;
  files?: FilePlan;
}

/**
 * Creates posts of one community. An invalid post is reported and not written; the others are not
 * affected. The caller has checked the right to create posts here. At most a few hundred per call,
 * to keep the transaction small.
 * @returns one outcome per post, in their order
 */
export async function createPosts(
  write: WriteScope,
  definition: CommunityDefinition,
  posts: readonly TrustedPost[],
  options: CreateOptions = {},
): Promise<CreateOutcome[]> {
  refuseArchived(definition.community);
  const validated = await validatePosts(write, definition, posts, options);
  const good = validated.filter((one): one is ValidatedPost & { row: NewPostRow } => one.row !== undefined);
  const made = new Map<ValidatedPost, number>();
  if (good.length > 0) {
    const inserted = await insertPosts(
      write,
      definition.id,
      good.map((one) => one.row),
      good.reduce((sum, { row }) => sum + 1 + mentionsTold(row).length, 0),
    );
    good.forEach((one, index) => {
      made.set(one, inserted.posts[index]!.id);
    });
    await insertDerived(write, definition, good, made, inserted);
  }
  return validated.map((one): CreateOutcome => {
    if (one.existing) return { ...one.existing, created: false };
    const postId = made.get(one);
    return postId === undefined ? { errors: one.errors } : { postId, version: 1, created: true };
  });
}

/**
 * Validates posts as {@link createPosts} does, and writes nothing.
 * @returns the errors of each post, in their order
 */
export async function checkPosts(
  write: WriteScope,
  definition: CommunityDefinition,
  posts: readonly TrustedPost[],
  options: CreateOptions = {},
): Promise<(readonly FieldError[])[]> {
  return (await validatePosts(write, definition, posts, options)).map(({ errors }) => errors);
}

async function validatePosts(
  write: WriteScope,
  definition: CommunityDefinition,
  posts: readonly TrustedPost[],
  options: CreateOptions,
): Promise<ValidatedPost[]> {
  const rights = options.trusted ? ALL_RIGHTS : communityCapabilities(write.actor, definition.community);
  const wanted = new WantedReferences();
  const defaults = posts.some(({ applyDefaults }) => applyDefaults)
    ? await usableDefaults(write, definition.fields)
    : undefined;
  const turns = new Turns();
  const parsed: Awaited<ReturnType<typeof parseFieldData>>[] = [];
  for (const post of posts) {
    const one = await parseFieldData(
      {
        fields: postFields(definition, post.type ?? PostType.CUSTOM),
        input: post.customData,
        current: {},
        source: options.sourceData,
        mode: 'create',
        defaults: post.applyDefaults && defaults ? defaults : undefined,
        deltaAreaFormat: post.deltaAreaFormat,
        fieldPath: 'customData',
        trusted: options.trusted ? true : undefined,
      },
      wanted,
      turns,
    );
    parsed.push(one);
  }
  const references = await loadReferences(write, wanted);
  const values: FieldDataResult[] = [];
  for (const one of parsed) values.push(await checkFieldData(one, references, write.now, turns));
  const existing = await findPrincipals(
    write,
    posts.flatMap((post) => post.watcherUserIds ?? []),
    posts.flatMap((post) => post.watcherGroupIds ?? []),
    options.sourceWatcherGroups,
  );
  const texts: PostTexts[] = [];
  const named: NamedInTexts[] = [];
  for (const [index, post] of posts.entries()) {
    if (turns.isOver) await turns.next();
    const { stored, errors } = values[index]!;
    const text = readTexts(post, definition, options.texts ?? {}, errors);
    checkTextsTogether({ ...text, customData: stored }, undefined, errors);
    texts.push(text);
    named.push(await namedInTexts(text.descriptionDelta, parsed[index]!.request.fields, stored, turns));
  }
  const found = await findNames(write, definition, named);
  const known = await findByClientUid(write, posts);
  const uids = new Set<string>();
  const validated: ValidatedPost[] = [];
  for (const [index, post] of posts.entries()) {
    const { stored, errors } = values[index]!;
    const type = post.type ?? PostType.CUSTOM;
    const creatorId = post.creatorId ?? write.actor.userId;
    const clientUid = readClientUid(post.clientUid, errors);
    const earlier = clientUid === null ? undefined : known.get(clientUid);
    if (earlier || (clientUid !== null && uids.has(clientUid))) {
      const same =
        earlier &&
        !earlier.deleted &&
        earlier.creatorId === creatorId &&
        earlier.communityId === definition.id &&
        earlier.type === type;
      if (same) validated.push({ errors: [], existing: { postId: earlier.id, version: earlier.version } });
      else validated.push({ errors: [{ field: 'clientUid', code: 'DUPLICATE_CLIENT_UID' }] });
      continue;
    }
    if (clientUid !== null) uids.add(clientUid);
    checkAnnouncement(rights, post.announcement ?? false);
    const publication = readPublication(post, null, write.now, errors);
    const initial = readInitialState(definition, post.workflowInitStateId, null, errors);
    const names = pickNames(named[index]!, found);
    const watcherPaths = options.watcherPaths ?? { users: 'watcherUserIds', groups: 'watcherGroupIds' };
    const lists = { addUserIds: post.watcherUserIds, addGroupIds: post.watcherGroupIds };
    const watchers = readWatchers(definition, lists, existing, watcherPaths, errors).add;
    if (definition.community.watchersEnabled === PartUse.REQUIRED && watchers.length === 0 && !options.trusted) {
      errors.add(watcherPaths.users, 'REQUIRED_FIELD');
    }
    const files = post.attachments?.length
      ? await planFiles(
          write,
          { communityId: definition.id, entityType: AttachmentEntityType.POST },
          { add: post.attachments },
          definition.community,
          { add: options.attachmentsPath ?? 'attachments' },
          errors,
        )
      : undefined;
    const row: NewPostRow = {
      ...texts[index]!,
      type,
      surveyType: post.surveyType ?? null,
      clientUid,
      visibility: readVisibility(rights, definition, post.visibility, null, errors),
      announcement: post.announcement ?? false,
      pinned: readPin(rights, post.pinned, false),
      ...publication,
      customData: stored,
      stateId: publication.draft ? null : (post.stateId ?? initial),
      initStateId: publication.draft ? initial : null,
      creatorId,
      at: post.at ?? write.now,
      coverContentRef: await readCover(write, post.coverImageContentRef, options.knownCover ?? null, errors),
      linkPreview: readLinkPreview(post.linkPreview, errors),
      event: type === PostType.EVENT ? await eventOf(write, post, options, errors) : null,
      watchers,
      mentionedUserIds: names.userIds,
      hashtagIds: names.hashtagIds,
      imported: post.imported ?? null,
    };
    validated.push(errors.length > 0 ? { errors: errors.list } : { errors: [], row, files });
  }
  return validated;
}

async function eventOf(
  write: WriteScope,
  post: NewPost,
  { sourceEvent, keepsEvent }: CreateOptions,
  errors: FieldErrors,
): Promise<EventFacts | null> {
  if (sourceEvent && keepsEvent) return sourceEvent;
  return (await readEvent(write, post.event, sourceEvent ?? null, errors)) ?? null;
}

/**
 * Returns the custom fields that posts of a type may hold: an empty list for events, whose bodies
 * have no `customData`.
 */
export function postFields(definition: CommunityDefinition, type: number): CommunityDefinition['fields'] {
  return definition.community.customFieldsEnabled && type !== PostType.EVENT ? definition.fields : [];
}

interface EarlierPost {
  id: number;
  clientUid: string;
  version: number;
  type: PostType;
  creatorId: number;
  communityId: number;
  deleted: boolean;
}

/**
 * Returns existing posts with one of the clientUids (docs/decisions/writes.md), in one statement.
 */
async function findByClientUid(write: WriteScope, posts: readonly NewPost[]): Promise<Map<string, EarlierPost>> {
  const uids = posts.flatMap(({ clientUid }) =>
    clientUid && clientUid.length <= MAX_CLIENT_UID_LENGTH && storableText(clientUid) === clientUid ? clientUid : [],
  );
  if (uids.length === 0) return new Map();
  const rows = await write.tx.query<EarlierPost>(
    `SELECT id, client_uid AS "clientUid", version, type, creator_id AS "creatorId", community_id AS "communityId",
            deleted_at IS NOT NULL AS deleted
       FROM posts WHERE tenant_id = $1 AND client_uid = ANY ($2::text[])`,
    [write.tx.tenantId, uids],
  );
  return new Map(rows.map((row) => [row.clientUid, row]));
}

/**
 * Returns the users whose mention is recorded as an event. Mentions in a draft are recorded when it
 * is published.
 */
function mentionsTold(row: NewPostRow): readonly number[] {
  return row.draft ? [] : row.mentionedUserIds;
}

/**
 * Inserts all data that follows from the posts' rows: values, search texts, files, history,
 * changes.
 */
async function insertDerived(
  write: WriteScope,
  definition: CommunityDefinition,
  good: readonly (ValidatedPost & { row: NewPostRow })[],
  made: ReadonlyMap<ValidatedPost, number>,
  { eventIds, changeIds }: InsertedPosts,
): Promise<void> {
  const rules = fieldRules(definition);
  const fields = [...rules.post, ...rules.screen];
  const communityId = definition.id;
  const posts = good.map((one) => ({ one, row: one.row, postId: made.get(one)! }));
  await insertFieldValues(
    write,
    posts.map(({ postId, row }) => ({ postId, fields, stored: row.customData })),
  );
  const texts: Parameters<typeof storeSearchTexts>[1][number][] = [];
  for (const { postId, row } of posts) {
    const found = await finishInTurns(searchTexts({ ...row, screenData: {} }, rules));
    texts.push({ postId, communityId, ...found });
  }
  await storeSearchTexts(write, texts);
  await recordHistory(
    write,
    posts.flatMap(({ postId, row }): HistoryEvent[] => {
      const common = { postId, communityId, at: row.at, authorId: row.creatorId };
      return [
        {
          ...common,
          typeId: HistoryType.POST_CREATED,
          details: row.title === null ? {} : { titleAfter: row.title },
        },
        ...mentionsTold(row).map((targetUserId) => ({
          ...common,
          typeId: HistoryType.MENTIONED_IN_POST,
          targetUserId,
        })),
      ];
    }),
    eventIds,
  );
  for (const { one, row, postId } of posts) {
    if (one.files) await applyFiles(write, one.files, { postId });
    if (row.coverContentRef !== null) await claimCover(write, row.coverContentRef);
  }
  const postIds = posts.map(({ postId }) => postId);
  await recordChanges(write, ChangeKind.CREATED, postIds, changeIds);
}
