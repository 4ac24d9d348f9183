import './community.css';
import { Button } from '@mantine/core';
import type { GetPostDefinitionResponse } from '@portico/sdk';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Ellipsis } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { Empty, Failed, Loading } from '../placeholders.tsx';
import { useCommunities, useDefinition } from '../shared-queries.ts';
import { Popup } from '../shell/popup.tsx';
import { SearchField } from '../shell/search-field.tsx';
import { SegmentedControl } from '../shell/segmented-control.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';
import { FirstPostButton } from '../write/new-post-button.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { type Column, columnsOf } from './columns.ts';
import { FavouriteCommunity } from './favourite-community.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type ListSearch, layouts, type Order, orderOf, type Show } from './list-search.ts';
import { PostTable, postIdOf, Row, readRowClick } from './post-table.tsx';
import { TableHead } from './table-head.tsx';
import { useListTexts } from './texts.ts';
import { usePinned, usePosts } from './use-posts.ts';
import { ICONS, ViewBar } from './view-bar.tsx';
import { hasNoSettings, useChosenView } from './views.ts';

const Board = part(() => import('./board.tsx'), 'Board');
const Calendar = part(() => import('./calendar.tsx'), 'Calendar');
const BulkBar = part(() => import('./bulk/bulk-bar.tsx'), 'BulkBar');
const CalendarAddress = part(() => import('./list-menu.tsx'), 'CalendarAddress');
const ListMenu = part(() => import('./list-menu.tsx'), 'ListMenu');
const FoundByWords = part(() => import('../search/found-by-words.tsx'), 'FoundByWords');
const GroupedTable = part(() => import('./grouped/grouped-table.tsx'), 'GroupedTable');
const MarkSeen = part(() => import('./mark-seen.tsx'), 'MarkSeen');
const Peek = part(() => import('./peek.tsx'), 'Peek');

/** The posts of a community, filtered, ordered and laid out as the address says. */
export function CommunityPage() {
  const texts = useTexts();
  const navigate = useNavigate();
  const communityId = Number(useParams({ from: '/shell/community/$communityId' }).communityId);
  const address = useSearch({ from: '/shell/community/$communityId' });
  const name = useCommunities().data?.find(({ id }) => id === communityId)?.name;
  const definition = useDefinition(communityId);
  const { search, chosen, changed, unsupported, pending } = useChosenView(communityId, address, definition.data);
  const show: Show = (change) => {
    const next = Object.fromEntries(
      Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined),
    ) as ListSearch;
    void navigate({
      to: '/community/$communityId',
      params: { communityId: String(communityId) },
      // An address without settings shows the settings of the view.
      search:
        hasNoSettings(next) && !hasNoSettings(search)
          ? { view: 0, ...next, ...(next.view !== undefined && { view: 0 }) }
          : next,
      replace: true,
    });
  };
  useTitle(name ?? '');
  /** Whether a phone shows what selects rows. */
  const [choosing, setChoosing] = useState(false);
  const columns = useMemo(() => (definition.data ? columnsOf(definition.data, texts) : []), [definition.data, texts]);
  const peek = (postId: number | undefined) => show({ peek: postId });

  return (
    <div className="page">
      <Head
        communityId={communityId}
        name={name}
        columns={columns}
        definition={definition.data}
        search={search}
        show={show}
        choose={() => setChoosing(!choosing)}
        views={
          <ViewBar
            communityId={communityId}
            search={search}
            chosen={chosen}
            changed={changed}
            unsupported={unsupported}
          />
        }
      />
      <div className="beside" {...(choosing && { 'data-choosing': '' })}>
        <div className="page">
          {search.text !== undefined && (
            <Panel fallback={null}>
              <FoundByWords communityId={communityId} text={search.text} />
            </Panel>
          )}
          <Posts
            query={definition}
            pending={pending}
            communityId={communityId}
            columns={columns}
            search={search}
            show={show}
          />
        </div>
        {search.peek !== undefined && (
          <Panel>
            <Peek postId={search.peek} close={() => peek(undefined)} />
          </Panel>
        )}
      </div>
    </div>
  );
}

/** Parts that a table with groups shares with the table of this page: in files of their own, both would compress worse. */
const TABLE_PARTS = { Row, TableHead, readRowClick, postIdOf };

/** The posts in the chosen layout. */
function Posts({
  query,
  pending,
  communityId,
  columns,
  search,
  show,
}: {
  query: ReturnType<typeof useDefinition>;
  /** Whether the chosen view is not yet known. */
  pending: boolean;
  communityId: number;
  columns: readonly Column[];
  search: ListSearch;
  show: Show;
}) {
  const { layout = 'table' } = search;
  const definition = query.data;
  if (query.isError) return <Failed query={query} />;
  if (pending) return <Loading />;
  if (layout === 'table' && !search.group) {
    return (
      <Table
        key={communityId}
        communityId={communityId}
        definition={definition}
        columns={columns}
        search={search}
        show={show}
      />
    );
  }
  if (!definition) return null;
  return (
    <Panel key={layout} fallback={<Loading />}>
      {layout === 'table' && (
        <GroupedTable
          parts={TABLE_PARTS}
          communityId={communityId}
          definition={definition}
          columns={columns.filter(({ key }) => chosenOf(search, columns).includes(key))}
          search={search}
          show={show}
          sort={(order, desc) => show(sortBy(search, columns, order, desc))}
        />
      )}
      {layout === 'board' && <Board communityId={communityId} definition={definition} search={search} />}
      {layout === 'calendar' && (
        <Calendar communityId={communityId} definition={definition} search={search} show={show} />
      )}
    </Panel>
  );
}

function Head({
  communityId,
  name,
  columns,
  definition,
  search,
  show,
  choose,
  views,
}: {
  communityId: number;
  name: string | undefined;
  columns: readonly Column[];
  definition: GetPostDefinitionResponse | undefined;
  search: ListSearch;
  show: Show;
  choose: () => void;
  views: ReactNode;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const { layout = 'table' } = search;
  const { orderDesc } = orderOf(search);
  const community = useCommunities().data?.find(({ id }) => id === communityId);
  const mayBuild = community?.adminCapabilities?.editCommunity === true;
  const [more, setMore] = useState(false);
  const [calendar, setCalendar] = useState(false);
  return (
    <header className="toolbar">
      <h1>
        {name} <FavouriteCommunity communityId={communityId} />{' '}
        <Panel fallback={null}>
          <MarkSeen communityId={communityId} />
        </Panel>
      </h1>
      <Popup
        label={list.more}
        button={<Ellipsis size={14} aria-label={list.more} />}
        onOpen={() => setMore(true)}
        onClose={() => setMore(false)}
      >
        {more && (
          <Panel>
            <ListMenu
              communityId={communityId}
              search={search}
              columns={chosenOf(search, columns)}
              definition={definition}
              show={show}
              mayBuild={mayBuild}
              askForCalendar={() => setCalendar(true)}
              choose={choose}
            />
          </Panel>
        )}
      </Popup>
      {calendar && (
        <Panel close={() => setCalendar(false)}>
          <CalendarAddress communityId={communityId} onClose={() => setCalendar(false)} />
        </Panel>
      )}
      <SearchField
        key={communityId}
        label={texts.searchPosts}
        value={search.text ?? ''}
        onChange={(text) => show({ text: text || undefined })}
      />
      {/* They keep their place even when they have no use, so that their neighbours do not move. */}
      <div className="table-controls" inert={layout !== 'table'}>
        <select
          className="field auto"
          aria-label={texts.order}
          value={search.order ?? 'recent'}
          onChange={({ currentTarget: { value } }) => show(sortBy(search, columns, value as Order))}
        >
          <option value="recent">{texts.orderRecent}</option>
          <option value="title">{texts.title}</option>
          {columns.map(
            ({ order, label }) =>
              order !== undefined &&
              order !== 'recent' && (
                <option key={order} value={order}>
                  {label}
                </option>
              ),
          )}
        </select>
        <button
          type="button"
          className="quiet"
          aria-label={orderDesc ? texts.highestFirst : texts.lowestFirst}
          onClick={() => show(sortBy(search, columns, search.order ?? 'recent', !orderDesc))}
        >
          {orderDesc ? <ArrowDown size={14} aria-hidden /> : <ArrowUp size={14} aria-hidden />}
        </button>
        <ColumnMenu columns={columns} chosen={chosenOf(search, columns)} onChange={(next) => show({ columns: next })} />
      </div>
      <SegmentedControl
        label={list.layout}
        options={layouts.map((each) => {
          const Icon = ICONS[each];
          return { value: each, label: list.layouts[each], icon: <Icon size={16} aria-hidden /> };
        })}
        value={layout}
        onChange={(each) => show({ layout: each === 'table' ? undefined : each, peek: undefined })}
      />
      <div className="narrowing">
        {views}
        {definition && (
          <FilterBar
            definition={definition}
            filters={search.filters ?? []}
            onChange={(filters) => show({ filters: filters.length > 0 ? filters : undefined })}
          />
        )}
      </div>
    </header>
  );
}

const chosenOf = ({ columns: chosen, order = 'recent' }: ListSearch, columns: readonly Column[]) =>
  chosen ?? columns.filter((column) => column.shownByDefault || column.order === order).map(({ key }) => key);

/** Changes the order, and shows the column of that order. */
function sortBy(search: ListSearch, columns: readonly Column[], order: Order, desc?: boolean) {
  const chosen = search.columns;
  return {
    order: order === 'recent' && desc === undefined ? undefined : order,
    desc,
    ...(chosen && {
      columns: columns.filter((column) => chosen.includes(column.key) || column.order === order).map(({ key }) => key),
    }),
  };
}

function Table({
  communityId,
  definition,
  columns,
  search,
  show,
}: {
  communityId: number;
  definition: GetPostDefinitionResponse | undefined;
  columns: readonly Column[];
  search: ListSearch;
  show: Show;
}) {
  const texts = useTexts();
  const list = useListTexts();
  const formats = useFormats();
  const { query, posts, items, total, newCount, reload } = usePosts(communityId, search);
  const pinned = usePinned(communityId);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const select = useCallback(
    (postId: number, chosen: boolean) =>
      setSelected((before) => {
        const next = new Set(before);
        if (chosen) next.add(postId);
        else next.delete(postId);
        return next;
      }),
    [],
  );
  const keys = chosenOf(search, columns).join(' ');
  const shown = useMemo(
    () => keys.split(' ').flatMap((key) => columns.find((column) => column.key === key) ?? []),
    [keys, columns],
  );
  if (posts.isPending) return <Loading />;
  if (posts.isError) return <Failed query={posts} />;
  const filtered = search.text !== undefined || (search.filters?.length ?? 0) > 0;
  return (
    <>
      {newCount > 0 && (
        <button type="button" className="small new-posts" onClick={() => void reload()}>
          <ArrowUp size={14} aria-hidden /> {list.newPosts(formats.count(newCount))}
        </button>
      )}
      {items.length === 0 ? (
        <Empty>
          <p>{filtered ? texts.noPostsFound : texts.noPosts}</p>
          {!filtered && <FirstPostButton communityId={communityId} />}
          {filtered && (
            <Button variant="default" onClick={() => show({ text: undefined, filters: undefined })}>
              {texts.clearFilters}
            </Button>
          )}
        </Empty>
      ) : (
        <PostTable
          communityId={communityId}
          posts={items}
          pinned={pinned}
          total={total}
          columns={shown}
          sorted={{ by: search.order ?? 'recent', desc: orderOf(search).orderDesc }}
          sort={(order, desc) => show(sortBy(search, columns, order, desc))}
          stale={posts.isPlaceholderData}
          more={
            posts.hasNextPage && !posts.isFetchingNextPage && !posts.isPlaceholderData
              ? () => void posts.fetchNextPage()
              : undefined
          }
          selected={selected}
          select={select}
          selectAll={(all) => setSelected(new Set(all ? items.map(({ id }) => id!) : []))}
          peeked={search.peek}
          peek={(postId) => show({ peek: postId })}
        />
      )}
      {selected.size > 0 && definition && (
        <Panel key={JSON.stringify(query)}>
          <BulkBar
            communityId={communityId}
            definition={definition}
            listed={items}
            total={total}
            list={query}
            columns={shown}
            selected={selected}
            select={(ids) => setSelected(new Set(ids))}
            // The post shown beside the list may be among the changed or deleted posts.
            onStart={() => {
              if (search.peek !== undefined) show({ peek: undefined });
            }}
          />
        </Panel>
      )}
    </>
  );
}
