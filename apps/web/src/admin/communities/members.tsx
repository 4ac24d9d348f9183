import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Empty, Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { nameOf } from '../../posts/user-name.ts';
import { useRights } from '../../shared-queries.ts';
import { SearchField } from '../../shell/search-field.tsx';
import { usePages } from '../../use-pages.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { useRoles } from '../roles/use-roles.ts';
import { type AdminColumn, AdminList, AdminTable } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import type { ListedPerson } from '../users/people-screen.tsx';
import { type CommunitiesTexts, useCommunitiesTexts } from './texts.ts';

type Grant = NonNullable<Output<'listCommunityMembers'>['items']>[number];

/** Every role that was given in a community, in its workspace, or everywhere. */
const useGrants = (communityId: number) =>
  useQuery({
    queryKey: ['admin', 'grants', communityId],
    queryFn: async () => {
      const grants: Grant[] = [];
      for await (const grant of portal.communities.iterateMembers({ communityId, pageSize: 500, limit: 2_000 }))
        grants.push(grant);
      return grants;
    },
  });

/** The name of a role by its id. */
function useRoleName(): (id: number | undefined) => string {
  const roles = useRoles().data?.roles ?? [];
  return (id) => roles.find((role) => role.id === id)?.name ?? `#${id}`;
}

/** The roles of a person with the ways by which they have them. */
function waysOf(
  person: ListedPerson,
  grants: readonly Grant[],
  roleName: (id: number | undefined) => string,
  words: CommunitiesTexts,
): readonly string[] {
  return grants.flatMap(({ user, group, roleId, givenIn }) => {
    const source = words.sources[givenIn!];
    if (user) return user.id === person.id ? [`${roleName(roleId)}: ${source}`] : [];
    const through = person.groups?.some(({ groupId }) => groupId === group?.id);
    return through ? [`${roleName(roleId)}: ${words.throughGroup(group?.name ?? '', source)}`] : [];
  });
}

/** The people with a role in a community, and each way by which they have it. */
export function EffectivePeople({ communityId }: { communityId: number }) {
  // The right to see people is missing: only the given roles are shown.
  const seesPeople = useRights().data?.has('manageUsers') ?? false;
  return seesPeople && <PeopleWithWays communityId={communityId} />;
}

function PeopleWithWays({ communityId }: { communityId: number }) {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const roleName = useRoleName();
  const [text, setText] = useState('');
  const grants = useGrants(communityId).data ?? [];
  const people = usePages(['admin', 'community-people', communityId, text], (page, { signal }) =>
    portal.users.list(
      { communityIds: [communityId], includeAccess: true, fullTextFilter: text, pageSize: 50, ...page },
      { signal },
    ),
  );
  const columns: readonly AdminColumn<ListedPerson>[] = [
    {
      key: 'name',
      label: texts.name,
      cell: (person) => (
        <Link to="/admin/user/$personId" params={{ personId: String(person.id) }}>
          {nameOf(person) || `#${person.id}`}
        </Link>
      ),
    },
    {
      key: 'role',
      label: words.role,
      cell: (person) => waysOf(person, grants, roleName, words).map((way) => <div key={way}>{way}</div>),
    },
  ];
  return (
    <section aria-label={words.people}>
      <h2>{words.people}</h2>
      <p className="muted">{words.peopleHint}</p>
      <SearchField label={words.people} value={text} onChange={setText} />
      <AdminList label={words.people} query={people} empty={words.nobody} columns={columns} keyOf={({ id }) => id!} />
    </section>
  );
}

/** The roles that were given, to whom and where. Roles given in the community itself can be removed. */
export function GivenRoles({ communityId }: { communityId: number }) {
  const words = useCommunitiesTexts();
  const grants = useGrants(communityId);
  const [removed, setRemoved] = useState<Grant>();
  const label = removed ? grantee(removed) : '';
  const request = {
    communityId,
    ...(removed?.user && { removeUserIds: [removed.user.id!] }),
    ...(removed?.group && { removeGroupIds: [removed.group.id!] }),
  };
  const columns = useGrantColumns(setRemoved);
  return (
    <section aria-label={words.grants}>
      <h2>{words.grants}</h2>
      <p className="muted">{words.grantsHint}</p>
      <Loaded query={grants}>
        {(found) =>
          found.length === 0 ? (
            <Empty>
              <p>{words.nobody}</p>
            </Empty>
          ) : (
            <AdminTable
              label={words.grants}
              columns={columns}
              rows={found}
              keyOf={({ user, group, roleId, givenIn }) => `${user?.id ?? ''} ${group?.id ?? ''} ${roleId} ${givenIn}`}
            />
          )
        }
      </Loaded>
      {removed && (
        <ConfirmDialog
          title={words.removeTitle(label)}
          action={words.removeRole(label)}
          dryRun={() => portal.communities.updateMembers({ ...request, dryRun: true })}
          run={() => portal.communities.updateMembers(request)}
          done={words.roleRemoved}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </section>
  );
}

const grantee = ({ user, group }: Grant): string =>
  user ? nameOf(user) || `#${user.id}` : (group?.name ?? `#${group?.id}`);

function useGrantColumns(remove: (grant: Grant) => void): readonly AdminColumn<Grant>[] {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const roleName = useRoleName();
  return [
    { key: 'name', label: texts.name, cell: (grant) => <bdi>{grantee(grant)}</bdi> },
    { key: 'role', label: words.role, cell: ({ roleId }) => roleName(roleId) },
    {
      key: 'source',
      label: words.source,
      cell: ({ givenIn, givenByUser, givenToOneself }) => (
        <>
          {words.sources[givenIn!]}
          <div className="muted">{givenToOneself ? words.oneself : nameOf(givenByUser)}</div>
        </>
      ),
    },
    {
      key: 'remove',
      label: texts.delete,
      cell: (grant) =>
        grant.givenIn === 'community' && (
          <button
            type="button"
            className="small"
            aria-label={words.removeRole(grantee(grant))}
            onClick={() => remove(grant)}
          >
            {texts.delete}
          </button>
        ),
    },
  ];
}
