/**
 * Capabilities of a comment (wire type PostCommentCapabilities): for its author and for managers of
 * the community.
 */
import type { PostCommentCapabilities } from '@portico/contract';
import { all, any, fact, mayModerateComments, type Rule } from '../../../kernel/access/index.ts';
import { commentScopeRules, type PostCase, postRules } from './post-capabilities.ts';

/** The facts about a comment that decide. */
export interface CommentFacts {
  creatorId: number;
  deleted: boolean;
  /** The portal wrote the comment, to report a change of a field. */
  reportsField: boolean;
}

/** An actor and a comment on a post that the actor sees. */
type CommentCase = PostCase & { readonly comment: CommentFacts };

const isThere = fact<CommentCase>(({ comment }) => !comment.deleted, {
  kind: 'DELETED',
  yes: () => 'the comment is there',
  no: () => 'the comment is deleted',
});
const wroteComment = fact<CommentCase>(({ actor, comment }) => comment.creatorId === actor.userId, {
  kind: 'AUTHOR',
  yes: ({ who }) => `${who} wrote the comment`,
  no: ({ who }) => `${who} did not write the comment`,
});
// A comment of the portal reports a change of a field; only words of a person can be edited.
const writtenByPerson = fact<CommentCase>(({ comment }) => !comment.reportsField, {
  kind: 'SETTING',
  yes: () => 'a person wrote the comment',
  no: () => 'the portal wrote the comment',
});

const sees = all<CommentCase>(postRules.canViewComment, isThere);
const changes = all<CommentCase>(sees, commentScopeRules[1], any<CommentCase>(mayModerateComments, wroteComment));

/** Rules of the capabilities of a comment, for a reader of its post. */
export const commentRules = {
  canEdit: all<CommentCase>(changes, writtenByPerson),
  canEditLike: all<CommentCase>(sees, postRules.canEditLike),
  canDelete: changes,
  canReply: all<CommentCase>(sees, postRules.canAddComment),
} satisfies Record<keyof PostCommentCapabilities, Rule<CommentCase>>;

/** Returns the caller's capabilities on a comment of a post that the caller sees. */
export function commentCapabilities(about: PostCase, comment: CommentFacts): Required<PostCommentCapabilities> {
  const on = { ...about, comment };
  return {
    canEdit: commentRules.canEdit.holds(on),
    canEditLike: commentRules.canEditLike.holds(on),
    canDelete: commentRules.canDelete.holds(on),
    canReply: commentRules.canReply.holds(on),
  };
}
