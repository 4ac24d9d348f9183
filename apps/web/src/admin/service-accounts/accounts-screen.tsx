import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { type AdminColumn, AdminList, AdminScreenPage, Tags } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { EditAccount } from './edit-account.tsx';
import { useAccountsTexts } from './texts.ts';

type Account = NonNullable<Output<'listServiceAccounts'>['items']>[number];

/** Every service account of the portal. */
export function AccountsScreen() {
  const texts = useAdminTexts();
  const words = useAccountsTexts();
  const formats = useFormats();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const accounts = usePages(['admin', 'accounts'], (page, { signal }) =>
    portal.serviceAccounts.list({ pageSize: 100, ...page }, { signal }),
  );
  const label = texts.screens['/admin/accounts'].label;
  const columns: readonly AdminColumn<Account>[] = [
    {
      key: 'name',
      label: texts.name,
      cell: ({ userId, name }) => (
        <Link to="/admin/account/$accountId" params={{ accountId: String(userId) }}>
          {name || `#${userId}`}
        </Link>
      ),
    },
    {
      key: 'keys',
      label: words.activeKeys,
      number: true,
      cell: ({ activeKeysCount = 0 }) => formats.number(activeKeysCount),
    },
    {
      key: 'rights',
      label: texts.rightsTitle,
      wide: true,
      cell: ({ adminCapabilities = [] }) => <Tags words={adminCapabilities.map((right) => texts.rights[right])} />,
    },
    { key: 'state', label: texts.state, wide: true, cell: ({ blocked }) => (blocked ? words.blocked : '') },
    {
      key: 'used',
      label: words.lastUsed,
      cell: ({ lastAccessTimestamp: used }) => (used === undefined ? texts.never : formats.age(used)),
    },
  ];
  return (
    <AdminScreenPage
      title={label}
      actions={
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          {words.newAccount}
        </Button>
      }
    >
      <AdminList label={label} query={accounts} empty={words.empty} columns={columns} keyOf={({ userId }) => userId!} />
      {open && (
        <EditAccount
          onClose={() => setOpen(false)}
          onDone={(id) => void navigate({ to: '/admin/account/$accountId', params: { accountId: String(id) } })}
        />
      )}
    </AdminScreenPage>
  );
}
