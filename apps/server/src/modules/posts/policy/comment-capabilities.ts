/** Capabilities of a comment (wire type PostCommentCapabilities): its author's and those of the managers of the community. */
import type { PostCommentCapabilities } from '@portico/contract';
import { all, any, fact, mayModerateComments, type Rule } from '../../../kernel/access/index.ts';
import { commentScopeRules, type PostCase, postRules } from './post-capabilities.ts';

/** The facts about a comment that decide. */
export interface CommentFacts {
  creatorId: number;
  deleted: boolean;
  /** The portal wrote it, to report a change of a field. */
  reportsField: boolean;
}

/** Somebody and a comment on a post that they see. */
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
// What the portal wrote reports a change of a field; only its author's own words can be edited.
const writtenByPerson = fact<CommentCase>(({ comment }) => !comment.reportsField, {
  kind: 'SETTING',
  yes: () => 'a person wrote the comment',
  no: () => 'the portal wrote the comment',
});

const sees = all<CommentCase>(postRules.canViewComment, isThere);
const changes = all<CommentCase>(sees, commentScopeRules[1], any<CommentCase>(mayModerateComments, wroteComment));

/** What each capability of a comment asks of somebody who sees its post. */
export const commentRules = {
  canEdit: all<CommentCase>(changes, writtenByPerson),
  canEditLike: all<CommentCase>(sees, postRules.canEditLike),
  canDelete: changes,
  canReply: all<CommentCase>(sees, postRules.canAddComment),
} satisfies Record<keyof PostCommentCapabilities, Rule<CommentCase>>;

/** What the caller may do with a comment on a post that they see. */
export function commentCapabilities(about: PostCase, comment: CommentFacts): Required<PostCommentCapabilities> {
  const on = { ...about, comment };
  return {
    canEdit: commentRules.canEdit.holds(on),
    canEditLike: commentRules.canEditLike.holds(on),
    canDelete: commentRules.canDelete.holds(on),
    canReply: commentRules.canReply.holds(on),
  };
}
