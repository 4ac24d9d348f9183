import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Loading } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useRights } from '../../shared-queries.ts';
import { useFormats } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { type AdminColumn, AdminList, AdminScreenPage } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { EditProvider } from './edit-provider.tsx';
import { useProvidersTexts } from './texts.ts';

type Provider = NonNullable<Output<'listIdentityProviders'>['items']>[number];

/** The identity providers of the portal. */
export function ProvidersScreen() {
  const texts = useAdminTexts();
  const words = useProvidersTexts();
  const every = useRights().data?.size === 2;
  const [open, setOpen] = useState<'new' | { readonly edit: number } | { readonly remove: Provider }>();
  const providers = usePages(['admin', 'providers'], (page, { signal }) =>
    portal.identityProviders.list({ pageSize: 100, ...page }, { signal }),
  );
  const close = () => setOpen(undefined);
  const label = texts.screens['/admin/providers'].label;
  const columns = useColumns(
    every,
    (provider) => setOpen({ remove: provider }),
    (edit) => setOpen({ edit }),
  );
  return (
    <AdminScreenPage
      title={label}
      actions={
        every && (
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen('new')}>
            {words.newProvider}
          </Button>
        )
      }
    >
      {!every && <p className="muted">{words.everyRight}</p>}
      <AdminList
        label={label}
        query={providers}
        empty={words.empty}
        columns={columns}
        keyOf={({ identityProviderId }) => identityProviderId!}
      />
      {open === 'new' && <EditProvider onClose={close} />}
      {typeof open === 'object' && 'edit' in open && <OpenProvider providerId={open.edit} onClose={close} />}
      {typeof open === 'object' && 'remove' in open && <RemoveProvider provider={open.remove} onClose={close} />}
    </AdminScreenPage>
  );
}

function useColumns(
  every: boolean,
  remove: (provider: Provider) => void,
  edit: (providerId: number) => void,
): readonly AdminColumn<Provider>[] {
  const texts = useAdminTexts();
  const words = useProvidersTexts();
  const formats = useFormats();
  return [
    { key: 'name', label: texts.name, cell: ({ name }) => name },
    { key: 'issuer', label: words.issuer, wide: true, cell: ({ issuer }) => issuer },
    { key: 'enabled', label: words.enabled, cell: ({ enabled }) => (enabled ? texts.yes : texts.no) },
    {
      key: 'linked',
      label: words.linked,
      number: true,
      cell: ({ linkedUsersCount = 0 }) => formats.number(linkedUsersCount),
    },
    ...(every
      ? [
          {
            key: 'actions',
            label: texts.moreActions,
            cell: (provider: Provider) => (
              <span className="buttons">
                <Link
                  className="small"
                  to="/admin/providers/trial"
                  search={{ provider: provider.identityProviderId! }}
                  target="_blank"
                  rel="noopener"
                  aria-label={words.tryProvider(provider.name ?? '')}
                >
                  {words.trySignIn}
                </Link>
                <button
                  type="button"
                  className="small"
                  aria-label={words.editProvider(provider.name ?? '')}
                  onClick={() => edit(provider.identityProviderId!)}
                >
                  {texts.edit}
                </button>
                <button
                  type="button"
                  className="small"
                  aria-label={`${words.deleteProvider}: ${provider.name}`}
                  onClick={() => remove(provider)}
                >
                  {texts.delete}
                </button>
              </span>
            ),
          },
        ]
      : []),
  ];
}

function OpenProvider({ providerId, onClose }: { providerId: number; onClose: () => void }) {
  const form = useQuery({
    queryKey: ['admin', 'provider', providerId],
    queryFn: () => portal.identityProviders.readForEdit({ identityProviderId: providerId }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (!form.data) return <Loading />;
  return <EditProvider providerId={providerId} provider={form.data} onClose={onClose} />;
}

function RemoveProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const words = useProvidersTexts();
  const formats = useFormats();
  const { identityProviderId, name = '', linkedUsersCount = 0 } = provider;
  const input = { identityProviderId: identityProviderId! };
  return (
    <ConfirmDialog
      title={words.deleteTitle(name)}
      action={words.deleteProvider}
      dryRun={() => portal.identityProviders.delete({ ...input, dryRun: true })}
      run={() => portal.identityProviders.delete(input)}
      done={words.deleted}
      onClose={onClose}
    >
      <p>{words.deleteHint(formats.number(linkedUsersCount))}</p>
    </ConfirmDialog>
  );
}
