import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { SearchField } from '../../shell/search-field.tsx';
import { useFormats, useTexts } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { FilterSelect } from '../fields.tsx';
import { type AdminColumn, AdminList, AdminScreenPage } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import type { CommunitiesSearch } from './communities-search.ts';
import { ImportArchive } from './import-archive.tsx';
import { NewCommunity } from './new-community.tsx';
import { type CommunitiesTexts, useCommunitiesTexts } from './texts.ts';

export type ListedCommunity = Partial<Output<'listManagedCommunities'>['items'][number]>;

/** The workspaces of the portal by name, archived ones too. */
export const useWorkspaces = () =>
  useQuery({
    queryKey: ['admin', 'workspaces'],
    queryFn: async () => {
      const { items = [] } = await portal.workspaces.list({ archivedToo: true, pageSize: 500 });
      return items.map(({ workspaceId, name }) => ({ id: workspaceId!, ...(name !== undefined && { name }) }));
    },
  });

/** The state of a community in words. */
export function stateOf({ archivedTimestamp, draft }: ListedCommunity, words: CommunitiesTexts): string {
  if (archivedTimestamp !== undefined) return words.archived;
  return draft ? words.draft : words.inUse;
}

/** Every community of the portal, with its posts, members and last activity. */
export function CommunitiesScreen() {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/admin/admin/communities' });
  const { text, workspace } = search;
  const workspaces = useWorkspaces().data ?? [];
  const [open, setOpen] = useState(false);
  const [archive, setArchive] = useState(false);
  const communities = usePages(['admin', 'communities', text, workspace], (page, { signal }) =>
    portal.communities.list(
      {
        with: 'manage',
        pageSize: 100,
        includeActivity: true,
        ...(text !== undefined && { nameFilter: text }),
        ...(workspace !== undefined && { workspaceId: workspace }),
        ...page,
      },
      { signal },
    ),
  );
  const show = (change: { [K in keyof CommunitiesSearch]: CommunitiesSearch[K] | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined);
    void navigate({ to: '/admin/communities', search: Object.fromEntries(next) as CommunitiesSearch, replace: true });
  };
  const label = texts.screens['/admin/communities'].label;
  return (
    <AdminScreenPage
      title={label}
      actions={
        <>
          <Button variant="default" onClick={() => setArchive(true)}>
            {words.importArchive}
          </Button>
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen(true)}>
            {words.newCommunity}
          </Button>
        </>
      }
      filters={
        <>
          <SearchField label={words.find} value={text ?? ''} onChange={(value) => show({ text: value || undefined })} />
          <FilterSelect
            label={words.workspace}
            all={words.everyWorkspace}
            options={workspaces.map(({ id, name = '' }) => ({ id: id!, label: name }))}
            value={workspace}
            onChange={(next) => show({ workspace: next })}
          />
        </>
      }
    >
      <AdminList
        label={label}
        query={communities}
        empty={words.empty}
        columns={useColumns(workspaces)}
        keyOf={({ id }) => id!}
      />
      {archive && (
        <ImportArchive
          onClose={() => setArchive(false)}
          onDone={(id) => void navigate({ to: '/community/$communityId/imports', params: { communityId: String(id) } })}
        />
      )}
      {open && (
        <NewCommunity
          onClose={() => setOpen(false)}
          onDone={(id) => void navigate({ to: '/admin/community/$communityId', params: { communityId: String(id) } })}
        />
      )}
    </AdminScreenPage>
  );
}

function useColumns(workspaces: readonly { id?: number; name?: string }[]): readonly AdminColumn<ListedCommunity>[] {
  const texts = useAdminTexts();
  const words = useCommunitiesTexts();
  const formats = useFormats();
  const { untitled } = useTexts();
  return [
    {
      key: 'name',
      label: texts.name,
      cell: ({ id, name }) => (
        <Link to="/admin/community/$communityId" params={{ communityId: String(id) }}>
          {name || untitled}
        </Link>
      ),
    },
    {
      key: 'workspace',
      label: words.workspace,
      wide: true,
      cell: ({ workspaceId }) => workspaces.find(({ id }) => id === workspaceId)?.name,
    },
    { key: 'state', label: texts.state, wide: true, cell: (community) => stateOf(community, words) },
    { key: 'posts', label: words.posts, number: true, cell: ({ postsCount = 0 }) => formats.number(postsCount) },
    {
      key: 'members',
      label: words.members,
      number: true,
      cell: ({ membersCount = 0 }) => formats.number(membersCount),
    },
    {
      key: 'active',
      label: words.lastActivity,
      cell: ({ lastActivityTimestamp: at }) => (at === undefined ? texts.never : formats.age(at)),
    },
  ];
}
