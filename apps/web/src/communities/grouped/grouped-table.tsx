import './grouped.css';
import type { GetPostDefinitionResponse } from '@portico/sdk';
import { useRouter } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { numberText } from '../../content/field-number.ts';
import type { ShownField } from '../../content/shown-field.ts';
import { Panel } from '../../failures/boundary.tsx';
import { part } from '../../failures/part.ts';
import { Empty, Failed, Loading } from '../../placeholders.tsx';
import { focusedItem, moveKeys, useKeys } from '../../shell/keys.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import { useColumnWidths } from '../column-widths.ts';
import { type Column, gridTrackOf } from '../columns.ts';
import { GridCell } from '../grid-cell.tsx';
import { type ListSearch, type Order, orderOf, type Show } from '../list-search.ts';
import { useMenuTexts } from '../menu-texts.ts';
import type { postIdOf, Row, readRowClick } from '../post-table.tsx';
import type { TableHead } from '../table-head.tsx';
import { useListTexts } from '../texts.ts';
import { type ListedPost, queryOf, usePinned, usePosts } from '../use-posts.ts';
import { filterOf, type Grouping, groupingsOf, nameOfGroup } from './groupings.ts';
import { type PostGroup, useGroups } from './use-groups.ts';

const BulkBar = part(() => import('../bulk/bulk-bar.tsx'), 'BulkBar');
const CellEditor = part(() => import('../cell-editor.tsx'), 'CellEditor');

/** Minimum width of the window at which a post fits beside the list. */
const WIDE = '(min-width: 1200px)';
/** Number of groups that are open at first. */
const OPEN = 3;
/** Posts of a group that are read at a time. */
const PAGE = 50;

/** Parts of the table without groups. */
interface TableParts {
  readonly Row: typeof Row;
  readonly TableHead: typeof TableHead;
  readonly readRowClick: typeof readRowClick;
  readonly postIdOf: typeof postIdOf;
}

interface GroupedTableProps {
  parts: TableParts;
  communityId: number;
  definition: GetPostDefinitionResponse;
  /** The shown columns. */
  columns: readonly Column[];
  search: ListSearch;
  show: Show;
  sort: (order: Order, desc?: boolean) => void;
}

/** A table whose rows stand in groups, each with its number of posts and its sums. */
export function GroupedTable(props: GroupedTableProps) {
  const { definition, search, show } = props;
  const texts = useTexts();
  const words = useMenuTexts();
  const groupings = groupingsOf(definition, texts);
  const grouping = groupings.find(({ key }) => key === search.group);
  if (grouping) return <Groups key={grouping.key} {...props} grouping={grouping} />;
  return (
    <Empty>
      <p>{words.noSuchGroups}</p>
      <button type="button" className="small" onClick={() => show({ group: undefined })}>
        {words.ungroup}
      </button>
    </Empty>
  );
}

function Groups({
  parts,
  communityId,
  definition,
  columns,
  search,
  show,
  sort,
  grouping,
}: GroupedTableProps & { grouping: Grouping }) {
  const texts = useTexts();
  const words = useMenuTexts();
  const formats = useFormats();
  const { query, data } = useGroups(communityId, search, grouping, columns);
  const pinned = usePinned(communityId);
  const [widths, setWidth] = useColumnWidths(communityId);
  const [open, setOpen] = useState<Readonly<Record<string, boolean>>>({});
  const [loaded, setLoaded] = useState<Readonly<Record<string, readonly ListedPost[]>>>({});
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [editing, setEditing] = useState<{ post: ListedPost; field: ShownField }>();
  const note = useCallback(
    (id: string, posts: readonly ListedPost[]) => setLoaded((before) => ({ ...before, [id]: posts })),
    [],
  );
  const isOpen = (id: string, index: number) => open[id] ?? index < OPEN;
  const shown = (data?.groups ?? []).filter(({ id }, index) => isOpen(id, index));
  // A post with several people is in the group of each.
  const byId = new Map(shown.flatMap(({ id }) => (loaded[id] ?? []).map((post) => [post.id!, post] as const)));
  const posts = [...byId.values()];
  const rows = useRows({ parts, posts, columns, selected, setSelected, search, show, edit: setEditing });
  useKeys([...moveKeys(texts), ...rows.keys]);
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed query={query} />;
  if (!data || data.total.count === 0)
    return (
      <Empty>
        <p>{texts.noPostsFound}</p>
      </Empty>
    );
  const tracks = `minmax(280px, 1fr) ${columns.map((column) => gridTrackOf(column, widths)).join(' ')}`;
  const listQuery = queryOf(communityId, search);
  return (
    <>
      <div className="table" aria-busy={query.isPlaceholderData} style={{ '--columns': tracks } as React.CSSProperties}>
        {/* biome-ignore lint/a11y/useSemanticElements: columns are tracks of grids */}
        <div
          className="grid"
          role="grid"
          aria-label={words.groupedBy(grouping.label)}
          aria-rowcount={-1}
          aria-colcount={columns.length + 2}
          aria-multiselectable
        >
          <parts.TableHead
            columns={columns}
            widths={widths}
            setWidth={setWidth}
            sorted={{ by: search.order ?? 'recent', desc: orderOf(search).orderDesc }}
            sort={sort}
            selected={selected.size}
            of={posts.length}
            selectAll={(all) => setSelected(new Set(all ? posts.map(({ id }) => id!) : []))}
          />
          {/* The button of a group in it is reached by keyboard. */}
          <div className="rows">
            {data.groups.map((group, index) => (
              <Group
                key={group.id}
                Row={parts.Row}
                communityId={communityId}
                search={search}
                grouping={grouping}
                group={group}
                columns={columns}
                open={isOpen(group.id, index)}
                toggle={() => setOpen({ ...open, [group.id]: !isOpen(group.id, index) })}
                note={note}
                pinned={pinned}
                selected={selected}
                rows={rows}
                peeked={search.peek}
              />
            ))}
            {data.other && (
              <WholeRow columns={columns} className="group-head muted">
                {words.otherGroups(formats.count(data.other.groups))} ·{' '}
                {words.groupCount(formats.count(data.other.posts))}
              </WholeRow>
            )}
          </div>
        </div>
        <footer className="table-foot muted" aria-live="polite">
          {words.groupCount(formats.count(data.total.count))} <Sums of={data.total} columns={columns} />{' '}
          {data.bounded && words.onlyNewest(formats.number(data.total.count))}{' '}
          <button type="button" className="quiet" onClick={() => show({ group: undefined })}>
            {words.ungroup}
          </button>
        </footer>
      </div>
      {selected.size > 0 && (
        <Panel key={JSON.stringify(listQuery)}>
          <BulkBar
            communityId={communityId}
            definition={definition}
            listed={posts}
            total={data.total.count}
            list={listQuery}
            columns={columns}
            selected={selected}
            select={(ids) => setSelected(new Set(ids))}
            onStart={() => {
              if (search.peek !== undefined) show({ peek: undefined });
            }}
          />
        </Panel>
      )}
      {editing && (
        <Panel close={() => setEditing(undefined)}>
          <CellEditor {...editing} onClose={() => setEditing(undefined)} />
        </Panel>
      )}
    </>
  );
}

/** A row that is one cell across all columns. */
function WholeRow({
  className,
  columns,
  children,
}: {
  className?: string;
  columns: readonly Column[];
  children: React.ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the rows of posts
    // biome-ignore lint/a11y/useFocusableInteractive: what it contains has the focus
    <div role="row">
      <GridCell index={1} aria-colspan={columns.length + 2} {...(className && { className })}>
        {children}
      </GridCell>
    </div>
  );
}

/** Opening, selecting and editing of rows, which are not drawn again for it. */
function useRows({
  parts: { readRowClick, postIdOf },
  posts,
  columns,
  selected,
  setSelected,
  search,
  show,
  edit: setEditing,
}: {
  parts: TableParts;
  posts: readonly ListedPost[];
  columns: readonly Column[];
  selected: ReadonlySet<number>;
  setSelected: React.Dispatch<React.SetStateAction<ReadonlySet<number>>>;
  search: ListSearch;
  show: Show;
  edit: (cell: { post: ListedPost; field: ShownField }) => void;
}) {
  const list = useListTexts();
  const router = useRouter();
  const latest = useRef({ posts, columns, show, setEditing });
  latest.current = { posts, columns, show, setEditing };
  const select = useCallback(
    (postId: number, chosen: boolean) =>
      setSelected((before) => {
        const next = new Set(before);
        if (chosen) next.add(postId);
        else next.delete(postId);
        return next;
      }),
    [setSelected],
  );
  const open = useCallback(
    (event: React.MouseEvent<HTMLElement>) => {
      const click = readRowClick(event);
      if (!click) return;
      const { postId, address } = click;
      if (address !== undefined) return void window.open(address, '_blank', 'noopener,noreferrer');
      if (window.matchMedia(WIDE).matches) latest.current.show({ peek: postId });
      else void router.navigate({ to: '/post/$postId', params: { postId: String(postId) } });
    },
    [router, readRowClick],
  );
  const edit = useCallback(
    ({ currentTarget, target }: React.MouseEvent<HTMLElement>) => {
      const key = (target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset['cell'];
      const post = latest.current.posts.find(({ id }) => id === postIdOf(currentTarget));
      const field = latest.current.columns.find((column) => column.key === key)?.field;
      if (post && field) latest.current.setEditing({ post, field });
    },
    [postIdOf],
  );
  const focused = () => posts.find(({ id }) => `post-${id}` === focusedItem()?.dataset['item']);
  const keys = [
    {
      key: 'x',
      label: list.selectKey,
      run: () => {
        const post = focused();
        return post !== undefined && select(post.id!, !selected.has(post.id!));
      },
    },
    {
      key: ' ',
      label: list.peekKey,
      run: () => {
        const post = focused();
        return post !== undefined && show({ peek: search.peek === post.id ? undefined : post.id });
      },
    },
  ];
  return { select, open, edit, keys, href: `${router.basepath}/post/` };
}

/** The sums of numbers, in the order of the columns. */
function Sums({ of: { sums }, columns }: { of: Pick<PostGroup, 'sums'>; columns: readonly Column[] }) {
  const words = useMenuTexts();
  const formats = useFormats();
  return columns.map(({ key, label, field }) => {
    const sum = sums[key];
    if (!field || sum === undefined) return null;
    return (
      <span key={key} className="muted">
        {words.sumOf(label, numberText(field, sum, formats))}
      </span>
    );
  });
}

function Group({
  Row,
  communityId,
  search,
  grouping,
  group,
  columns,
  open,
  toggle,
  note,
  pinned,
  selected,
  rows,
  peeked,
}: Pick<TableParts, 'Row'> & {
  communityId: number;
  search: ListSearch;
  grouping: Grouping;
  group: PostGroup;
  columns: readonly Column[];
  open: boolean;
  toggle: () => void;
  note: (id: string, posts: readonly ListedPost[]) => void;
  pinned: ReadonlySet<number>;
  selected: ReadonlySet<number>;
  rows: ReturnType<typeof useRows>;
  peeked: number | undefined;
}) {
  const texts = useTexts();
  const words = useMenuTexts();
  const formats = useFormats();
  const filter = filterOf(grouping, group.key);
  const name = nameOfGroup(group.key, grouping, texts) ?? words.noneOf(grouping.label);
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="rowgroup" aria-label={name}>
      <WholeRow columns={columns} className="group-head">
        <h2>
          {filter ? (
            <button
              type="button"
              className="quiet"
              data-item={`group-${group.id}`}
              aria-expanded={open}
              onClick={toggle}
            >
              <Icon size={14} className="mirrored" aria-hidden /> {name}
            </button>
          ) : (
            name
          )}
        </h2>
        <span className="muted">{words.groupCount(formats.count(group.count))}</span>
        <Sums of={group} columns={columns} />
      </WholeRow>
      {open && filter && (
        <GroupRows
          communityId={communityId}
          search={search}
          filter={filter}
          group={group}
          note={note}
          columns={columns}
          row={(post) => (
            <Row
              key={post.id}
              post={post}
              pinned={pinned.has(post.id!)}
              columns={columns}
              selected={selected.has(post.id!)}
              select={rows.select}
              peeked={peeked === post.id}
              cursor={undefined}
              href={rows.href}
              open={rows.open}
              edit={rows.edit}
            />
          )}
        />
      )}
    </div>
  );
}

/** The rows of an open group, read by the list with the filter of the group. */
function GroupRows({
  communityId,
  search,
  filter,
  group: { id, count },
  note,
  columns,
  row,
}: {
  communityId: number;
  search: ListSearch;
  filter: NonNullable<ReturnType<typeof filterOf>>;
  group: PostGroup;
  note: (id: string, posts: readonly ListedPost[]) => void;
  columns: readonly Column[];
  row: (post: ListedPost) => React.ReactNode;
}) {
  const words = useMenuTexts();
  const { posts, items } = usePosts(communityId, search, [filter], PAGE);
  useEffect(() => note(id, items), [note, id, items]);
  // The rows that are read, and the line with the button for further ones.
  const lines = Math.min(count, PAGE) + (count > PAGE ? 1 : 0);
  if (posts.isPending)
    return (
      <WholeRow columns={columns}>
        <Loading height={`calc(var(--row) * ${lines})`} />
      </WholeRow>
    );
  if (posts.isError)
    return (
      <WholeRow columns={columns}>
        <Failed query={posts} />
      </WholeRow>
    );
  return (
    <>
      {items.map(row)}
      {posts.hasNextPage && (
        <WholeRow columns={columns} className="group-more">
          <button
            type="button"
            className="small"
            disabled={posts.isFetchingNextPage}
            onClick={() => void posts.fetchNextPage()}
          >
            {words.loadMore}
          </button>
        </WholeRow>
      )}
    </>
  );
}
