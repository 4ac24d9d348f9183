import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import type { Right } from '../../shared-queries.ts';
import { SearchField } from '../../shell/search-field.tsx';
import { useFormats, useTexts } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { FilterSelect } from '../fields.tsx';
import { useRoles } from '../roles/use-roles.ts';
import { type AdminColumn, AdminList, AdminScreenPage } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { EditGroup } from './edit-group.tsx';
import type { GroupsSearch } from './groups-search.ts';
import { useAdminGroupTexts } from './texts.ts';

type ListedGroup = NonNullable<Awaited<ReturnType<typeof portal.groups.list>>['items']>[number];

/** Every group of the portal. */
export function GroupsScreen() {
  const texts = useAdminTexts();
  const words = useAdminGroupTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/admin/admin/groups' });
  const { text, right, role } = search;
  const roles = useRoles().data?.roles ?? [];
  const [open, setOpen] = useState(false);
  const groups = usePages(['admin', 'groups', text, right, role], (page, { signal }) =>
    portal.groups.list(
      {
        pageSize: 100,
        orderDesc: false,
        ...(text !== undefined && { fullTextFilter: text }),
        ...(right !== undefined && { adminCapabilities: [right] }),
        ...(role !== undefined && { roleIds: [role] }),
        ...page,
      },
      { signal },
    ),
  );
  const show = (change: { [K in keyof GroupsSearch]: GroupsSearch[K] | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined);
    void navigate({ to: '/admin/groups', search: Object.fromEntries(next) as GroupsSearch, replace: true });
  };
  const label = texts.screens['/admin/groups'].label;
  return (
    <AdminScreenPage
      title={label}
      actions={
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          {words.newGroup}
        </Button>
      }
      filters={
        <>
          <SearchField label={words.find} value={text ?? ''} onChange={(value) => show({ text: value || undefined })} />
          <FilterSelect<Right>
            label={texts.rightsTitle}
            all={words.everyRight}
            options={(Object.keys(texts.rights) as Right[]).map((id) => ({ id, label: texts.rights[id] }))}
            value={right}
            onChange={(next) => show({ right: next })}
          />
          <FilterSelect
            label={words.role}
            all={words.everyRole}
            options={roles.map(({ id, name = '' }) => ({ id: id!, label: name }))}
            value={role}
            onChange={(next) => show({ role: next })}
          />
        </>
      }
    >
      <AdminList
        label={label}
        query={groups}
        empty={words.noGroups}
        columns={useGroupColumns()}
        keyOf={({ id }) => id!}
      />
      {open && (
        <EditGroup
          onClose={() => setOpen(false)}
          onDone={(id) => void navigate({ to: '/admin/group/$groupId', params: { groupId: String(id) } })}
        />
      )}
    </AdminScreenPage>
  );
}

function useGroupColumns(): readonly AdminColumn<ListedGroup>[] {
  const texts = useAdminTexts();
  const words = useAdminGroupTexts();
  const formats = useFormats();
  const { untitled } = useTexts();
  return [
    {
      key: 'name',
      label: texts.name,
      cell: ({ id, name }) => (
        <Link to="/admin/group/$groupId" params={{ groupId: String(id) }}>
          {name || untitled}
        </Link>
      ),
    },
    {
      key: 'members',
      label: words.members,
      number: true,
      cell: ({ membersCount = 0 }) => formats.number(membersCount),
    },
    { key: 'email', label: texts.email, wide: true, cell: ({ email }) => email },
    { key: 'visible', label: words.visible, wide: true, cell: ({ visible }) => (visible ? texts.yes : texts.no) },
  ];
}
