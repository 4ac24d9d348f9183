import { Button } from '@mantine/core';
import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useAttempt } from '../failures/attempt.ts';
import { BROWSERS, endPush, ownSubscription, pushPermission, startPush } from '../notifications/background.ts';
import { portal, queryClient } from '../portal.ts';
import { useMe } from '../shared-queries.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { useAccountTexts } from './texts.ts';

type Browsers = Output<'listPushSubscriptions'>;

/** The browsers of the caller that show notifications. */
export const useBrowsers = () =>
  useQuery({ queryKey: BROWSERS, queryFn: () => portal.notifications.pushSubscriptions() });

/** State of this browser, and why it shows nothing. */
type State = 'on' | 'off' | 'unsupported' | 'denied' | 'closed' | 'unreachable';

/** Reads the state of this browser. */
async function readState({ subscriptions = [] }: Browsers): Promise<State> {
  const permission = await pushPermission();
  if (permission === 'unsupported' || permission === 'denied') return permission;
  const stored = subscriptions.some(({ current }) => current);
  return stored && permission === 'granted' && (await ownSubscription()) ? 'on' : 'off';
}

/** Whether this browser shows notifications, and which others do. */
export function PushSettings() {
  const account = useAccountTexts();
  const { data } = useBrowsers();
  if (!data) return null;
  return (
    <section className="browsers">
      <h2>{account.push.title}</h2>
      {data.enabled ? <ThisBrowser browsers={data} /> : <p className="muted">{account.push.states.tenantOff}</p>}
      <Browsers browsers={data} />
    </section>
  );
}

function ThisBrowser({ browsers }: { browsers: Browsers }) {
  const account = useAccountTexts();
  const attempt = useAttempt();
  const me = useMe().data?.userData?.id ?? 0;
  const hint = useId();
  const [state, setState] = useState<State>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    let current = true;
    void readState(browsers).then((found) => current && setState(found));
    return () => {
      current = false;
    };
  }, [browsers]);
  const start = async () => {
    // Browsers ask only after a click.
    const permission = await Notification.requestPermission();
    if (permission !== 'granted') return setState(permission === 'denied' ? 'denied' : 'closed');
    try {
      await startPush(browsers.publicKey!, me);
    } catch (error) {
      // The browser, or its push service, refuses.
      if (!(error instanceof DOMException)) throw error;
      setState('unreachable');
    }
  };
  const stop = async () => {
    const own = browsers.subscriptions?.find(({ current }) => current);
    await endPush();
    if (own) await portal.notifications.deletePushSubscription({ subscriptionId: own.id! });
    await queryClient.invalidateQueries({ queryKey: BROWSERS });
  };
  const change = async (on: boolean) => {
    setBusy(true);
    await attempt(on ? start : stop, account.notSaved);
    setBusy(false);
  };
  if (state === undefined) return null;
  const possible = state !== 'unsupported' && state !== 'denied';
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          aria-describedby={hint}
          checked={state === 'on'}
          disabled={!possible || busy}
          onChange={({ currentTarget: { checked } }) => void change(checked)}
        />
        {account.push.thisBrowser}
      </label>
      <p id={hint} className="muted" role="status">
        {account.push.states[state]}
      </p>
    </>
  );
}

function Browsers({ browsers: { subscriptions = [] } }: { browsers: Browsers }) {
  const texts = useTexts();
  const account = useAccountTexts();
  const formats = useFormats();
  const attempt = useAttempt();
  const remove = (subscriptionId: number, current: boolean) =>
    attempt(async () => {
      if (current) await endPush();
      await portal.notifications.deletePushSubscription({ subscriptionId });
      await queryClient.invalidateQueries({ queryKey: BROWSERS });
    }, account.notSaved);
  return subscriptions.map(({ id, userAgent, service, current = false, creationTimestamp, lastSentTimestamp }) => {
    const name = current ? texts.thisBrowser : (userAgent ?? service ?? '');
    return (
      <div key={id} className="comment">
        <p className="browser">{current ? <strong>{name}</strong> : name}</p>
        <p className="muted browser">
          {account.push.since(formats.moment(creationTimestamp!))}
          {' · '}
          {lastSentTimestamp === undefined
            ? account.push.neverSent
            : account.push.sent(formats.moment(lastSentTimestamp))}
        </p>
        <Button
          variant="default"
          size="xs"
          mt={8}
          aria-label={`${account.remove}: ${name}`}
          onClick={() => void remove(id!, current)}
        >
          {account.remove}
        </Button>
      </div>
    );
  });
}
