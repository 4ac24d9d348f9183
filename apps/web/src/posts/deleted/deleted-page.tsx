import '../../home/home.css';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { RotateCcw, Trash2 } from 'lucide-react';
import { AccountTabs } from '../../account/account-tabs.tsx';
import { reasonOf, repetition } from '../../failures/attempt.ts';
import { unmarkPostDeleted } from '../../live/live-updates.ts';
import { LoadMore } from '../../load-more.tsx';
import { Empty, Loaded } from '../../placeholders.tsx';
import { failureOf, portal, queryClient } from '../../portal.ts';
import { useCommunities } from '../../shared-queries.ts';
import { moveKeys, useKeys } from '../../shell/keys.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { useTitle } from '../../use-title.ts';
import { showNotice } from '../../write/notices.ts';
import { nameOf } from '../user-name.ts';
import { useDeletedTexts } from './texts.ts';

const PAGE = 50;

/** Deleted posts that the caller can restore, of the community of the address or of all. */
export function DeletedPage() {
  const texts = useTexts();
  const words = useDeletedTexts();
  const { community: communityId } = useSearch({ from: '/shell/deleted' });
  const name = useCommunities().data?.find(({ id }) => id === communityId)?.name;
  const title = name === undefined ? words.title : words.titleOf(name);
  useTitle(title);
  useKeys(moveKeys(texts));
  const deleted = usePages(
    ['deleted', communityId],
    (page) => portal.posts.deleted({ pageSize: PAGE, ...(communityId !== undefined && { communityId }), ...page }),
    // Users look for posts that were deleted a moment ago.
    { staleTime: 0 },
  );
  return (
    <div className="home">
      <h1>{title}</h1>
      <DeletedTabs communityId={communityId} name={name} title={title} />
      <p className="muted">{words.lead}</p>
      <Loaded query={deleted}>
        {(items) =>
          items.length === 0 ? (
            <Empty>
              <p>{words.none}</p>
            </Empty>
          ) : (
            <section className="row-list" aria-label={title}>
              <ul>
                {items.map((post) => (
                  <DeletedRow key={post.postId} post={post} withCommunity={communityId === undefined} />
                ))}
              </ul>
              <LoadMore query={deleted} quiet label={words.more} />
            </section>
          )
        }
      </Loaded>
    </div>
  );
}

/** Links to the community, and to the deleted posts of all communities. */
function DeletedTabs({
  communityId,
  name,
  title,
}: {
  communityId: number | undefined;
  name: string | undefined;
  title: string;
}) {
  const words = useDeletedTexts();
  if (communityId === undefined) return <AccountTabs />;
  return (
    <nav className="tabs" aria-label={title}>
      <Link to="/community/$communityId" params={{ communityId: String(communityId) }}>
        {name ?? words.community}
      </Link>
      <Link to="/deleted" search={{ community: communityId }} activeOptions={{ exact: true }}>
        {words.title}
      </Link>
      <Link to="/deleted" search={{}} activeOptions={{ exact: true, includeSearch: true }}>
        {words.everywhere}
      </Link>
    </nav>
  );
}

/** Restores a post, and says that it did or why it failed. */
function useRestore() {
  const texts = useTexts();
  const words = useDeletedTexts();
  const navigate = useNavigate();
  const restore = useMutation({
    mutationFn: ({ postId }: { postId: number; title: string }) => portal.posts.restore({ postId }),
    onSuccess: (_, { postId, title: restored }) => {
      unmarkPostDeleted(postId);
      showNotice(words.restored(restored), {
        label: words.open,
        run: () => navigate({ to: '/post/$postId', params: { postId: String(postId) } }),
      });
    },
    onError: (error, restored) => {
      if (failureOf(error) === 'not-found') showNotice(words.gone);
      else
        showNotice(
          reasonOf(error, texts),
          repetition(error, texts, () => restore.mutateAsync(restored)),
        );
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  return restore;
}

type DeletedPost = NonNullable<Awaited<ReturnType<typeof portal.posts.deleted>>['items']>[number];

function DeletedRow({ post, withCommunity }: { post: DeletedPost; withCommunity: boolean }) {
  const texts = useTexts();
  const words = useDeletedTexts();
  const formats = useFormats();
  const restore = useRestore();
  const { postId, postTitle, communityName, timestamp, deletedByUser } = post;
  const shown = postTitle || texts.untitled;
  return (
    <li className="list-row">
      <Trash2 size={16} className="list-row-icon" aria-hidden />
      <div className="list-row-text">
        <div className="clip">{shown}</div>
        <span className="list-row-details">
          {withCommunity && <span>{communityName}</span>}
          <span>{words.by(nameOf(deletedByUser))}</span>
        </span>
      </div>
      <span className="list-row-actions">
        <button
          type="button"
          className="small"
          data-item={`deleted-${postId}`}
          aria-label={words.restorePost(shown)}
          disabled={restore.isPending}
          onClick={() => restore.mutate({ postId: postId!, title: shown })}
        >
          <RotateCcw size={14} aria-hidden /> {words.restore}
        </button>
      </span>
      <time className="list-row-time">{timestamp !== undefined && formats.age(timestamp)}</time>
    </li>
  );
}
