/**
 * Comments on the wire (contract: PostComment). Keys without a value are omitted
 * (docs/decisions/types.md).
 */
import type {
  CustomFieldInfoComment,
  PostActivityHistoryEvent,
  PostComment,
  PostCommentAttachment,
  User,
} from '@portico/contract';
import { type CommentFacts, commentCapabilities } from '../policy/comment-capabilities.ts';
import type { PostCase } from '../policy/post-capabilities.ts';
import type { CommentRow, EventRow } from './comments.repository.ts';

/** Objects that comments refer to, loaded in bulk. */
interface CommentReferences {
  users: ReadonlyMap<number, User>;
  /** Attachments by comment. */
  files: ReadonlyMap<number, PostCommentAttachment[]>;
  events: ReadonlyMap<number, EventRow>;
  /** Comments that are answered. */
  parents: ReadonlyMap<number, CommentRow>;
  /** Time at which the post was imported from another portal. */
  importedAt: number | null;
}

/** Letters of scripts that run from right to left. */
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/**
 * Returns whether a text is right-aligned. Its first letter decides, as in the Unicode algorithm
 * (rule P2).
 */
function runsRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0];
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}

/** Returns the facts about a comment that decide about the permissions of a reader. */
const factsOf = ({ creatorId, deletedAt, fieldInfo }: CommentRow): CommentFacts => ({
  creatorId,
  deleted: deletedAt !== null,
  reportsField: fieldInfo !== null,
});

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

function presentOne(comment: CommentRow, references: CommentReferences, about: PostCase): PostComment {
  const common: PostComment = {
    id: comment.id,
    clientUid: comment.clientUid ?? undefined,
    creatorUser: references.users.get(comment.creatorId),
    creationTimestamp: comment.createdAt,
    lastModifyTimestamp: comment.modifiedAt,
    deleted: comment.deletedAt !== null,
    imported: (references.importedAt !== null && comment.createdAt <= references.importedAt) || undefined,
    likesCount: comment.likesCount,
    likedByMe: comment.likedByMe,
    showLikeSection: about.community.likeEnabled,
    streamingTimestamp: Math.max(comment.modifiedAt, comment.deletedAt ?? 0),
    capabilities: commentCapabilities(about, factsOf(comment)),
  };
  // A placeholder keeps the thread together, without content.
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

/**
 * Presents a comment with the comment that it answers; that comment comes without its own parent.
 * @param about the reader and the post
 */
export function presentComment(comment: CommentRow, references: CommentReferences, about: PostCase): PostComment {
  const parent = comment.parentId === null ? undefined : references.parents.get(comment.parentId);
  return {
    ...presentOne(comment, references, about),
    parentComment: parent && presentOne(parent, references, about),
  };
}
