import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from '@tanstack/react-router';
import { SquarePen } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { queryClient } from '../portal.ts';
import { writableQuery } from '../shared-queries.ts';
import { useKeys } from '../shell/keys.ts';
import { useTexts } from '../texts/index.ts';
import { closeNewPost, newPostState, openNewPost, subscribeNewPost } from './new-post.ts';

const NewPostPanel = part(() => import('./new-post-panel.tsx'), 'NewPostPanel');

const useWritable = () => useQuery({ ...writableQuery, staleTime: 300_000 });

/** The button for a new post; renders nothing for people without a community to post in. */
export function NewPostButton() {
  const texts = useTexts();
  const writable = useWritable();
  if (writable.data?.length === 0 || writable.isError) return null;
  return (
    <button
      type="button"
      // Most people can write: the place is kept until it is known.
      {...(writable.isPending && { className: 'unknown' })}
      onClick={() => openNewPost()}
      aria-keyshortcuts="C"
    >
      <SquarePen size={16} aria-hidden />
      {texts.newPost}
      <kbd aria-hidden>C</kbd>
    </button>
  );
}

/**
 * A button for the first post of an empty community; renders nothing for people without the right
 * to write it.
 */
export function FirstPostButton({ communityId }: { communityId: number }) {
  const texts = useTexts();
  const may = useWritable().data?.some(({ id }) => id === communityId);
  return may ? <Button onClick={() => openNewPost(communityId)}>{texts.newPost}</Button> : null;
}

/** The panel for a new post, and the key `C` that opens it. */
export function NewPost() {
  const texts = useTexts();
  const writable = useWritable();
  const opened = useSyncExternalStore(subscribeNewPost, newPostState);
  const { communityId, postId } = useParams({ strict: false }) as { communityId?: string; postId?: string };
  const { pathname } = useLocation();
  const may = (writable.data?.length ?? 0) > 0;
  /** The community of the page. */
  const here = (): number | undefined => {
    if (communityId !== undefined) return Number(communityId);
    if (postId === undefined) return undefined;
    return queryClient.getQueryData<{ communityId?: number }>(['post', Number(postId)])?.communityId;
  };
  useKeys(may ? [{ key: 'c', label: texts.newPost, run: () => openNewPost() }] : []);
  // The panel closes when the user goes to another page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it ends with the page
  useEffect(() => closeNewPost, [pathname]);
  if (!opened) return null;
  return (
    <Panel close={closeNewPost}>
      <NewPostPanel communityId={opened.communityId ?? here()} copyOf={opened.copyOf} />
    </Panel>
  );
}
