import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { type AdminColumn, AdminList, AdminScreenPage } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { CreateWebhook } from './edit-webhook.tsx';
import { useWebhooksTexts } from './texts.ts';
import { useServiceAccounts } from './use-webhooks.ts';

type Webhook = NonNullable<Output<'listWebhooks'>['items']>[number];

/** Every webhook of the portal, with its state. */
export function WebhooksScreen() {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const webhooks = usePages(['admin', 'webhooks'], (page, { signal }) =>
    portal.webhooks.list({ pageSize: 100, ...page }, { signal }),
  );
  const label = texts.screens['/admin/webhooks'].label;
  return (
    <AdminScreenPage
      title={label}
      actions={
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          {words.newWebhook}
        </Button>
      }
    >
      <AdminList
        label={label}
        query={webhooks}
        empty={words.empty}
        columns={useColumns()}
        keyOf={({ webhookId }) => webhookId!}
      />
      {open && (
        <CreateWebhook
          onClose={() => setOpen(false)}
          onDone={(id) => void navigate({ to: '/admin/webhook/$webhookId', params: { webhookId: String(id) } })}
        />
      )}
    </AdminScreenPage>
  );
}

function useColumns(): readonly AdminColumn<Webhook>[] {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const formats = useFormats();
  const accounts = useServiceAccounts().data ?? [];
  return [
    {
      key: 'name',
      label: texts.name,
      cell: ({ webhookId, name }) => (
        <Link to="/admin/webhook/$webhookId" params={{ webhookId: String(webhookId) }}>
          {name || `#${webhookId}`}
        </Link>
      ),
    },
    {
      key: 'state',
      label: texts.state,
      cell: ({ state, failingTimestamp: since }) => (
        <>
          {state && words.states[state]}
          {since !== undefined && <div className="fault">{words.failingSince(formats.moment(since))}</div>}
        </>
      ),
    },
    {
      key: 'attempt',
      label: words.lastAttempt,
      cell: ({ lastAttemptTimestamp: at }) => (at === undefined ? texts.never : formats.age(at)),
    },
    {
      key: 'waiting',
      label: words.waiting,
      wide: true,
      number: true,
      cell: ({ waitingCount = 0 }) => formats.number(waitingCount),
    },
    { key: 'form', label: words.form, wide: true, cell: ({ form }) => form && words.forms[form] },
    { key: 'address', label: words.address, wide: true, cell: ({ address }) => address },
    {
      key: 'account',
      label: words.account,
      wide: true,
      cell: ({ serviceAccountId: id }) => accounts.find(({ userId }) => userId === id)?.name || `#${id}`,
    },
  ];
}
