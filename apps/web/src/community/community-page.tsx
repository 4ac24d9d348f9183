import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { portal } from '../portal.ts';
import { useCommunities, useDefinition } from '../read.ts';
import { Empty, Failed, Loading } from '../states.tsx';
import { useTexts } from '../texts/index.ts';
import { ColumnMenu } from './column-menu.tsx';
import { columnsOf } from './columns.ts';
import { FilterBar } from './filter-bar.tsx';
import { wireOf } from './filters.ts';
import { type ListSearch, type Order, orderOf } from './list-search.ts';
import { PostTable } from './post-table.tsx';

const PAGE = 100;

/** The posts of a community, filtered and ordered as the address says. */
export function CommunityPage() {
  const texts = useTexts();
  const navigate = useNavigate();
  const communityId = Number(useParams({ from: '/shell/community/$communityId' }).communityId);
  const search = useSearch({ from: '/shell/community/$communityId' });
  const name = useCommunities().data?.find(({ id }) => id === communityId)?.name;
  const definition = useDefinition(communityId);
  const posts = useInfiniteQuery({
    queryKey: ['posts', communityId, wireOf(search.filters ?? []), orderOf(search), search.text],
    queryFn: ({ pageParam, signal }) =>
      portal.posts.list(
        {
          communityId,
          ...wireOf(search.filters ?? []),
          ...orderOf(search),
          ...(search.text !== undefined && { containsText: search.text }),
          pageSize: PAGE,
          ...(pageParam !== '' && { pageToken: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
  });
  const show = (change: Partial<ListSearch>) =>
    void navigate({
      to: '/community/$communityId',
      params: { communityId: String(communityId) },
      search: Object.fromEntries(Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)),
      replace: true,
    });
  useEffect(() => {
    document.title = name === undefined ? 'Portico' : `${name} · Portico`;
  }, [name]);
  const items = posts.data?.pages.flatMap(({ items: page = [] }) => page) ?? [];
  const filtered = search.text !== undefined || (search.filters?.length ?? 0) > 0;
  const columns = definition.data ? columnsOf(definition.data, texts) : [];
  const chosen = search.columns ?? columns.filter(({ usual }) => usual).map(({ key }) => key);
  const { orderDesc } = orderOf(search);
  const sort = (order: Order, desc?: boolean) =>
    show({ order: order === 'recent' && desc === undefined ? undefined : order, desc });

  return (
    <div className="page">
      <header className="toolbar">
        <h1>{name}</h1>
        <TextFilter
          key={communityId}
          value={search.text ?? ''}
          onChange={(text) => show({ text: text || undefined })}
        />
        <NativeSelect
          aria-label={texts.order}
          data={[
            { value: 'recent', label: texts.orderRecent },
            { value: 'title', label: texts.title },
            ...columns.flatMap(({ order, label }) => (order === undefined ? [] : [{ value: order, label }])),
          ]}
          value={search.order ?? 'recent'}
          onChange={({ currentTarget: { value } }) => sort(value as Order)}
          w={180}
        />
        <button
          type="button"
          className="quiet"
          aria-label={orderDesc ? texts.highestFirst : texts.lowestFirst}
          onClick={() => sort(search.order ?? 'recent', !orderDesc)}
        >
          {orderDesc ? <ArrowDown size={14} aria-hidden /> : <ArrowUp size={14} aria-hidden />}
        </button>
        <ColumnMenu columns={columns} chosen={chosen} onChange={(next) => show({ columns: next })} />
        {definition.data && (
          <FilterBar
            definition={definition.data}
            filters={search.filters ?? []}
            onChange={(filters) => show({ filters: filters.length > 0 ? filters : undefined })}
          />
        )}
      </header>
      {posts.isPending ? (
        <Loading />
      ) : posts.isError ? (
        <Failed error={posts.error} retry={() => void posts.refetch()} />
      ) : items.length === 0 ? (
        <Empty>
          <p>{filtered ? texts.noPostsFound : texts.noPosts}</p>
          {filtered && (
            <Button variant="default" onClick={() => show({ text: undefined, filters: undefined })}>
              {texts.clearFilters}
            </Button>
          )}
        </Empty>
      ) : (
        <PostTable
          posts={items}
          columns={chosen.flatMap((key) => columns.find((column) => column.key === key) ?? [])}
          sorted={{ by: search.order ?? 'recent', desc: orderDesc }}
          sort={sort}
          more={posts.hasNextPage && !posts.isFetchingNextPage ? () => void posts.fetchNextPage() : undefined}
        />
      )}
    </div>
  );
}

/** Filters when the typing pauses. */
function TextFilter({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const texts = useTexts();
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(onChange, 250);
  useEffect(() => setText(value), [value]);
  return (
    <TextInput
      type="search"
      aria-label={texts.searchPosts}
      placeholder={texts.searchPosts}
      leftSection={<Search size={14} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
      w={220}
    />
  );
}
