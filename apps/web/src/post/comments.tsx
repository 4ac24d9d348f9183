import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RichText } from '../content/rich-text.tsx';
import { failureOf, portal } from '../portal.ts';
import { Failed } from '../states.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { nameOf } from './user-name.ts';

/** Comments of a post. Where the caller may not see them, there are none to show. */
export function Comments({ postId }: { postId: number }) {
  const texts = useTexts();
  const formats = useFormats();
  const comments = useInfiniteQuery({
    queryKey: ['comments', postId],
    queryFn: ({ pageParam }) =>
      portal.comments.list({ postId, pageSize: 50, ...(pageParam !== '' && { pageToken: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
  });
  if (comments.isPending) return null;
  if (comments.isError)
    return failureOf(comments.error) === 'forbidden' ? null : (
      <Failed error={comments.error} retry={() => void comments.refetch()} />
    );
  const items = comments.data.pages.flatMap(({ items: page = [] }) => page);
  return (
    <section>
      {items.length === 0 && <p className="muted">{texts.noComments}</p>}
      {items.map(({ id, creatorUser, creationTimestamp, commentDelta, commentPlainText, deleted, parentComment }) => (
        <article key={id} className="comment" style={parentComment ? { paddingInlineStart: 24 } : undefined}>
          <p style={{ margin: 0 }}>
            <strong>{nameOf(creatorUser)}</strong>{' '}
            <span className="muted">{creationTimestamp !== undefined && formats.moment(creationTimestamp)}</span>
          </p>
          {deleted ? (
            <p className="muted">{texts.deletedComment}</p>
          ) : (
            <RichText delta={commentDelta} plain={commentPlainText} />
          )}
        </article>
      ))}
      {comments.hasNextPage && (
        <Button
          variant="default"
          mt={12}
          loading={comments.isFetchingNextPage}
          onClick={() => void comments.fetchNextPage()}
        >
          {texts.loadMore}
        </Button>
      )}
    </section>
  );
}
