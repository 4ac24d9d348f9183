/**
 * Posts → wire: list element, detail, and the detail that writes answer with (contract;
 * docs/decisions/types.md).
 */
import {
  type BaseListPostsElement,
  Following,
  type GetPostCapabilitiesResponse,
  type GetPostDetailResponse,
  type Hashtag,
  type PostAttachmentData,
  type PostDetail,
  type User,
  type ZonedDatetime,
} from '@portico/contract';
import type { FileLinks } from '../../../kernel/file-links.ts';
import { formatZoned } from '../../../platform/time/index.ts';
import { type AttachmentLinkFlags, presentAttachment, presentCover } from '../../attachments/index.ts';
import { type CommunityDefinition, presentHashtag, presentState } from '../../communities/index.ts';
import type { PostDetailRow, PostHeadRow, PostListRow } from './post-rows.repository.ts';
import { presentValues, type References } from './references.ts';

/** What presenting posts of one community takes. */
export interface Presenting {
  readonly definition: CommunityDefinition;
  readonly references: References;
  readonly links: FileLinks;
  /** Links of the main attachment; absent: the main attachment is left out. */
  readonly mainLinks?: AttachmentLinkFlags | undefined;
}

/** A key for a value that is there; none for null. */
function given<K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } {
  return (value === null || value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}

/** The short form (`loadPostDetails=false`): ids, number, title, timestamps. */
export function presentHead(row: PostHeadRow): BaseListPostsElement {
  return {
    id: row.id,
    communityId: row.communityId,
    customId: row.customId,
    ...given('title', row.title),
    creationTimestamp: row.createdAt,
    lastModifyTimestamp: row.modifiedAt,
    lastOperationTimestamp: row.operatedAt,
  };
}

/** What list elements and details share. */
function presentCommon(row: PostListRow, { definition, references }: Presenting) {
  const state = row.stateId === null ? undefined : definition.workflow?.stateById.get(row.stateId);
  return {
    ...presentHead(row),
    type: row.type,
    ...given('descriptionPlainText', row.descriptionText),
    ...given('descriptionDelta', row.descriptionDelta),
    visibility: row.visibility,
    announcement: row.announcement,
    ...given('currentWorkflowState', state && presentState(state)),
    customData: presentValues(definition.fields, row.customData, references),
    ...given('creatorUser', references.users.get(row.creatorId)),
    ...given('lastModifyUser', references.users.get(row.modifierId)),
    attachmentsCount: row.attachmentsCount,
    imageAttachmentsCount: row.imageAttachmentsCount,
    videoAttachmentsCount: row.videoAttachmentsCount,
    commentsCount: row.commentsCount,
    viewsCount: row.viewsCount,
    viewedByUsersCount: row.viewersCount,
    tasksCount: row.tasksCount,
    totalStandardTasksCount: row.standardTasksCount,
    showLikeSection: definition.community.likeEnabled,
    likesCount: row.likesCount,
    likedByMe: row.likedByMe,
    followedByMe: row.followedByMe,
  };
}

function presentMain(
  row: PostListRow,
  { references, links, mainLinks }: Presenting,
): { mainAttachment?: PostAttachmentData } {
  if (!mainLinks || !row.main) return {};
  const hashtags = new Map([[row.main.id, row.main.hashtags.map(presentTag)]]);
  return { mainAttachment: presentAttachment(row.main, { users: references.users, hashtags }, links, mainLinks) };
}

function presentTag(tag: { id?: number; name?: string; externalId?: string | null; deleted?: boolean }): Hashtag {
  return presentHashtag({
    id: tag.id ?? 0,
    name: tag.name ?? '',
    externalId: tag.externalId ?? null,
    deleted: tag.deleted ?? false,
  });
}

function presentCoverOf(row: PostListRow, links: FileLinks) {
  if (row.coverContentRef === null) return {};
  return {
    coverImage: presentCover(
      {
        postId: row.id,
        contentRef: row.coverContentRef,
        mimeType: row.coverMimeType,
        md5: row.coverMd5,
        size: row.coverSize,
        previews: row.coverPreviews,
      },
      links,
    ),
  };
}

/** An element of a list of posts. @param capabilities with `loadCapabilities` only */
export function presentListElement(
  row: PostListRow,
  presenting: Presenting,
  capabilities?: GetPostCapabilitiesResponse,
): BaseListPostsElement {
  const { definition, links } = presenting;
  const state = row.stateId === null ? undefined : definition.workflow?.stateById.get(row.stateId);
  return {
    ...presentCommon(row, presenting),
    ...given('workflowStateDescription', state?.name),
    ...given('workflowStateColor', state?.color),
    ...presentMain(row, presenting),
    watchersCount: row.watchersCount,
    viewedByMe: row.viewedByMe,
    ...given('capabilities', capabilities),
    ...presentCoverOf(row, links),
  };
}

function people(ids: readonly number[], references: References): User[] {
  return ids.map((id) => references.users.get(id)).filter((user) => user !== undefined);
}

function presentPeople(row: PostDetailRow, { definition, references }: Presenting) {
  const watcherUsers = people(
    row.watchers.filter((principal) => principal > 0),
    references,
  );
  const watcherGroups = row.watchers
    .filter((principal) => principal < 0)
    .map((principal) => references.groups.get(-principal))
    .filter((group) => group !== undefined);
  return {
    currentWorkflowScreenData: presentValues(definition.workflow?.fields ?? [], row.screenData, references),
    mentions: people(row.mentionIds, references),
    watchers: watcherUsers,
    watcherUsers,
    watcherGroups,
    hashtags: row.hashtags.map(presentTag),
  };
}

/** A post in full. @param seesComments whether the caller may know who is mentioned in comments */
export function presentDetail(
  row: PostDetailRow,
  presenting: Presenting,
  seesComments: boolean,
): GetPostDetailResponse {
  const mentioned = seesComments ? people(row.commentMentionIds, presenting.references) : [];
  return {
    ...presentCommon(row, presenting),
    ...presentPeople(row, presenting),
    ...presentMain(row, presenting),
    commentMentions: { items: mentioned, totalItemsCount: mentioned.length },
    draft: row.draft,
    ...given('publicationTimestamp', row.draft ? null : row.publishedAt),
    myState: {
      following: row.following ?? (row.followedByMe ? Following.FOLLOWED : Following.NONE),
      communityFollowing: row.communityFollowing ?? Following.NONE,
    },
  };
}

/** A post as writes answer with it: with its attachments, cover and draft data. */
export function presentWritten(
  row: PostDetailRow,
  presenting: Presenting,
  attachments: PostAttachmentData[],
): PostDetail {
  const { definition, links } = presenting;
  const initState = row.initStateId === null ? undefined : definition.workflow?.stateById.get(row.initStateId);
  return {
    ...presentCommon(row, presenting),
    ...presentPeople(row, presenting),
    attachments,
    ...presentCoverOf(row, links),
    draft: row.draft,
    ...given('draftData', row.draft && initState ? { workflowInitState: presentState(initState) } : null),
    ...given('scheduledPublication', presentSchedule(row)),
    ...given('scheduledPublicationResult', row.scheduledResult),
  };
}

function presentSchedule(row: PostDetailRow): ZonedDatetime | null {
  return row.scheduledAt === null ? null : formatZoned(row.scheduledAt, row.scheduledTimezone ?? 'UTC');
}
