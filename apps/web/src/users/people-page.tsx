import { CommunitySelect } from '../communities/community-select.tsx';
import './people.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Mail, X } from 'lucide-react';
import { Empty, Loaded } from '../placeholders.tsx';
import { portal } from '../portal.ts';
import { nameOf } from '../posts/user-name.ts';
import { useCommunities } from '../shared-queries.ts';
import { Avatar } from '../shell/avatar.tsx';
import { moveKeys, useKeys } from '../shell/keys.ts';
import { SearchField } from '../shell/search-field.tsx';
import { useTexts } from '../texts/index.ts';
import { usePages } from '../use-pages.ts';
import { useTitle } from '../use-title.ts';
import type { PeopleSearch } from './people-search.ts';
import { usePeopleTexts } from './texts.ts';

type Person = NonNullable<Awaited<ReturnType<typeof portal.users.find>>['items']>[number];

/** The people of the address, and the chosen one, who may not be among the loaded people. */
function usePeople({ text, community, person }: PeopleSearch) {
  const people = usePages(['people', text, community], (page, { signal }) =>
    portal.users.find(
      {
        pageSize: 100,
        ...(text !== undefined && { fullTextFilter: text }),
        ...(community !== undefined && { communityId: community }),
        ...page,
      },
      { signal },
    ),
  );
  const items = people.data ?? [];
  const listed = items.find(({ id }) => id === person);
  const named = useQuery({
    queryKey: ['people', 'one', person],
    enabled: person !== undefined && people.isSuccess && !listed,
    queryFn: async () => (await portal.users.find({ ids: [person!] })).items?.[0] ?? null,
  }).data;
  const chosen = listed ?? named;
  return { people, items, chosen };
}

/** People who share a community with the caller; a chosen person is shown beside the list. */
export function PeoplePage() {
  const texts = useTexts();
  const words = usePeopleTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/people' });
  const { text, community, person } = search;
  const communities = useCommunities().data ?? [];
  const { people, items, chosen } = usePeople(search);
  const show = (change: { [K in keyof PeopleSearch]: PeopleSearch[K] | undefined }) =>
    void navigate({
      to: '/people',
      search: Object.fromEntries(
        Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined),
      ) as PeopleSearch,
      replace: true,
    });
  useTitle(texts.people);
  useKeys(moveKeys(texts));
  return (
    <div className="page">
      <header className="toolbar">
        <h1>{texts.people}</h1>
        <SearchField label={words.find} value={text ?? ''} onChange={(value) => show({ text: value || undefined })} />
        <CommunitySelect
          communities={communities}
          value={community}
          all={words.allCommunities}
          onChange={(id) => show({ community: id })}
        />
      </header>
      <Loaded query={people}>
        {() =>
          items.length === 0 ? (
            <Empty>
              <p>{text === undefined ? words.nobody : words.nobodyFound}</p>
            </Empty>
          ) : (
            <div className="people">
              <PeopleList people={people} items={items} person={person} choose={(id) => show({ person: id })} />
              {chosen && <PersonCard person={chosen} close={() => show({ person: undefined })} />}
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

function PeopleList({
  people,
  items,
  person,
  choose,
}: {
  people: ReturnType<typeof usePeople>['people'];
  items: readonly Person[];
  /** The chosen person. */
  person: number | undefined;
  choose: (person: number | undefined) => void;
}) {
  const texts = useTexts();
  return (
    <ul>
      {items.map((each) => (
        <li key={each.id}>
          <button
            type="button"
            className="person"
            data-item={`person-${each.id}`}
            aria-pressed={each.id === person}
            onClick={() => choose(each.id === person ? undefined : each.id!)}
          >
            <Avatar user={each} size={28} />
            <span className="person-text">
              <span className="clip person-name">{nameOf(each)}</span>
              <span className="clip muted">{each.caption ?? each.contactEmail}</span>
            </span>
          </button>
          {each.id === person && <PersonCard person={each} close={() => choose(undefined)} inline />}
        </li>
      ))}
      {people.hasNextPage && (
        <li>
          <button type="button" className="quiet" onClick={() => void people.fetchNextPage()}>
            {texts.loadMore}
          </button>
        </li>
      )}
    </ul>
  );
}

/**
 * Contact data of a person, and links to their posts.
 * @param inline whether it is within the list, if there is no room beside it
 */
function PersonCard({ person, close, inline = false }: { person: Person; close: () => void; inline?: boolean }) {
  const texts = useTexts();
  const words = usePeopleTexts();
  const communities = useCommunities().data ?? [];
  return (
    <aside className={inline ? 'person-card inline' : 'person-card'} aria-label={nameOf(person)}>
      <header>
        <Avatar user={person} size={48} />
        <div>
          <h2>{nameOf(person)}</h2>
          <p className="muted">{person.caption}</p>
        </div>
        <button type="button" className="quiet" aria-label={texts.close} onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </header>
      {person.contactEmail && (
        <p>
          <Mail size={14} aria-hidden /> <a href={`mailto:${person.contactEmail}`}>{person.contactEmail}</a>
        </p>
      )}
      <h3>{words.postsIn}</h3>
      <ul>
        {communities.map(({ id, name }) => (
          <li key={id}>
            <Link
              to="/community/$communityId"
              params={{ communityId: String(id) }}
              search={{ filters: [['author', 'in', person.id!]] }}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </aside>
  );
}
