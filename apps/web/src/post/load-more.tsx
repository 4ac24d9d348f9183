import { Button } from '@mantine/core';
import { useTexts } from '../texts/index.ts';

/** A button that reads the next page of a list; nothing where there is none. */
export function LoadMore({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  const texts = useTexts();
  if (!query.hasNextPage) return null;
  return (
    <Button variant="default" mt={12} loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {texts.loadMore}
    </Button>
  );
}
