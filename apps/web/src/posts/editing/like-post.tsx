import { ThumbsUp } from 'lucide-react';
import { portal, queryClient } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { useShowError } from '../../write/faults.ts';
import { useWriteTexts } from '../../write/texts.ts';
import { type Capabilities, type Post, showWritten } from './save-part.ts';

/**
 * The number of likes of the post, and the caller's own like. A like shows at once, and is undone
 * if the server refuses it.
 */
export function LikePost({ post, capabilities }: { post: Post; capabilities: Capabilities }) {
  const showError = useShowError();
  const { likedByMe = false, likesCount = 0, showLikeSection } = post;
  if (!showLikeSection) return null;
  const set = (likes: Partial<Post>) =>
    queryClient.setQueryData<Post>(['post', post.id], (before) => before && { ...before, ...likes });
  const toggle = async () => {
    set({ likedByMe: !likedByMe, likesCount: likesCount + (likedByMe ? -1 : 1) });
    try {
      const likes = await portal.posts.like({ postId: post.id!, liked: !likedByMe });
      await showWritten(post.id!, (before) => ({ ...before, ...likes }));
    } catch (error) {
      set({ likedByMe, likesCount });
      showError(error, toggle);
    }
  };
  return <Likes likes={post} canLike={capabilities.canEditLike === true} toggle={() => void toggle()} />;
}

/** The number of likes, as a button for callers with the right to like. */
export function Likes({
  likes: { likesCount = 0, likedByMe = false },
  canLike,
  toggle,
}: {
  likes: { likesCount?: number; likedByMe?: boolean };
  canLike: boolean;
  toggle: () => void;
}) {
  const texts = useWriteTexts();
  const formats = useFormats();
  const count = formats.count(likesCount);
  if (!canLike)
    return likesCount === 0 ? null : (
      <span className="muted likes">
        <ThumbsUp size={14} aria-label={texts.likes(count)} /> {String(count)}
      </span>
    );
  return (
    <button
      type="button"
      className="quiet"
      aria-pressed={likedByMe}
      aria-label={likesCount > 0 ? `${texts.like}, ${texts.likes(count)}` : texts.like}
      onClick={toggle}
    >
      <ThumbsUp size={14} aria-hidden /> {likesCount > 0 && String(count)}
    </button>
  );
}
