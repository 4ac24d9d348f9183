/**
 * Posts → wire: list element, detail, and the detail in responses of writes (contract;
 * docs/decisions/types.md).
 */
import {
  type BaseListPostsElement,
  type EventOfPost,
  Following,
  type GetPostCapabilitiesResponse,
  type GetPostDetailResponse,
  type PostAttachmentData,
  type PostDetail,
  type PostFieldName,
  postDetailFields,
  type User,
  type ZonedDatetime,
} from '@portico/contract';
import { formatZoned } from '@portico/platform/time';
import type { FileLinks } from '../../../kernel/file-links.ts';
import { type CommunityDefinition, presentHashtag, presentState } from '../../communities/index.ts';
import { type AttachmentLinkFlags, presentAttachment, presentCover } from '../../files/index.ts';
import type { PostDetailRow, PostHeadRow, PostListRow } from './post-rows.repository.ts';
import { presentEvent } from './present-event.ts';
import { presentValues, type References } from './references.ts';

/** Data for presenting posts of one community. */
interface Presenting {
  readonly definition: CommunityDefinition;
  readonly references: References;
  readonly links: FileLinks;
  /** Links of the main attachment; absent: no main attachment is shown. */
  readonly mainLinks?: AttachmentLinkFlags | undefined;
  /** True for a post in a form, which omits deleted people and groups. */
  readonly forForm?: boolean;
}

/** The short form (`loadPostDetails=false`): ids, number, title, timestamps. */
export function presentHead(row: PostHeadRow): BaseListPostsElement {
  return {
    id: row.id,
    communityId: row.communityId,
    customId: row.customId,
    title: row.title ?? undefined,
    creationTimestamp: row.createdAt,
    lastModifyTimestamp: row.modifiedAt,
    lastOperationTimestamp: row.operatedAt,
  };
}

/** Data of a post beside its row. */
interface Beside {
  /** With `loadCapabilities` only. */
  readonly capabilities?: GetPostCapabilitiesResponse | undefined;
  /** Whether the caller may read the mentions in comments. */
  readonly seesComments?: boolean;
}

/** A member of a post: null or undefined if the post has no value. */
type Member = (row: PostDetailRow, presenting: Presenting, beside: Beside) => unknown;

const stateOf = (row: PostListRow, { definition }: Presenting) =>
  row.stateId === null ? undefined : definition.workflow?.stateById.get(row.stateId);
const watcherUsers: Member = (row, { references }) =>
  people(
    row.watchers.filter((principal) => principal > 0),
    references,
  );

/** Members of lists and details. A list element has only the members in {@link postListFields}. */
const members: { readonly [K in PostFieldName]: Member } = {
  id: (row) => row.id,
  communityId: (row) => row.communityId,
  customId: (row) => row.customId,
  title: (row) => row.title,
  creationTimestamp: (row) => row.createdAt,
  lastModifyTimestamp: (row) => row.modifiedAt,
  lastOperationTimestamp: (row) => row.operatedAt,
  type: (row) => row.type,
  descriptionPlainText: (row) => row.descriptionText,
  descriptionDelta: (row) => row.descriptionDelta,
  visibility: (row) => row.visibility,
  announcement: (row) => row.announcement,
  event: presentEventOf,
  currentWorkflowState: (row, presenting) => {
    const state = stateOf(row, presenting);
    return state && presentState(state);
  },
  customData: (row, { definition, references, forForm }) =>
    presentValues(definition.fields, row.customData, references, forForm),
  creatorUser: (row, { references }) => references.users.get(row.creatorId),
  lastModifyUser: (row, { references }) => references.users.get(row.modifierId),
  attachmentsCount: (row) => row.attachmentsCount,
  imageAttachmentsCount: (row) => row.imageAttachmentsCount,
  videoAttachmentsCount: (row) => row.videoAttachmentsCount,
  commentsCount: (row) => row.commentsCount,
  viewsCount: (row) => row.viewsCount,
  viewedByUsersCount: (row) => row.viewersCount,
  tasksCount: (row) => row.tasksCount,
  totalStandardTasksCount: (row) => row.standardTasksCount,
  showLikeSection: (_row, { definition }) => definition.community.likeEnabled,
  likesCount: (row) => row.likesCount,
  likedByMe: (row) => row.likedByMe,
  followedByMe: (row) => row.followedByMe,
  workflowStateDescription: (row, presenting) => stateOf(row, presenting)?.name,
  workflowStateColor: (row, presenting) => stateOf(row, presenting)?.color,
  mainAttachment: presentMain,
  watchersCount: (row) => row.watchersCount,
  viewedByMe: (row) => row.viewedByMe,
  capabilities: (_row, _presenting, { capabilities }) => capabilities,
  coverImage: (row, { links }) => presentCoverOf(row, links),
  currentWorkflowScreenData: (row, { definition, references, forForm }) =>
    presentValues(definition.workflow?.fields ?? [], row.screenData, references, forForm),
  mentions: (row, { references }) => people(row.mentionIds, references),
  watchers: watcherUsers,
  watcherUsers,
  watcherGroups: (row, { references }) =>
    row.watchers
      .filter((principal) => principal < 0)
      .map((principal) => references.groups.get(-principal))
      .filter((group) => group !== undefined),
  hashtags: (row) => row.hashtags.map(presentHashtag),
  commentMentions: (row, { references }, { seesComments }) => {
    const items = seesComments ? people(row.commentMentionIds, references) : [];
    return { items, totalItemsCount: items.length };
  },
  draft: (row) => row.draft,
  publicationTimestamp: (row) => (row.draft ? null : row.publishedAt),
  importTimestamp: (row) => row.importedAt,
  myState: (row) => ({
    following: row.following ?? (row.followedByMe ? Following.FOLLOWED : Following.NONE),
    communityFollowing: row.communityFollowing ?? Following.NONE,
  }),
};

/** Returns the members with these names that have a value. */
function presentMembers(
  names: readonly PostFieldName[],
  row: PostDetailRow,
  presenting: Presenting,
  beside: Beside = {},
): Record<string, unknown> {
  const post: Record<string, unknown> = {};
  for (const name of names) {
    const value = members[name](row, presenting, beside);
    if (value !== null && value !== undefined) post[name] = value;
  }
  return post;
}

function presentEventOf(row: PostDetailRow): EventOfPost | undefined {
  if (row.eventStartAt === null) return undefined;
  const place = presentEvent({
    startAt: row.eventStartAt,
    endAt: row.eventEndAt,
    timezone: row.eventTimezone,
    allDay: row.eventAllDay ?? false,
    location: row.eventLocation,
  });
  return {
    ...place,
    participantsCount: row.participantsCount,
    ...(row.eventAnswer && { participateTypeId: row.eventAnswer }),
  };
}

function presentMain(row: PostListRow, { references, links, mainLinks }: Presenting): PostAttachmentData | undefined {
  if (!mainLinks || !row.main) return undefined;
  const hashtags = new Map([[row.main.id, row.main.hashtags.map(presentHashtag)]]);
  return presentAttachment(row.main, { users: references.users, hashtags }, links, mainLinks);
}

function presentCoverOf(row: PostListRow, links: FileLinks) {
  if (row.coverContentRef === null) return undefined;
  return presentCover(
    {
      postId: row.id,
      contentRef: row.coverContentRef,
      mimeType: row.coverMimeType,
      md5: row.coverMd5,
      size: row.coverSize,
      previews: row.coverPreviews,
    },
    links,
  );
}

function people(ids: readonly number[], references: References): User[] {
  return ids.map((id) => references.users.get(id)).filter((user) => user !== undefined);
}

/**
 * Returns an element of a list of posts. @param names of its members @param capabilities with
 * `loadCapabilities` only
 */
export function presentListElement(
  row: PostListRow,
  presenting: Presenting,
  names: readonly PostFieldName[],
  capabilities: GetPostCapabilitiesResponse | undefined,
): BaseListPostsElement {
  return presentMembers(names, row as PostDetailRow, presenting, { capabilities });
}

/**
 * Returns a post in full. @param names of its members @param seesComments whether the caller may
 * read the mentions in comments
 */
export function presentDetail(
  row: PostDetailRow,
  presenting: Presenting,
  names: readonly PostFieldName[],
  seesComments: boolean,
): GetPostDetailResponse {
  return presentMembers(names, row, presenting, { seesComments });
}

/** Members of a detail that responses of writes do not have. */
const NOT_WRITTEN: readonly PostFieldName[] = ['mainAttachment', 'commentMentions', 'publicationTimestamp', 'myState'];
const WRITTEN: readonly PostFieldName[] = [
  ...postDetailFields.filter((name) => !NOT_WRITTEN.includes(name)),
  'coverImage',
];

/** Returns a post as in responses of writes: with its attachments, cover and draft data. */
export function presentWritten(
  row: PostDetailRow,
  presenting: Presenting,
  attachments: PostAttachmentData[],
): PostDetail {
  const { definition } = presenting;
  const initState = row.initStateId === null ? undefined : definition.workflow?.stateById.get(row.initStateId);
  return {
    ...presentMembers(WRITTEN, row, presenting),
    attachments,
    draftData: row.draft && initState ? { workflowInitState: presentState(initState) } : undefined,
    scheduledPublication: presentSchedule(row) ?? undefined,
    scheduledPublicationResult: row.scheduledResult ?? undefined,
  };
}

function presentSchedule(row: PostDetailRow): ZonedDatetime | null {
  return row.scheduledAt === null ? null : formatZoned(row.scheduledAt, row.scheduledTimezone ?? 'UTC');
}
