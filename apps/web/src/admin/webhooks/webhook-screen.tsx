import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAttempt } from '../../failures/attempt.ts';
import { Loaded } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { Menu } from '../../write/menu.tsx';
import { showNotice } from '../../write/notices.ts';
import { ConfirmDialog } from '../confirm.tsx';
import { AdminScreenPage, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { refreshAdmin } from '../use-send.ts';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { ReplayWebhook } from './replay-webhook.tsx';
import { RotateSecret } from './secrets.tsx';
import { useWebhooksTexts } from './texts.ts';
import { settingsOf, useNamedCommunities, useServiceAccounts, type WebhookForm } from './use-webhooks.ts';

/** A webhook: its state and settings, its messages, and the actions on it. */
export function WebhookScreen() {
  const webhookId = Number(useParams({ strict: false }).webhookId);
  const webhook = useQuery({
    queryKey: ['admin', 'webhook', webhookId],
    queryFn: () => portal.webhooks.readForEdit({ webhookId }),
  });
  return (
    <Loaded query={webhook}>{(found) => <Webhook key={webhookId} webhookId={webhookId} webhook={found} />}</Loaded>
  );
}

interface WebhookProps {
  readonly webhookId: number;
  readonly webhook: WebhookForm;
}

type Action = 'edit' | 'rotate' | 'replay' | 'delete';

function Webhook({ webhookId, webhook }: WebhookProps) {
  const [action, setAction] = useState<Action>();
  const { name, state = 'active' } = webhook;
  return (
    <AdminScreenPage
      title={name || `#${webhookId}`}
      actions={<Actions webhookId={webhookId} webhook={webhook} choose={setAction} />}
    >
      <State webhook={webhook} />
      <WebhookFacts webhook={webhook} />
      <Deliveries webhookId={webhookId} active={state === 'active'} />
      <ActionDialog webhookId={webhookId} webhook={webhook} action={action} onClose={() => setAction(undefined)} />
    </AdminScreenPage>
  );
}

function Actions({ webhookId, webhook, choose }: WebhookProps & { choose: (action: Action) => void }) {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const attempt = useAttempt();
  const { state, form, occToken } = webhook;
  const run = (action: () => Promise<unknown>, done: string) =>
    void attempt(async () => {
      await action();
      await refreshAdmin();
      showNotice(done);
    });
  const enable = (enabled: boolean) => () =>
    portal.webhooks.replace({ webhookId, ...settingsOf(webhook), enabled, occToken: occToken! });
  return (
    <>
      <Button variant="default" onClick={() => choose('edit')}>
        {texts.edit}
      </Button>
      {state === 'active' ? (
        <>
          <Button variant="default" onClick={() => run(enable(false), words.paused)}>
            {words.pause}
          </Button>
          <Button variant="default" onClick={() => run(() => portal.webhooks.test({ webhookId }), words.tested)}>
            {words.test}
          </Button>
        </>
      ) : (
        <Button onClick={() => run(enable(true), words.resumed)}>{words.resume}</Button>
      )}
      <Menu
        className="small"
        label={texts.moreActions}
        button={texts.moreActions}
        items={[
          ...(form === 'standard' ? [{ label: words.rotate, run: () => choose('rotate') }] : []),
          { label: words.replay, run: () => choose('replay') },
          { label: texts.delete, run: () => choose('delete') },
        ]}
      />
    </>
  );
}

function ActionDialog({
  webhookId,
  webhook,
  action,
  onClose,
}: WebhookProps & { action: Action | undefined; onClose: () => void }) {
  const words = useWebhooksTexts();
  const navigate = useNavigate();
  if (action === 'edit') return <EditWebhook webhookId={webhookId} webhook={webhook} onClose={onClose} />;
  if (action === 'rotate') return <RotateSecret webhookId={webhookId} onClose={onClose} />;
  if (action === 'replay') return <ReplayWebhook webhookId={webhookId} onClose={onClose} />;
  if (action !== 'delete') return null;
  return (
    <ConfirmDialog
      title={words.deleteTitle(webhook.name ?? '')}
      action={words.deleteWebhook}
      dryRun={() => portal.webhooks.delete({ webhookId, dryRun: true })}
      run={async () => {
        await portal.webhooks.delete({ webhookId });
        // Before its queries are read again.
        await navigate({ to: '/admin/webhooks' });
      }}
      done={words.deleted}
      onClose={onClose}
    >
      <p>{words.deleteHint}</p>
    </ConfirmDialog>
  );
}

/** Says why a webhook receives nothing, or since when it fails. */
function State({ webhook: { state = 'active', failingTimestamp: since } }: Pick<WebhookProps, 'webhook'>) {
  const words = useWebhooksTexts();
  const formats = useFormats();
  if (state !== 'active')
    return (
      <div className="admin-note" role="status">
        <p>
          <strong>{words.states[state]}.</strong> {words.reasons[state]}
        </p>
      </div>
    );
  if (since === undefined) return null;
  return (
    <div className="admin-note" role="status">
      <p>{words.failingSince(formats.moment(since))}.</p>
    </div>
  );
}

function WebhookFacts({ webhook }: Pick<WebhookProps, 'webhook'>) {
  const words = useWebhooksTexts();
  const texts = useAdminTexts();
  const formats = useFormats();
  const accounts = useServiceAccounts().data ?? [];
  const known = useNamedCommunities();
  const {
    state = 'active',
    form = 'standard',
    events = [],
    communityIds = [],
    contents = 'thin',
    serviceAccountId: accountId,
    secretTimestamp: secretAt,
  } = webhook;
  const list = (lines: readonly string[]) => lines.map((line) => <div key={line}>{line}</div>);
  const nameOf = (id: number) => known.find((community) => community.id === id)?.label ?? `#${id}`;
  const signed = form === 'standard';
  return (
    <Facts
      facts={[
        [texts.state, words.states[state]],
        [
          words.account,
          <Link key={accountId} to="/admin/account/$accountId" params={{ accountId: String(accountId) }}>
            {accounts.find(({ userId }) => userId === accountId)?.name || `#${accountId}`}
          </Link>,
        ],
        [words.form, words.forms[form]],
        [words.address, webhook.address],
        [words.events, events.length === 0 ? words.everyEvent : list(events.map((event) => words.eventKinds[event]))],
        [words.communities, communityIds.length === 0 ? words.everyCommunity : list(communityIds.map(nameOf))],
        ...(webhook.filter ? [[words.filter, words.filtered] as const] : []),
        ...(signed ? [[words.contents, words.contentKinds[contents]] as const] : []),
        ...(webhook.template === undefined ? [] : [[words.template, webhook.template] as const]),
        ...(webhook.signature ? [[words.signature, words.signatures[webhook.signature]] as const] : []),
        ...(webhook.publicKey === undefined ? [] : [[words.publicKey, webhook.publicKey] as const]),
        ...(signed && secretAt !== undefined ? [[words.secretOf, formats.moment(secretAt)] as const] : []),
        ...(webhook.missedFromNumber === undefined
          ? []
          : [[words.missedFrom, formats.number(webhook.missedFromNumber)] as const]),
      ]}
    />
  );
}
