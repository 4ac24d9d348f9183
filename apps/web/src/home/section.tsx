import type { ReactNode } from 'react';
import { Failed } from '../states.tsx';
import { useFormats } from '../texts/index.ts';
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

/** A list of Home below its heading, with what it says when there is nothing. */
export function Section({
  title,
  query,
  count,
  empty,
  action,
  children,
}: {
  title: string;
  query: Query;
  count: number;
  empty: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const home = useHomeTexts();
  const formats = useFormats();
  return (
    <section className="work-list" aria-busy={query.isPending}>
      <header>
        <h2>{title}</h2>
        {count > 0 && <span className="muted">{formats.number(count) + (query.hasNextPage ? '+' : '')}</span>}
        {action}
      </header>
      {query.isError ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <div className="skeleton" aria-hidden />
      ) : count === 0 ? (
        <p className="muted work-empty">{empty}</p>
      ) : (
        <ul>{children}</ul>
      )}
      {query.hasNextPage && (
        <button type="button" className="quiet" onClick={() => void query.fetchNextPage()}>
          {home.more}
        </button>
      )}
    </section>
  );
}
