import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileUp, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { nameOf } from '../../posts/user-name.ts';
import type { Right } from '../../shared-queries.ts';
import { Avatar } from '../../shell/avatar.tsx';
import { SearchField } from '../../shell/search-field.tsx';
import { useFormats } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { Check, FilterSelect } from '../fields.tsx';
import { useRoles } from '../roles/use-roles.ts';
import { type AdminColumn, AdminList, AdminScreenPage, Tags } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { BulkPeopleBar } from './bulk-people.tsx';
import { ImportPeople } from './import-people.tsx';
import { InvitePerson } from './invite-person.tsx';
import {
  type AccountState,
  type AdminPeopleSearch,
  type PeopleOrder,
  STATES,
  type UnseenDays,
} from './people-search.ts';
import { useAdminPeopleTexts } from './texts.ts';

/** A person of the list, with rights and groups. */
export type ListedPerson = NonNullable<Awaited<ReturnType<typeof portal.users.list>>['items']>[number];

const DAY = 86_400_000;

const usePeople = ({ text, group, role, right, state, unseen, order = 'lastName' }: AdminPeopleSearch) =>
  usePages(['admin', 'people', text, group, role, right, state, unseen, order], (page, { signal }) =>
    portal.users.list(
      {
        includeAccess: true,
        pageSize: 100,
        orderTypeId: order,
        orderDesc: order !== 'lastName',
        ...(text !== undefined && { fullTextFilter: text }),
        ...(group !== undefined && { groupIds: [group] }),
        ...(role !== undefined && { roleIds: [role] }),
        ...(right !== undefined && { adminCapabilities: [right] }),
        ...(state !== undefined && { statusFilter: [STATES[state]] }),
        ...(unseen !== undefined && { lastAccessTimestampTo: Date.now() - Number(unseen) * DAY }),
        ...page,
      },
      { signal },
    ),
  );

/** The groups of the portal by name, for filters. */
export const useAllGroups = () =>
  useQuery({
    queryKey: ['admin', 'groups', 'all'],
    queryFn: async () => (await portal.groups.list({ orderDesc: false, pageSize: 500 })).items ?? [],
  });

/** Every person of the portal, with the ways to invite one or many. */
export function PeopleScreen() {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const search = useSearch({ from: '/shell/admin/admin/people' });
  const people = usePeople(search);
  const [open, setOpen] = useState<'invite' | 'import'>();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const listed = (people.data ?? []).filter(({ deleted }) => !deleted);
  // People that a filter hides are not acted upon.
  const chosen = listed.filter(({ id }) => selected.has(id!));
  const columns = usePeopleColumns(selected, setSelected);
  return (
    <AdminScreenPage
      title={texts.screens['/admin/people'].label}
      actions={
        <>
          <Button variant="default" leftSection={<FileUp size={14} aria-hidden />} onClick={() => setOpen('import')}>
            {words.importPeople}
          </Button>
          <Button leftSection={<UserPlus size={14} aria-hidden />} onClick={() => setOpen('invite')}>
            {words.invite}
          </Button>
        </>
      }
      filters={<PeopleFilters search={search} />}
    >
      {listed.length > 0 && (
        <Check
          label={words.selectAll}
          checked={chosen.length === listed.length}
          onChange={(all) => setSelected(new Set(all ? listed.map(({ id }) => id!) : []))}
        />
      )}
      <AdminList
        label={texts.screens['/admin/people'].label}
        query={people}
        empty={words.nobody}
        columns={columns}
        keyOf={({ id }) => id!}
      />
      {chosen.length > 0 && <BulkPeopleBar people={chosen} clear={() => setSelected(new Set())} />}
      {open === 'invite' && <InvitePerson onClose={() => setOpen(undefined)} />}
      {open === 'import' && <ImportPeople onClose={() => setOpen(undefined)} />}
    </AdminScreenPage>
  );
}

function PeopleFilters({ search }: { search: AdminPeopleSearch }) {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const navigate = useNavigate();
  const groups = useAllGroups().data ?? [];
  const roles = useRoles().data?.roles ?? [];
  const show = (change: { [K in keyof AdminPeopleSearch]: AdminPeopleSearch[K] | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined);
    void navigate({ to: '/admin/people', search: Object.fromEntries(next) as AdminPeopleSearch, replace: true });
  };
  const choices = <T extends string>(names: Readonly<Record<T, string>>) =>
    (Object.entries(names) as [T, string][]).map(([id, label]) => ({ id, label }));
  return (
    <>
      <SearchField
        label={words.find}
        value={search.text ?? ''}
        onChange={(text) => show({ text: text || undefined })}
      />
      <FilterSelect
        label={texts.group}
        all={words.everyGroup}
        options={groups.map(({ id, name = '' }) => ({ id: id!, label: name }))}
        value={search.group}
        onChange={(group) => show({ group })}
      />
      <FilterSelect
        label={words.role}
        all={words.everyRole}
        options={roles.map(({ id, name = '' }) => ({ id: id!, label: name }))}
        value={search.role}
        onChange={(role) => show({ role })}
      />
      <FilterSelect<Right>
        label={texts.rightsTitle}
        all={words.everyRight}
        options={choices(texts.rights)}
        value={search.right}
        onChange={(right) => show({ right })}
      />
      <FilterSelect<AccountState>
        label={texts.state}
        all={words.notDeleted}
        options={choices(words.states)}
        value={search.state}
        onChange={(state) => show({ state })}
      />
      <FilterSelect<UnseenDays>
        label={words.lastSeen}
        all={words.anyTime}
        options={choices<UnseenDays>(words.notSeen)}
        value={search.unseen}
        onChange={(unseen) => show({ unseen })}
      />
      <FilterSelect<PeopleOrder>
        label={words.order}
        all={words.orders.lastName}
        options={choices(words.orders).filter(({ id }) => id !== 'lastName')}
        value={search.order}
        onChange={(order) => show({ order })}
      />
    </>
  );
}

/** The state of an account in a word. */
export function stateOf({ blocked, deleted }: { blocked?: boolean; deleted?: boolean }): AccountState {
  if (deleted) return 'deleted';
  return blocked ? 'blocked' : 'active';
}

function usePeopleColumns(
  selected: ReadonlySet<number>,
  select: (ids: ReadonlySet<number>) => void,
): readonly AdminColumn<ListedPerson>[] {
  const texts = useAdminTexts();
  const words = useAdminPeopleTexts();
  const formats = useFormats();
  return [
    {
      key: 'name',
      label: texts.name,
      cell: (person) => (
        <span className="admin-person">
          <input
            type="checkbox"
            aria-label={words.select(nameOf(person) || `#${person.id}`)}
            disabled={person.deleted ?? false}
            checked={selected.has(person.id!)}
            onChange={({ currentTarget: { checked } }) =>
              select(
                checked ? new Set([...selected, person.id!]) : new Set([...selected].filter((id) => id !== person.id)),
              )
            }
          />
          <Avatar user={person} size={28} />
          <span>
            {person.deleted ? (
              nameOf(person)
            ) : (
              <Link to="/admin/user/$personId" params={{ personId: String(person.id) }}>
                {nameOf(person) || `#${person.id}`}
              </Link>
            )}
            <span className="muted">{person.contactEmail}</span>
          </span>
        </span>
      ),
    },
    {
      key: 'state',
      label: texts.state,
      cell: (person) => words.states[stateOf(person)],
    },
    {
      key: 'rights',
      label: texts.rightsTitle,
      wide: true,
      cell: ({ adminCapabilities = [] }) => <Tags words={adminCapabilities.map((right) => texts.rights[right])} />,
    },
    {
      key: 'groups',
      label: words.groups,
      wide: true,
      cell: ({ groups = [] }) => <Tags words={groups.map(({ name }) => name)} />,
    },
    {
      key: 'seen',
      label: words.lastSeen,
      cell: ({ lastAccessTimestamp: seen }) => (
        <span className="muted">{seen === undefined ? texts.never : formats.age(seen)}</span>
      ),
    },
  ];
}
