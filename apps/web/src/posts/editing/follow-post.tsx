import { Bell, BellOff, BellRing } from 'lucide-react';
import { portal, queryClient } from '../../portal.ts';
import { useShowError } from '../../write/faults.ts';
import { Menu } from '../../write/menu.tsx';
import { useAllTexts } from '../../write/texts.ts';
import { type Capabilities, type Post, showWritten } from './save-part.ts';

/** Levels of notifications for a post, by their codes in the interface. */
const CHOICES = [0, 1, 2] as const;
const ICONS = [Bell, BellRing, BellOff] as const;

/** Chooses which notifications the caller gets of the post. A choice shows at once, and is undone where the server refuses it. */
export function FollowPost({ post, capabilities }: { post: Post; capabilities: Capabilities }) {
  const texts = useAllTexts();
  const showError = useShowError();
  if (!capabilities.canEditFollow) return null;
  const following = post.myState?.following ?? (post.followedByMe ? 1 : 0);
  const Icon = ICONS[following]!;
  const chosenIn = (chosen: (typeof CHOICES)[number]) => (before: Post) => ({
    ...before,
    myState: { ...before.myState, following: chosen },
    followedByMe: chosen === 1,
  });
  const set = (chosen: (typeof CHOICES)[number]) =>
    queryClient.setQueryData<Post>(['post', post.id], (before) => before && chosenIn(chosen)(before));
  const choose = async (chosen: (typeof CHOICES)[number]) => {
    set(chosen);
    try {
      await portal.posts.follow({ postId: post.id!, following: chosen });
      await showWritten(post.id!, chosenIn(chosen));
    } catch (error) {
      set(following);
      showError(error, () => choose(chosen));
    }
  };
  return (
    <Menu
      className="tool post-follow"
      label={texts.followed[following]!}
      button={<Icon size={16} aria-hidden />}
      items={CHOICES.map((choice) => ({
        label: texts.followChoices[choice]!,
        ...(choice === following && { hint: '✓' }),
        run: () => void choose(choice),
      }))}
    />
  );
}
