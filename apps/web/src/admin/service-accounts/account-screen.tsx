import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Empty, Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { useRoles } from '../roles/use-roles.ts';
import { AdminScreenPage, AdminTable, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { type AccountForm, EditAccount, useManagedCommunities } from './edit-account.tsx';
import { NewKey } from './new-key.tsx';
import { useAccountsTexts } from './texts.ts';

type Key = NonNullable<Output<'getServiceAccountForEdit'>['keys']>[number];

/** A service account: its roles and keys, and the actions on it. */
export function AccountScreen() {
  const accountId = Number(useParams({ strict: false }).accountId);
  const account = useQuery({
    queryKey: ['admin', 'account', accountId],
    queryFn: () => portal.serviceAccounts.readForEdit({ serviceAccountId: accountId }),
  });
  return (
    <Loaded query={account}>{(found) => <Account key={accountId} accountId={accountId} account={found} />}</Loaded>
  );
}

function Account({ accountId, account }: { accountId: number; account: AccountForm }) {
  const texts = useAdminTexts();
  const words = useAccountsTexts();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'key' | 'delete' | Key>();
  const close = () => setOpen(undefined);
  const name = account.name ?? '';
  return (
    <AdminScreenPage
      title={name || `#${accountId}`}
      actions={
        <>
          <Button variant="default" onClick={() => setOpen('edit')}>
            {texts.edit}
          </Button>
          <Button variant="default" onClick={() => setOpen('delete')}>
            {texts.delete}
          </Button>
          <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen('key')}>
            {words.newKey}
          </Button>
        </>
      }
    >
      <AccountFacts account={account} />
      <section aria-label={words.keys}>
        <h2>{words.keys}</h2>
        <Keys keys={account.keys ?? []} revoke={setOpen} />
      </section>
      {open === 'edit' && <EditAccount accountId={accountId} account={account} onClose={close} />}
      {open === 'key' && <NewKey accountId={accountId} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle(name)}
          action={words.deleteAccount}
          dryRun={() => portal.users.delete({ userId: accountId, dryRun: true })}
          run={() => portal.users.delete({ userId: accountId })}
          done={words.deleted}
          onDone={() => void navigate({ to: '/admin/accounts' })}
          onClose={close}
        >
          <p>{words.deleteHint}</p>
        </ConfirmDialog>
      )}
      {typeof open === 'object' && <RevokeKey accountId={accountId} of={open} onClose={close} />}
    </AdminScreenPage>
  );
}

function AccountFacts({ account }: { account: AccountForm }) {
  const texts = useAdminTexts();
  const words = useAccountsTexts();
  const roles = useRoles().data?.roles ?? [];
  const communities = useManagedCommunities().data ?? [];
  const { adminCapabilities: rights = [], roleId, communityRoles = [] } = account;
  const roleName = (id: number | undefined) => roles.find((role) => role.id === id)?.name ?? `#${id}`;
  return (
    <Facts
      facts={[
        [texts.rightsTitle, rights.length === 0 ? texts.none : rights.map((right) => texts.rights[right]).join(', ')],
        [words.everywhere, roleId === undefined ? words.noRole : roleName(roleId)],
        [
          words.communityRoles,
          communityRoles.length === 0
            ? texts.none
            : communityRoles.map(({ communityId, roleId: role }) => (
                <div key={communityId}>
                  {communities.find(({ id }) => id === communityId)?.name ?? `#${communityId}`}: {roleName(role)}
                </div>
              )),
        ],
      ]}
    />
  );
}

function stateOf({ active, revokedTimestamp }: Key): 'active' | 'expired' | 'revoked' {
  if (revokedTimestamp !== undefined) return 'revoked';
  return active ? 'active' : 'expired';
}

function Keys({ keys, revoke }: { keys: readonly Key[]; revoke: (key: Key) => void }) {
  const texts = useAdminTexts();
  const words = useAccountsTexts();
  const formats = useFormats();
  if (keys.length === 0)
    return (
      <Empty>
        <p>{words.noKeys}</p>
      </Empty>
    );
  const day = (moment: number | undefined) => (moment === undefined ? texts.never : formats.dayOf(moment));
  const nameOf = ({ id, name }: Key) => name || `#${id}`;
  return (
    <AdminTable
      label={words.keys}
      rows={keys}
      keyOf={({ id }) => id!}
      columns={[
        { key: 'name', label: words.keyName, cell: nameOf },
        { key: 'state', label: texts.state, cell: (key) => words.keyStates[stateOf(key)] },
        { key: 'created', label: words.created, wide: true, cell: ({ creationTimestamp: at }) => day(at) },
        { key: 'expires', label: words.expires, wide: true, cell: ({ expiryTimestamp: at }) => day(at) },
        { key: 'used', label: words.lastUsed, wide: true, cell: ({ lastUseTimestamp: at }) => day(at) },
        {
          key: 'revoke',
          label: words.revoke,
          cell: (key) =>
            key.active && (
              <button
                type="button"
                className="small"
                aria-label={words.revokeKey(nameOf(key))}
                onClick={() => revoke(key)}
              >
                {words.revoke}
              </button>
            ),
        },
      ]}
    />
  );
}

function RevokeKey({ accountId, of, onClose }: { accountId: number; of: Key; onClose: () => void }) {
  const words = useAccountsTexts();
  const input = { serviceAccountId: accountId, keyId: of.id! };
  return (
    <ConfirmDialog
      title={words.revokeTitle(of.name || `#${of.id}`)}
      action={words.revoke}
      dryRun={() => portal.serviceAccounts.revokeKey({ ...input, dryRun: true })}
      run={() => portal.serviceAccounts.revokeKey(input)}
      done={words.revoked}
      onClose={onClose}
    >
      <p>{words.revokeHint}</p>
    </ConfirmDialog>
  );
}
