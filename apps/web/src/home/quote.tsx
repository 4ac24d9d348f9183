import { RichText } from '../content/rich-text.tsx';
import { useComments } from '../posts/comments.tsx';

/** The comment that a mention is in, where it is answered; nothing where it is not among the newest of the post. */
export default function Quote({ postId, commentId }: { postId: number; commentId: number }) {
  const { data } = useComments(postId);
  const comment = data?.find(({ id }) => id === commentId);
  if (!comment) return null;
  return (
    <blockquote className="list-row-quote">
      <RichText delta={comment.commentDelta} plain={comment.commentPlainText} />
    </blockquote>
  );
}
