import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { portal } from '../portal.ts';
import { nameOf } from '../posts/user-name.ts';
import { useAdminTexts } from './texts.ts';

/** Results of each kind; the lists of people and of groups have all. */
const MOST = 5;

/** People and groups whose names have the words. */
export function useFoundPeople(text: string, mayManage: boolean) {
  return useQuery({
    queryKey: ['admin', 'found', text],
    enabled: mayManage && text !== '',
    queryFn: async ({ signal }) => {
      const asked = { fullTextFilter: text, pageSize: MOST, orderDesc: false };
      const [people, groups] = await Promise.all([
        portal.users.list({ ...asked, orderTypeId: 'lastName' }, { signal }),
        portal.groups.list(asked, { signal }),
      ]);
      return { people: people.items ?? [], groups: groups.items ?? [] };
    },
  });
}

/** Links to found people and groups, and to the lists with the same words. */
export function FoundPeople({
  found: { people, groups },
  text,
  onOpen,
}: {
  found: NonNullable<ReturnType<typeof useFoundPeople>['data']>;
  text: string;
  onOpen: () => void;
}) {
  const texts = useAdminTexts();
  return (
    <>
      {people.length > 0 && (
        <section aria-label={texts.foundPeople}>
          <h2>{texts.foundPeople}</h2>
          {people.map((person) => (
            <Link key={person.id} to="/admin/user/$personId" params={{ personId: String(person.id) }} onClick={onOpen}>
              <span>{nameOf(person) || `#${person.id}`}</span>
              <span className="muted admin-nav-hint">{person.contactEmail}</span>
            </Link>
          ))}
          {people.length === MOST && (
            <Link to="/admin/people" search={{ text }} onClick={onOpen}>
              {texts.allFoundPeople}
            </Link>
          )}
        </section>
      )}
      {groups.length > 0 && (
        <section aria-label={texts.foundGroups}>
          <h2>{texts.foundGroups}</h2>
          {groups.map(({ id, name }) => (
            <Link key={id} to="/admin/group/$groupId" params={{ groupId: String(id) }} onClick={onOpen}>
              <span>{name}</span>
            </Link>
          ))}
          {groups.length === MOST && (
            <Link to="/admin/groups" search={{ text }} onClick={onOpen}>
              {texts.allFoundGroups}
            </Link>
          )}
        </section>
      )}
    </>
  );
}
