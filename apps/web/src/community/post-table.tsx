import type { PagedListPostsResponse } from '@portico/sdk';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useFormats, useTexts } from '../texts/index.ts';
import { Cell } from './cell.tsx';
import type { Column } from './columns.ts';
import type { Order } from './list-search.ts';

type ListedPost = NonNullable<PagedListPostsResponse['items']>[number];

const ROW = 36;
/** Rows before the end at which the next page is read. */
const AHEAD = 30;

/** Rows of posts; only those in sight are in the document. @param more reads the next page; absent at the end */
export function PostTable({
  posts,
  columns,
  sorted,
  sort,
  more,
}: {
  posts: readonly ListedPost[];
  columns: readonly Column[];
  sorted: { by: Order; desc: boolean };
  /** @param desc left out: as the order begins */
  sort: (order: Order, desc?: boolean) => void;
  more: (() => void) | undefined;
}) {
  const texts = useTexts();
  const formats = useFormats();
  const widths = ['minmax(200px, 1fr)', ...columns.map(({ width }) => `${width}px`)].join(' ');
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = window.matchMedia('(max-width: 768px)').matches;
  const rows = useVirtualizer({
    count: posts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (narrow ? 60 : ROW),
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= posts.length - AHEAD) more();
  }, [more, last, posts.length]);
  return (
    <div className="table" style={{ '--columns': widths } as React.CSSProperties}>
      <div className="row head">
        <Head label={texts.columnPost} order="title" sorted={sorted} sort={sort} />
        {columns.map(({ key, label, order }) => (
          <Head key={key} label={label} order={order} sorted={sorted} sort={sort} />
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="rows" ref={scroller} tabIndex={0} aria-label={texts.columnPost}>
        <ul style={{ position: 'relative', height: rows.getTotalSize(), margin: 0, padding: 0, listStyle: 'none' }}>
          {shown.map(({ index, start, size, key }) => {
            const post = posts[index]!;
            return (
              <li key={key} style={{ position: 'absolute', insetInline: 0, top: start, height: size }}>
                <Link className="row" to="/post/$postId" params={{ postId: String(post.id) }}>
                  <span>
                    {post.customId && <span className="muted">{post.customId} </span>}
                    {post.title || texts.untitled}
                  </span>
                  {columns.map((column) => (
                    <Cell key={column.key} column={column} post={post} />
                  ))}
                </Link>
              </li>
            );
          })}
        </ul>
      </section>
      <footer className="toolbar muted" aria-live="polite">
        {texts.loaded(formats.number(posts.length))}
      </footer>
    </div>
  );
}

/** The name of a column, by which the list can be ordered; again, the other way round. */
function Head({
  label,
  order,
  sorted,
  sort,
}: {
  label: string;
  order: Order | undefined;
  sorted: { by: Order; desc: boolean };
  sort: (order: Order, desc?: boolean) => void;
}) {
  const texts = useTexts();
  if (order === undefined) return <span>{label}</span>;
  const current = sorted.by === order;
  return (
    <button
      type="button"
      className="quiet"
      title={texts.orderBy(label)}
      onClick={() => (current ? sort(order, !sorted.desc) : sort(order))}
    >
      {label}
      {current && <span aria-hidden> {sorted.desc ? '↓' : '↑'}</span>}
    </button>
  );
}
