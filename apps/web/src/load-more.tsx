import { Button } from '@mantine/core';
import { useTexts } from './texts/index.ts';

/** A button that reads the next page of a list; nothing where there is none. @param quiet whether it is a line below the list */
export function LoadMore({
  query,
  quiet = false,
  label,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  quiet?: boolean;
  label?: string;
}) {
  const texts = useTexts();
  if (!query.hasNextPage) return null;
  const load = () => void query.fetchNextPage();
  return quiet ? (
    <button type="button" className="quiet" onClick={load}>
      {label ?? texts.loadMore}
    </button>
  ) : (
    <Button variant="default" mt={12} loading={query.isFetchingNextPage} onClick={load}>
      {label ?? texts.loadMore}
    </Button>
  );
}
