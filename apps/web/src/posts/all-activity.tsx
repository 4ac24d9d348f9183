import { HistoryType } from '@portico/sdk';
import { LoadMore } from '../load-more.tsx';
import { Failed } from '../placeholders.tsx';
import { failureOf } from '../portal.ts';
import { ThreadView, threadsOf, useComments } from './comments.tsx';
import { HistoryEvent, useHistory } from './history.tsx';

/** Events already shown as comments. */
const OF_COMMENTS: ReadonlySet<number | undefined> = new Set([
  HistoryType.COMMENT_ADDED,
  HistoryType.MENTIONED_IN_COMMENT,
]);

/** Comments and changes of a post together, newest first. */
export function AllActivity({ postId, communityId }: { postId: number; communityId: number }) {
  const comments = useComments(postId);
  const events = useHistory(postId);
  // Without the right to read comments, the caller sees only the changes.
  const hidden = comments.isError && failureOf(comments.error) === 'forbidden';
  if ((comments.isPending && !hidden) || events.isPending) return null;
  if (comments.isError && !hidden) return <Failed query={comments} />;
  if (events.isError) return <Failed query={events} />;
  const shown = [
    ...threadsOf(comments.data ?? []).map((thread) => ({
      key: `comment-${thread.head.id}`,
      at: thread.head.creationTimestamp ?? 0,
      line: <ThreadView thread={thread} postId={postId} communityId={communityId} />,
    })),
    ...events.data
      .filter(({ typeId }) => !OF_COMMENTS.has(typeId))
      .map((event) => ({
        key: `event-${event.id}`,
        at: event.timestamp ?? 0,
        line: <HistoryEvent event={event} communityId={communityId} postId={postId} />,
      })),
  ].toSorted((a, b) => b.at - a.at);
  // Entries older than the oldest loaded entry of either list may be incomplete.
  const since = Math.max(
    comments.hasNextPage ? (comments.data?.at(-1)?.creationTimestamp ?? 0) : 0,
    events.hasNextPage ? (events.data.at(-1)?.timestamp ?? 0) : 0,
  );
  return (
    <section>
      {shown.map(({ key, at, line }) => at >= since && <div key={key}>{line}</div>)}
      <LoadMore
        query={{
          hasNextPage: comments.hasNextPage || events.hasNextPage,
          isFetchingNextPage: comments.isFetchingNextPage || events.isFetchingNextPage,
          fetchNextPage: () => {
            if (comments.hasNextPage) void comments.fetchNextPage();
            if (events.hasNextPage) void events.fetchNextPage();
          },
        }}
      />
    </section>
  );
}
