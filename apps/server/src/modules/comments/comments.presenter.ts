/** Comments on the wire (contract: PostComment). What has no value is left out (docs/decisions/types.md). */
import {
  CapabilityScope,
  type CustomFieldInfoComment,
  type PostActivityHistoryEvent,
  type PostComment,
  type PostCommentAttachment,
  type PostCommentCapabilities,
  type User,
} from '@portico/contract';
import type { CommentRow, EventRow } from './comments.repository.ts';

/** What the reader may do with the comments of a post, and what the community shows. */
export interface CommentView {
  userId: number;
  editScope: CapabilityScope;
  deleteScope: CapabilityScope;
  canLike: boolean;
  canReply: boolean;
  /** Whether the community has likes. */
  likes: boolean;
}

/** What comments refer to, loaded in bulk. */
export interface CommentReferences {
  users: ReadonlyMap<number, User>;
  /** Attachments by comment. */
  files: ReadonlyMap<number, PostCommentAttachment[]>;
  events: ReadonlyMap<number, EventRow>;
  /** Comments that others answer. */
  parents: ReadonlyMap<number, CommentRow>;
}

/** Letters of scripts that run from right to left. */
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/** Whether a text is to be set from the right: its first letter decides, as the Unicode algorithm has it (rule P2). */
function runsRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0];
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}

function within(scope: CapabilityScope, own: boolean): boolean {
  return scope === CapabilityScope.ALL || (scope === CapabilityScope.OWN && own);
}

function capabilities(comment: CommentRow, view: CommentView): PostCommentCapabilities {
  if (comment.deletedAt !== null) return { canEdit: false, canEditLike: false, canDelete: false, canReply: false };
  const own = comment.creatorId === view.userId;
  return {
    // What the portal wrote reports a change of a field; only its author's own words can be edited.
    canEdit: within(view.editScope, own) && comment.fieldInfo === null,
    canEditLike: view.canLike,
    canDelete: within(view.deleteScope, own),
    canReply: view.canReply,
  };
}

function presentEvent(event: EventRow, postId: number, users: ReadonlyMap<number, User>): PostActivityHistoryEvent {
  return {
    id: event.id,
    timestamp: event.at,
    typeId: event.typeId,
    postId,
    updatedWorkflowScreenFieldIds: event.screenFieldIds ?? undefined,
    authorUser: users.get(event.authorId),
  };
}

function fieldInfo(comment: CommentRow, references: CommentReferences): CustomFieldInfoComment | undefined {
  const info = comment.fieldInfo;
  if (info === null) return undefined;
  const event = info.historyEventId === undefined ? undefined : references.events.get(info.historyEventId);
  return {
    activityHistoryEvent: event && presentEvent(event, comment.postId, references.users),
    postCustomFieldId: info.postFieldId,
    workflowScreenFieldId: info.screenFieldId,
  };
}

function presentOne(comment: CommentRow, references: CommentReferences, view: CommentView): PostComment {
  const common: PostComment = {
    id: comment.id,
    clientUid: comment.clientUid ?? undefined,
    creatorUser: references.users.get(comment.creatorId),
    creationTimestamp: comment.createdAt,
    lastModifyTimestamp: comment.modifiedAt,
    deleted: comment.deletedAt !== null,
    likesCount: comment.likesCount,
    likedByMe: comment.likedByMe,
    showLikeSection: view.likes,
    streamingTimestamp: Math.max(comment.modifiedAt, comment.deletedAt ?? 0),
    capabilities: capabilities(comment, view),
  };
  // A placeholder: it keeps the thread together and says nothing more.
  if (comment.deletedAt !== null) return { ...common, mentions: [], attachments: [], rightAlignText: false };
  return {
    ...common,
    commentDelta: comment.delta,
    commentPlainText: comment.plain,
    mentions: comment.mentions.flatMap((id) => references.users.get(id) ?? []),
    attachments: references.files.get(comment.id) ?? [],
    rightAlignText: runsRightToLeft(comment.plain),
    customFieldInfo: fieldInfo(comment, references),
  };
}

/** A comment with the one it answers; that one comes without its own parent. */
export function presentComment(comment: CommentRow, references: CommentReferences, view: CommentView): PostComment {
  const parent = comment.parentId === null ? undefined : references.parents.get(comment.parentId);
  return {
    ...presentOne(comment, references, view),
    parentComment: parent && presentOne(parent, references, view),
  };
}
