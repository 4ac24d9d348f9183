import type { HTMLAttributes, ReactNode } from 'react';
import { LoadMore } from '../load-more.tsx';
import { Failed } from '../placeholders.tsx';
import { useHomeTexts } from './texts.ts';

interface Query {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** A list of Home below its heading, with a text for the empty list. */
export function Section({
  title,
  query,
  blank,
  count,
  empty,
  action,
  pointerHandlers,
  children,
}: {
  title: string;
  query: Query;
  /** Whether there are no rows. */
  blank: boolean;
  /** Number of items, in words or digits. */
  count?: string | undefined;
  empty: string;
  action?: ReactNode;
  /** Handlers that keep the rows in their places. */
  pointerHandlers?: Pick<HTMLAttributes<HTMLUListElement>, 'onPointerEnter' | 'onPointerLeave'>;
  children: ReactNode;
}) {
  const home = useHomeTexts();
  const content = () => {
    if (query.isError) return <Failed query={query} />;
    if (query.isPending) return <div className="skeleton" aria-hidden />;
    if (blank) return <p className="muted list-row-empty">{empty}</p>;
    return <ul {...pointerHandlers}>{children}</ul>;
  };
  return (
    <section className="row-list" aria-busy={query.isPending}>
      <header>
        <h2>{title}</h2>
        {count !== undefined && <span className="muted">{count}</span>}
        {action}
      </header>
      {content()}
      <LoadMore query={query} quiet label={home.more} />
    </section>
  );
}
