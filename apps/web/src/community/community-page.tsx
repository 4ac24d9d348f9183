import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { portal } from '../portal.ts';
import { useCommunities, useDefinition } from '../read.ts';
import { Empty, Failed, Loading } from '../states.tsx';
import { useTexts } from '../texts/index.ts';
import { type ListSearch, orders } from './list-search.ts';
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
    queryKey: ['posts', communityId, search],
    queryFn: ({ pageParam, signal }) =>
      portal.posts.list(
        {
          communityId,
          ...orders[search.order ?? 'recent'],
          ...(search.text !== undefined && { containsText: search.text }),
          ...(search.state !== undefined && { currentWorkflowStatusIds: [search.state] }),
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
  const states = definition.data?.workflowDefinition?.states?.filter(({ deleted }) => !deleted) ?? [];
  const filtered = search.text !== undefined || search.state !== undefined;

  return (
    <div className="page">
      <header className="toolbar">
        <h1>{name}</h1>
        <TextFilter
          key={communityId}
          value={search.text ?? ''}
          onChange={(text) => show({ text: text || undefined })}
        />
        {states.length > 0 && (
          <NativeSelect
            aria-label={texts.state}
            data={[
              { value: '', label: texts.anyState },
              ...states.map((state) => ({ value: String(state.id), label: state.name ?? '' })),
            ]}
            value={search.state ?? ''}
            onChange={({ currentTarget: { value } }) => show({ state: value === '' ? undefined : Number(value) })}
            w={180}
          />
        )}
        <NativeSelect
          aria-label={texts.order}
          data={[
            { value: 'recent', label: texts.orderRecent },
            { value: 'created', label: texts.orderCreated },
            { value: 'title', label: texts.orderTitle },
          ]}
          value={search.order ?? 'recent'}
          onChange={({ currentTarget: { value } }) =>
            show({ order: value === 'recent' ? undefined : (value as ListSearch['order']) })
          }
          w={180}
        />
      </header>
      {posts.isPending ? (
        <Loading />
      ) : posts.isError ? (
        <Failed error={posts.error} retry={() => void posts.refetch()} />
      ) : items.length === 0 ? (
        <Empty>
          <p>{filtered ? texts.noPostsFound : texts.noPosts}</p>
          {filtered && (
            <Button variant="default" onClick={() => show({ text: undefined, state: undefined })}>
              {texts.clearFilters}
            </Button>
          )}
        </Empty>
      ) : (
        <PostTable
          posts={items}
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
