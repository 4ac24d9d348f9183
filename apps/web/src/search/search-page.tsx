import '../home/home.css';
import './search.css';
import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Empty, Failed, Loaded, Loading } from '../placeholders.tsx';
import { StateLabel } from '../posts/state-label.tsx';
import { nameOf } from '../posts/user-name.ts';
import { useCommunities } from '../shared-queries.ts';
import { moveKeys, useKeys } from '../shell/keys.ts';
import { Popup } from '../shell/popup.tsx';
import { SearchField } from '../shell/search-field.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';
import type { SearchAddress } from './search-address.ts';
import { useSearchTexts } from './texts.ts';
import { type CommunityHits, MAX_COMMUNITIES, usePostSearch, useStateNames } from './use-post-search.ts';

/** Posts of all communities that match the words, states and communities of the address. */
export function SearchPage() {
  const texts = useTexts();
  const words = useSearchTexts();
  const navigate = useNavigate();
  const address = useSearch({ from: '/shell/search' });
  const { text = '', states = [], communities: chosen = [] } = address;
  const known = useCommunities().data ?? [];
  const communities = chosen.length === 0 ? known : known.filter(({ id }) => chosen.includes(id!));
  const show = (change: SearchAddress) => {
    const { text: words = '', states: names = [], communities: ids = [] } = { ...address, ...change };
    void navigate({
      to: '/search',
      search: {
        ...(words !== '' && { text: words }),
        ...(names.length > 0 && { states: names }),
        ...(ids.length > 0 && { communities: ids }),
      },
      replace: true,
    });
  };
  useTitle(words.title);
  useKeys(moveKeys(texts));
  const found = usePostSearch(address, communities);
  const filtered = states.length > 0 || chosen.length > 0;
  return (
    <div className="home search">
      <h1>{words.title}</h1>
      <SearchField label={words.placeholder} value={text} onChange={(next) => show({ text: next })} autoFocus />
      <div className="search-filters">
        <StateFilter communities={communities} chosen={states} onChange={(next) => show({ states: next })} />
        <MultiSelect
          label={words.community}
          options={known.map(({ id, name }) => [id!, name || texts.untitled])}
          chosen={chosen}
          onChange={(next) => show({ communities: next })}
        />
        {filtered && (
          <button type="button" className="quiet" onClick={() => show({ states: [], communities: [] })}>
            {texts.clearFilters}
          </button>
        )}
        <Count found={found.data} communities={communities.length} />
      </div>
      {found.isEnabled ? (
        <Loaded query={found}>
          {({ groups, total }) =>
            total > 0 ? (
              groups.map((group) => <Group key={group.community.id} found={group} text={text} />)
            ) : (
              <Empty>
                <p>{filtered ? texts.noPostsFound : words.nothing}</p>
                {filtered && (
                  <Button variant="default" onClick={() => show({ states: [], communities: [] })}>
                    {texts.clearFilters}
                  </Button>
                )}
              </Empty>
            )
          }
        </Loaded>
      ) : (
        <Empty>
          <p>{words.hint}</p>
        </Empty>
      )}
    </div>
  );
}

/** The number of found posts, and whether some communities were not searched. */
function Count({
  found,
  communities,
}: {
  found: { groups: readonly CommunityHits[]; total: number } | undefined;
  communities: number;
}) {
  const words = useSearchTexts();
  const formats = useFormats();
  return (
    <span className="search-count muted" role="status">
      {found && found.total > 0 && words.count(found.total, formats.number(found.total))}
      {found && communities > MAX_COMMUNITIES && ` ${words.onlySome(formats.number(MAX_COMMUNITIES))}`}
    </span>
  );
}

/** States by name; the states of the communities are read when the list opens. */
function StateFilter({
  communities,
  chosen,
  onChange,
}: {
  communities: Parameters<typeof useStateNames>[0];
  chosen: readonly string[];
  onChange: (names: readonly string[]) => void;
}) {
  const texts = useTexts();
  const [opened, setOpened] = useState(false);
  const names = useStateNames(communities, opened);
  return (
    <MultiSelect
      label={texts.state}
      options={[...new Set([...(names.data ?? []), ...chosen])].map((name) => [name, name])}
      chosen={chosen}
      onChange={onChange}
      onOpen={() => setOpened(true)}
    >
      {names.isPending ? <Loading /> : names.isError && <Failed query={names} />}
    </MultiSelect>
  );
}

/**
 * A button that names the chosen values, and the list to choose from. The list stays open while
 * several values are chosen.
 */
function MultiSelect<Id extends string | number>({
  label,
  options,
  chosen,
  onChange,
  onOpen,
  children,
}: {
  label: string;
  options: readonly (readonly [id: Id, label: string])[];
  chosen: readonly Id[];
  onChange: (chosen: readonly Id[]) => void;
  onOpen?: () => void;
  children?: ReactNode;
}) {
  const names = options.flatMap(([id, name]) => (chosen.includes(id) ? name : []));
  return (
    <Popup
      className="small clip"
      label={label}
      button={
        <>
          <span className="clip">{names.length > 0 ? `${label}: ${names.join(', ')}` : label}</span>
          <ChevronDown size={14} aria-hidden />
        </>
      }
      {...(onOpen && { onOpen })}
    >
      <div className="options">
        {options.map(([id, name]) => (
          <label key={id} className="option">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...chosen, id] : chosen.filter((other) => other !== id))
              }
            />
            {name}
          </label>
        ))}
        {children}
      </div>
    </Popup>
  );
}

/** The found posts of a community. */
function Group({ found, text }: { found: CommunityHits; text: string }) {
  const { community, items, total, stateIds } = found;
  const texts = useTexts();
  const words = useSearchTexts();
  const formats = useFormats();
  const name = community.name || texts.untitled;
  return (
    <section className="row-list">
      <header>
        <h2>{name}</h2>
        <span className="muted">
          {total > items.length ? words.of(formats.number(items.length), formats.number(total)) : formats.number(total)}
        </span>
        <Link
          to="/community/$communityId"
          params={{ communityId: String(community.id) }}
          search={{
            view: 0,
            ...(text !== '' && { text }),
            ...(stateIds.length > 0 && { filters: [['state', 'in', ...stateIds]] }),
          }}
          className="end"
        >
          {words.all(name)}
        </Link>
      </header>
      <ul>
        {items.map((post) => (
          <li key={post.id} className="list-row compact">
            <div className="list-row-text">
              <Link
                to="/post/$postId"
                params={{ postId: String(post.id) }}
                className="list-row-title"
                data-item={`found-${post.id}`}
              >
                {post.title || texts.untitled}
              </Link>
              <span className="list-row-details">
                <span>{nameOf(post.creatorUser)}</span>
              </span>
            </div>
            <StateLabel state={post.currentWorkflowState} />
            <time className="list-row-time">
              {post.lastModifyTimestamp !== undefined && formats.age(post.lastModifyTimestamp)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
