import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useAttempt } from '../../failures/attempt.ts';
import { Loaded } from '../../placeholders.tsx';
import { portal, queryClient } from '../../portal.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useFormats } from '../../texts/index.ts';
import { usePages } from '../../use-pages.ts';
import { showNotice } from '../../write/notices.ts';
import { FilterSelect } from '../fields.tsx';
import { type AdminColumn, AdminList, Facts } from '../screen.tsx';
import { useAdminTexts } from '../texts.ts';
import { refreshAdmin } from '../use-send.ts';
import { type DeliveryState, deliveryStates } from './deliveries-search.ts';
import { useWebhooksTexts } from './texts.ts';

type Message = NonNullable<Output<'listWebhookDeliveries'>['items']>[number];
type Delivery = Output<'getWebhookDelivery'>;

/** Time between two readings of the log while a message is under way, and the longest such time. Milliseconds. */
const LOOK_MS = 2_000;
const UNDER_WAY_MS = 60_000;

/** Whether the next attempt of a message is about now. */
const isUnderWay = ({ state, nextAttemptTimestamp: next }: Message): boolean =>
  state === 'waiting' && next !== undefined && Math.abs(next - Date.now()) < UNDER_WAY_MS;

/** The messages of a webhook with the last attempt of each. @param active whether the webhook sends */
export function Deliveries({ webhookId, active }: { webhookId: number; active: boolean }) {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const navigate = useNavigate();
  const { state } = useSearch({ from: '/shell/admin/admin/webhook/$webhookId' });
  const [shown, setShown] = useState<Message>();
  const deliveries = usePages(
    ['admin', 'webhook-deliveries', webhookId, state],
    (page, { signal }) =>
      portal.webhooks.listDeliveries(
        { webhookId, pageSize: 50, ...(state !== undefined && { states: [state] }), ...page },
        { signal },
      ),
    { look: (items) => (active && items.some(isUnderWay) ? LOOK_MS : false) },
  );
  useStateAfter(webhookId, active && (deliveries.data ?? []).some(isUnderWay));
  const show = (next: DeliveryState | undefined) =>
    void navigate({
      to: '/admin/webhook/$webhookId',
      params: { webhookId: String(webhookId) },
      search: next === undefined ? {} : { state: next },
      replace: true,
    });
  return (
    <section aria-label={words.deliveries}>
      <h2>{words.deliveries}</h2>
      <FilterSelect<DeliveryState>
        label={texts.state}
        all={words.everyState}
        options={deliveryStates.map((id) => ({ id, label: words.deliveryStates[id] }))}
        value={state}
        onChange={show}
      />
      <AdminList
        label={words.deliveries}
        query={deliveries}
        empty={words.noDeliveries}
        columns={useColumns(webhookId, setShown)}
        keyOf={({ id }) => id!}
      />
      {shown && <DeliveryDialog webhookId={webhookId} deliveryId={shown.id!} onClose={() => setShown(undefined)} />}
    </section>
  );
}

/** Reads the state of the webhook again when its messages have ended. */
function useStateAfter(webhookId: number, underWay: boolean): void {
  const before = useRef(underWay);
  useEffect(() => {
    if (before.current && !underWay) void queryClient.invalidateQueries({ queryKey: ['admin', 'webhook', webhookId] });
    before.current = underWay;
  }, [webhookId, underWay]);
}

/** Names a message for buttons. */
const useMessageName = () => {
  const words = useWebhooksTexts();
  return ({ id, event, number }: Message): string => `${eventIn(words, event)} ${number ?? `#${id}`}`;
};

const eventIn = ({ eventKinds }: ReturnType<typeof useWebhooksTexts>, event = ''): string =>
  eventKinds[event as keyof typeof eventKinds] ?? event;

function useColumns(webhookId: number, show: (message: Message) => void): readonly AdminColumn<Message>[] {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const formats = useFormats();
  const attempt = useAttempt();
  const nameOf = useMessageName();
  const retry = (deliveryId: number) =>
    attempt(async () => {
      await portal.webhooks.retryDelivery({ webhookId, deliveryId });
      await refreshAdmin();
      showNotice(words.retried);
    });
  const moment = (at: number | undefined) => (at === undefined ? '' : formats.moment(at));
  return [
    { key: 'created', label: words.created, cell: ({ creationTimestamp: at }) => moment(at) },
    { key: 'event', label: words.event, cell: ({ event }) => eventIn(words, event) },
    { key: 'number', label: words.number, wide: true, number: true, cell: ({ number }) => number },
    {
      key: 'post',
      label: words.post,
      wide: true,
      cell: ({ postId }) =>
        postId !== undefined && (
          <Link to="/post/$postId" params={{ postId: String(postId) }}>
            #{postId}
          </Link>
        ),
    },
    { key: 'state', label: texts.state, cell: ({ state }) => state && words.deliveryStates[state] },
    {
      key: 'outcome',
      label: words.outcome,
      wide: true,
      cell: ({ error, status }) => error ?? (status === undefined ? '' : words.status(String(status))),
    },
    {
      key: 'actions',
      label: words.actions,
      cell: (message) => (
        <span className="buttons">
          <button
            type="button"
            className="small"
            aria-label={words.detailsOf(nameOf(message))}
            onClick={() => show(message)}
          >
            {words.details}
          </button>
          <button
            type="button"
            className="small"
            aria-label={words.retryOf(nameOf(message))}
            onClick={() => void retry(message.id!)}
          >
            {words.retry}
          </button>
        </span>
      ),
    },
  ];
}

/** A message with its body and the answer to its last attempt. */
function DeliveryDialog({
  webhookId,
  deliveryId,
  onClose,
}: {
  webhookId: number;
  deliveryId: number;
  onClose: () => void;
}) {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const delivery = useQuery({
    queryKey: ['admin', 'webhook-delivery', webhookId, deliveryId],
    queryFn: () => portal.webhooks.getDelivery({ webhookId, deliveryId }),
  });
  return (
    <Dialog label={words.details} className="admin-dialog" onClose={onClose}>
      <h2>{words.details}</h2>
      <Loaded query={delivery}>{(found) => <DeliveryDetails delivery={found} />}</Loaded>
      <div className="buttons">
        <Button onClick={onClose}>{texts.done}</Button>
      </div>
    </Dialog>
  );
}

function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const texts = useAdminTexts();
  const words = useWebhooksTexts();
  const formats = useFormats();
  const { state, attempts = 0, status, error, durationMs, body = '', answer } = delivery;
  const { lastAttemptTimestamp: last, nextAttemptTimestamp: next } = delivery;
  return (
    <>
      <Facts
        facts={[
          [words.event, eventIn(words, delivery.event)],
          [words.messageId, delivery.messageId],
          [texts.state, state && words.deliveryStates[state]],
          [words.attempts, formats.number(attempts)],
          [words.lastAttempt, last === undefined ? texts.never : formats.moment(last)],
          ...(next === undefined ? [] : [[words.nextAttempt, formats.moment(next)] as const]),
          ...(durationMs === undefined ? [] : [[words.took, words.duration(formats.number(durationMs))] as const]),
          [words.outcome, error ?? (status === undefined ? texts.none : words.status(String(status)))],
        ]}
      />
      <h3>{words.body}</h3>
      <pre className="admin-text">{readable(body)}</pre>
      <h3>{words.answer}</h3>
      {answer ? <pre className="admin-text">{readable(answer)}</pre> : <p className="muted">{words.noAnswer}</p>}
    </>
  );
}

/** JSON on several lines; other texts as they are. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
