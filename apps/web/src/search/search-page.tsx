import '../home/home.css';
import './search.css';
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { Community } from '@portico/sdk';
import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { portal } from '../portal.ts';
import { StateLabel } from '../post/state-label.tsx';
import { nameOf } from '../post/user-name.ts';
import { useCommunities } from '../read.ts';
import { moveFocus, useKeys } from '../shell/keys.ts';
import { Empty, Failed, Loading } from '../states.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { useSearchTexts } from './texts.ts';

/** Posts of each community that are shown; all of them are in its list. */
const EACH = 5;
/** Communities that are searched; the first by name. */
const MOST = 30;

/** Posts of all communities that have the words of the address. */
export function SearchPage() {
  const texts = useTexts();
  const words = useSearchTexts();
  const navigate = useNavigate();
  const { text = '' } = useSearch({ from: '/shell/search' });
  const communities = (useCommunities().data ?? []).slice(0, MOST);
  const [typed, setTyped] = useState(text);
  const later = useDebouncedCallback(
    (next: string) => void navigate({ to: '/search', search: next === '' ? {} : { text: next }, replace: true }),
    250,
  );
  useEffect(() => setTyped((before) => (before.trim() === text ? before : text)), [text]);
  useEffect(() => {
    document.title = `${words.title} · Portico`;
  }, [words]);
  useKeys([
    { key: 'j', label: texts.next, run: () => moveFocus(1) },
    { key: 'k', label: texts.previous, run: () => moveFocus(-1) },
  ]);
  const found = useQueries({
    queries: communities.map(({ id }) => ({
      queryKey: ['posts', id, 'search', text],
      enabled: text.length > 1,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        portal.posts.list(
          {
            communityId: id!,
            containsText: text,
            pageSize: EACH,
            fields: 'id,customId,title,currentWorkflowState,creatorUser,lastModifyTimestamp',
          },
          { signal },
        ),
    })),
  });
  const failed = found.find(({ isError }) => isError);
  const pending = found.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle');
  const groups = communities.flatMap((community, index) => {
    const { items = [], nextPageToken } = found[index]?.data ?? {};
    return items.length > 0 ? [{ community, items, more: nextPageToken !== undefined }] : [];
  });
  return (
    <div className="home">
      <h1>{words.title}</h1>
      <TextInput
        type="search"
        aria-label={words.placeholder}
        placeholder={words.placeholder}
        leftSection={<Search size={14} aria-hidden />}
        autoFocus
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          later(value.trim());
        }}
      />
      {text.length < 2 ? (
        <Empty>
          <p>{words.hint}</p>
        </Empty>
      ) : failed ? (
        <Failed error={failed.error} retry={() => void failed.refetch()} />
      ) : groups.length > 0 ? (
        groups.map((group) => <Found key={group.community.id} {...group} text={text} />)
      ) : pending ? (
        <Loading />
      ) : (
        <Empty>
          <p>{words.nothing}</p>
        </Empty>
      )}
    </div>
  );
}

type Posts = NonNullable<Awaited<ReturnType<typeof portal.posts.list>>['items']>;

/** What was found in a community. */
function Found({
  community: { id, name = '' },
  items,
  more,
  text,
}: {
  community: Community;
  items: Posts;
  more: boolean;
  text: string;
}) {
  const texts = useTexts();
  const words = useSearchTexts();
  const formats = useFormats();
  return (
    <section className="work-list">
      <header>
        <h2>{name || texts.untitled}</h2>
        {more && (
          <Link to="/community/$communityId" params={{ communityId: String(id) }} search={{ text }} className="end">
            {words.all(name)}
          </Link>
        )}
      </header>
      <ul>
        {items.map((post) => (
          <li key={post.id} className="work compact">
            <div className="work-text">
              <Link
                to="/post/$postId"
                params={{ postId: String(post.id) }}
                className="work-title"
                data-item={`found-${post.id}`}
              >
                {post.title || texts.untitled}
              </Link>
              <span className="work-why">
                <span>{nameOf(post.creatorUser)}</span>
              </span>
            </div>
            <StateLabel state={post.currentWorkflowState} />
            <time className="work-age">
              {post.lastModifyTimestamp !== undefined && formats.age(post.lastModifyTimestamp)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
