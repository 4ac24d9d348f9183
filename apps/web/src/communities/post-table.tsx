import { useRouter } from '@tanstack/react-router';
import { Pin } from 'lucide-react';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ShownField } from '../content/shown-field.ts';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { focusedItem, useKeys } from '../shell/keys.ts';
import { topOfList } from '../shell/place.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { Cell } from './cell.tsx';
import { useCellCursor } from './cell-cursor.tsx';
import { useColumnWidths } from './column-widths.ts';
import { type Column, gridTrackOf } from './columns.ts';
import { GridCell } from './grid-cell.tsx';
import type { Order } from './list-search.ts';
import { TableHead } from './table-head.tsx';
import { useListTexts } from './texts.ts';
import type { ListedPost } from './use-posts.ts';
import { useVisibleRows } from './use-visible-rows.ts';

const CellEditor = part(() => import('./cell-editor.tsx'), 'CellEditor');

/** Minimum width of the window at which a post fits beside the list. */
const WIDE = '(min-width: 1200px)';
const ROW = 36;
/** Height of a row of two lines. */
const NARROW_ROW = 60;

/** The action of a click on a row. */
interface RowClick {
  readonly postId: number;
  /** An address in the clicked cell. */
  readonly address: string | undefined;
}

/**
 * Reads a click on a row: on its link, or beside it, where it does the same.
 * @returns undefined where the browser follows the link, or the post was opened in another tab
 */
export function readRowClick(event: React.MouseEvent<HTMLElement>): RowClick | undefined {
  const link = event.currentTarget.querySelector<HTMLAnchorElement>('a[data-item]')!;
  const target = event.target as HTMLElement;
  const elsewhere = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
  if (event.button > 1 || event.altKey || (elsewhere && link.contains(target))) return undefined;
  event.preventDefault();
  const address = target.closest<HTMLElement>('[data-href]')?.dataset['href'];
  if (!elsewhere || address !== undefined) return { postId: postIdOf(event.currentTarget), address };
  window.open(link.href, '_blank', 'noopener');
  return undefined;
}

/** @param row what contains the cells */
export const postIdOf = (row: HTMLElement): number =>
  Number(row.querySelector<HTMLElement>('[data-item]')!.dataset['item']!.slice('post-'.length));

/** Number of rows before the end at which the next page is read. */
const AHEAD = 30;

/**
 * Rows of posts; only visible rows are in the document.
 * @param more reads the next page; absent at the end
 */
export function PostTable({
  communityId,
  posts,
  pinned,
  total,
  columns,
  sorted,
  sort,
  stale,
  more,
  selected,
  select,
  selectAll,
  peeked,
  peek,
}: {
  communityId: number;
  posts: readonly ListedPost[];
  /** Ids of pinned posts. */
  pinned: ReadonlySet<number>;
  total: number | undefined;
  columns: readonly Column[];
  sorted: { by: Order; desc: boolean };
  /** @param desc absent for the default direction of the order */
  sort: (order: Order, desc?: boolean) => void;
  /** Whether another list is being read to replace this one. */
  stale: boolean;
  more: (() => void) | undefined;
  selected: ReadonlySet<number>;
  select: (postId: number, chosen: boolean) => void;
  selectAll: (chosen: boolean) => void;
  /** The post that is shown beside the list. */
  peeked: number | undefined;
  peek: (postId: number | undefined) => void;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const formats = useFormats();
  const [chosen, setWidth] = useColumnWidths(communityId);
  const [editing, setEditing] = useState<{ post: ListedPost; field: ShownField }>();
  const widths = `minmax(280px, 1fr) ${columns.map((column) => gridTrackOf(column, chosen)).join(' ')}`;
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = window.matchMedia('(max-width: 768px)').matches;
  const height = narrow ? NARROW_ROW : ROW;
  const { from, to, show } = useVisibleRows(scroller, posts.length, height);
  useEffect(() => {
    if (more && to > posts.length - AHEAD) more();
  }, [more, to, posts.length]);

  const router = useRouter();
  // A list that is returned to is where it was.
  useLayoutEffect(() => {
    scroller.current!.scrollTop = topOfList(router.history);
  }, [router]);
  const hrefs = `${router.basepath}/post/`;
  // Rows are not rendered again when only the page is rendered.
  const latest = useRef({ peek, posts, columns });
  latest.current = { peek, posts, columns };
  const open = useCallback(
    (event: React.MouseEvent<HTMLElement>) => {
      const click = readRowClick(event);
      if (!click) return;
      const { postId, address } = click;
      if (address !== undefined) return void window.open(address, '_blank', 'noopener,noreferrer');
      if (window.matchMedia(WIDE).matches) latest.current.peek(postId);
      else void router.navigate({ to: '/post/$postId', params: { postId: String(postId) } });
    },
    [router],
  );
  const edit = useCallback(({ currentTarget, target }: React.MouseEvent<HTMLElement>) => {
    const key = (target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset['cell'];
    const post = latest.current.posts.find(({ id }) => id === postIdOf(currentTarget));
    const field = latest.current.columns.find((column) => column.key === key)?.field;
    if (post && field) setEditing({ post, field });
  }, []);
  const at = useRef(-1);
  const focusedPost = () => posts.find(({ id }) => `post-${id}` === focusedItem()?.dataset['item']);
  const go = (by: 1 | -1) => {
    const current = focusedPost();
    const before = current ? posts.indexOf(current) : at.current;
    const index = Math.min(posts.length - 1, Math.max(0, before + by));
    at.current = index;
    show(index);
    const focus = () => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-item="post-${posts[index]?.id}"]`);
      row?.focus({ preventScroll: true });
      return row;
    };
    // A row that is not in the document yet is there after the next frame.
    if (!focus()) requestAnimationFrame(focus);
    if (peeked !== undefined) peek(posts[index]?.id);
    return posts[index];
  };
  const { cursor, shown: atCursor } = useCellCursor({
    columns,
    focusedPost,
    go,
    edit: (post, { field }) => field && setEditing({ post, field }),
  });
  useKeys([
    { key: 'j', label: texts.next, run: () => go(1) },
    { key: 'k', label: texts.previous, run: () => go(-1) },
    {
      key: 'x',
      label: list.selectKey,
      run: () => {
        const post = focusedPost();
        return post !== undefined && select(post.id!, !selected.has(post.id!));
      },
    },
    {
      key: ' ',
      label: list.peekKey,
      run: () => {
        const post = focusedPost();
        return post !== undefined && peek(peeked === post.id ? undefined : post.id);
      },
    },
  ]);
  return (
    <div className="table" aria-busy={stale} style={{ '--columns': widths } as React.CSSProperties}>
      {/* biome-ignore lint/a11y/useSemanticElements: only rows in sight are in the document */}
      <div
        className="grid"
        role="grid"
        aria-label={texts.columnPost}
        aria-rowcount={(total ?? posts.length) + 1}
        aria-colcount={columns.length + 2}
        aria-multiselectable
      >
        <TableHead
          columns={columns}
          widths={chosen}
          setWidth={setWidth}
          sorted={sorted}
          sort={sort}
          selected={selected.size}
          of={posts.length}
          selectAll={selectAll}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className="rows" ref={scroller} tabIndex={0} aria-label={texts.columnPost}>
          <div style={{ blockSize: posts.length * height, paddingBlockStart: from * height }}>
            {posts.slice(from, to).map((post, index) => (
              <Row
                key={post.id}
                index={from + index + 2}
                post={post}
                pinned={pinned.has(post.id!)}
                columns={columns}
                selected={selected.has(post.id!)}
                select={select}
                peeked={peeked === post.id}
                cursor={cursor && cursor.postId === post.id ? cursor.key : undefined}
                href={hrefs}
                open={open}
                edit={edit}
              />
            ))}
          </div>
        </div>
      </div>
      {atCursor}
      {editing && (
        <Panel close={() => setEditing(undefined)}>
          <CellEditor {...editing} onClose={() => setEditing(undefined)} />
        </Panel>
      )}
      <footer className="table-foot muted" aria-live="polite">
        {total === undefined || total <= posts.length
          ? texts.loaded(formats.count(posts.length))
          : list.of(formats.number(posts.length), formats.number(total))}
      </footer>
    </div>
  );
}

export const Row = memo(function Row({
  post,
  pinned,
  columns,
  selected,
  select,
  peeked,
  cursor,
  href,
  open,
  edit,
  index,
}: {
  post: ListedPost;
  pinned: boolean;
  columns: readonly Column[];
  selected: boolean;
  select: (postId: number, chosen: boolean) => void;
  peeked: boolean;
  /** Column of the cell cursor. */
  cursor: string | undefined;
  /** Beginning of the address of posts, before their ids. */
  href: string;
  /** Shows the post, beside the list where there is room. */
  open: (event: React.MouseEvent<HTMLElement>) => void;
  /** Starts to edit a field in place. */
  edit: (event: React.MouseEvent<HTMLElement>) => void;
  /** Number of the row in the table, from 1, the head; left out where it is not known. */
  index?: number;
}) {
  const texts = useTexts();
  const list = useListTexts();
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the head
    // biome-ignore lint/a11y/useFocusableInteractive: its link has the focus
    <div
      className="row-place"
      role="row"
      aria-rowindex={index}
      aria-selected={selected}
      {...(selected && { 'data-selected': '' })}
      {...(peeked && { 'data-peeked': '' })}
    >
      <GridCell index={1}>
        <input
          type="checkbox"
          className="row-select"
          tabIndex={-1}
          aria-label={list.select(post.title || texts.untitled)}
          checked={selected}
          onChange={({ currentTarget: { checked } }) => select(post.id!, checked)}
        />
      </GridCell>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the link handles the keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the link does the same */}
      <div className="row" onClick={open} onAuxClick={open} onDoubleClick={edit}>
        <GridCell role="rowheader" index={2}>
          {/* A link of the router computes its address at each render: most of the work of a row. */}
          <a className="row-link" href={`${href}${post.id}`} data-item={`post-${post.id}`}>
            {post.customId && <span className="row-id muted">{post.customId} </span>}
            {pinned && <Pin size={12} role="img" aria-label={texts.onlyPinned} className="row-pin" />}
            {post.title || texts.untitled}
          </a>
        </GridCell>
        {columns.map((column, at) => (
          <Cell key={column.key} column={column} post={post} chosen={column.key === cursor} index={at + 3} />
        ))}
      </div>
    </div>
  );
});
