import type { PostComment } from '@portico/sdk';
import { CornerUpLeft, Pencil, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { portal, queryClient } from '../../portal.ts';
import { useFocusReturn } from '../../shell/use-focus-return.ts';
import { useShowError } from '../../write/faults.ts';
import { useAllTexts, useWriteTexts } from '../../write/texts.ts';
import { useRemoval } from '../../write/use-removal.ts';
import { nameOf } from '../user-name.ts';
import { CommentBox, type CommentVersion } from './comment-box.tsx';
import { Likes } from './like-post.tsx';
import { sendComment } from './send-comment.ts';

const refetch = (postId: number) => queryClient.invalidateQueries({ queryKey: ['comments', postId] });

/** The box in which a new comment is written. */
export function NewComment({ postId, communityId }: { postId: number; communityId: number }) {
  const texts = useWriteTexts();
  return (
    <CommentBox
      name={`comment/${postId}`}
      label={texts.writeComment}
      communityId={communityId}
      postId={postId}
      submit={texts.sendComment}
      send={(comment) => sendComment({ postId }, comment)}
    />
  );
}

/** Actions on a comment that the server allows. */
export function CommentTools({
  comment,
  root,
  postId,
  communityId,
  editing,
  setEditing,
}: {
  comment: PostComment;
  /** The first comment of the thread. */
  root: number;
  postId: number;
  communityId: number;
  editing: boolean;
  setEditing: (editing: boolean) => void;
}) {
  const texts = useAllTexts();
  const [replying, setReplying] = useState(false);
  const { id, likedByMe = false, showLikeSection, creatorUser } = comment;
  const capabilities: Partial<typeof comment.capabilities> = comment.capabilities ?? {};
  const showError = useShowError();
  const like = async () => {
    try {
      await portal.comments.like({ commentId: id!, liked: !likedByMe });
      await refetch(postId);
    } catch (error) {
      showError(error, like);
    }
  };
  const removal = useRemoval();
  const remove = () =>
    removal({
      text: texts.commentDeleted,
      remove: () => portal.comments.delete({ commentId: id! }),
      restore: () => portal.comments.restore({ commentId: id! }),
      refetch: () => refetch(postId),
    });
  // The token belongs to the edited text, so that a change made meanwhile, for example in another
  // tab, is not overwritten.
  const form = useRef<ReturnType<typeof readForm>>(undefined);
  const readForm = async (): Promise<CommentVersion> => {
    const { commentDelta = '', occToken } = await portal.comments.readForEdit({ commentId: id! });
    return { form: commentDelta, token: occToken!, by: '' };
  };
  const beginEdit = () => {
    form.current = readForm();
    form.current.catch(() => {
      form.current = undefined;
    });
    setEditing(true);
  };
  const replyButton = useFocusReturn(replying);
  const editButton = useFocusReturn(editing);
  if (editing)
    return (
      <CommentBox
        name={`comment/${postId}/edit/${id}`}
        label={texts.editOf(texts.comment)}
        communityId={communityId}
        postId={postId}
        initial={comment.commentDelta ?? ''}
        submit={texts.save}
        saved={{ first: () => form.current ?? readForm(), newest: readForm }}
        send={async ({ text, files }, occToken) => {
          await portal.comments.replace({ commentId: id!, comment: text, addAttachments: [...files], occToken });
          await refetch(postId);
        }}
        onClose={() => setEditing(false)}
        onReopen={() => setEditing(true)}
      />
    );
  return (
    <>
      <div className="comment-tools">
        {showLikeSection && (
          <Likes likes={comment} canLike={capabilities.canEditLike === true} toggle={() => void like()} />
        )}
        {capabilities.canReply && (
          <button ref={replyButton} type="button" className="quiet" onClick={() => setReplying(true)}>
            <CornerUpLeft size={14} aria-hidden /> {texts.reply}
          </button>
        )}
        {capabilities.canEdit && (
          <button ref={editButton} type="button" className="quiet" onClick={beginEdit}>
            <Pencil size={14} aria-hidden /> {texts.edit}
          </button>
        )}
        {capabilities.canDelete && (
          <button type="button" className="quiet" onClick={() => void remove()}>
            <Trash2 size={14} aria-hidden /> {texts.delete}
          </button>
        )}
      </div>
      {replying && (
        <CommentBox
          name={`comment/${postId}/reply/${id}`}
          label={texts.replyTo(nameOf(creatorUser))}
          communityId={communityId}
          postId={postId}
          submit={texts.reply}
          send={(comment) => sendComment({ postId, parentCommentId: root }, comment)}
          onClose={() => setReplying(false)}
          onReopen={() => setReplying(true)}
        />
      )}
    </>
  );
}
