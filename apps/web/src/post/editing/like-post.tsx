import { ThumbsUp } from 'lucide-react';
import { portal, queryClient } from '../../portal.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import { faultsOf } from '../../write/faults.ts';
import { showNotice } from '../../write/notices.ts';
import { useWriteTexts } from '../../write/texts.ts';
import type { Capabilities, Post } from './save-part.ts';

/** How many people like the post, and whether the caller does. A like shows at once, and is undone where the server refuses it. */
export function LikePost({ post, capabilities }: { post: Post; capabilities: Capabilities }) {
  const texts = { ...useTexts(), ...useWriteTexts() };
  const formats = useFormats();
  const { likedByMe = false, likesCount = 0, showLikeSection } = post;
  if (!showLikeSection) return null;
  const set = (likes: Partial<Post>) =>
    queryClient.setQueryData<Post>(['post', post.id], (before) => before && { ...before, ...likes });
  const toggle = async () => {
    set({ likedByMe: !likedByMe, likesCount: likesCount + (likedByMe ? -1 : 1) });
    try {
      set(await portal.posts.like({ postId: post.id!, liked: !likedByMe }));
    } catch (error) {
      set({ likedByMe, likesCount });
      showNotice(Object.values(faultsOf(error, texts))[0] ?? texts.failed);
    }
  };
  if (!capabilities.canEditLike)
    return likesCount === 0 ? null : (
      <span className="muted likes">
        <ThumbsUp size={14} aria-label={texts.likes(formats.number(likesCount))} /> {formats.number(likesCount)}
      </span>
    );
  return (
    <button
      type="button"
      className="quiet"
      aria-pressed={likedByMe}
      aria-label={likesCount > 0 ? `${texts.like}, ${texts.likes(formats.number(likesCount))}` : texts.like}
      onClick={() => void toggle()}
    >
      <ThumbsUp size={14} aria-hidden /> {likesCount > 0 && formats.number(likesCount)}
    </button>
  );
}
