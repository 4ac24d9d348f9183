/** Notifications that this browser shows while the portal is closed (Web Push). */
import { portal, queryClient } from '../portal.ts';

/** The query of the browsers of the caller. */
export const BROWSERS = ['push subscriptions'] as const;
/** Holds the account for which this browser shows notifications. */
const ACCOUNT = 'portico-push';
/** Time in which a push service must answer the browser. Milliseconds. */
const LONGEST_WAIT = 20_000;

/** @returns the installed service worker; undefined where there is none */
const workerOf = async () => navigator.serviceWorker?.getRegistration();

/** `default`: the person was not asked, or closed the question. */
type PushPermission = NotificationPermission | 'unsupported';

/** Returns what the browser permits, without asking the person. */
export async function pushPermission(): Promise<PushPermission> {
  const supported = 'Notification' in window && 'PushManager' in window && (await workerOf()) !== undefined;
  return supported ? Notification.permission : 'unsupported';
}

/** Returns the subscription of this browser at its push service. */
export async function ownSubscription(): Promise<PushSubscription | undefined> {
  return (await (await workerOf())?.pushManager?.getSubscription()) ?? undefined;
}

const base64url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Some browsers wait without end for a push service that they cannot reach. */
const inTime = (subscribing: Promise<PushSubscription>): Promise<PushSubscription> =>
  Promise.race([
    subscribing,
    new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new DOMException('The push service did not answer.', 'TimeoutError')), LONGEST_WAIT);
    }),
  ]);

/**
 * Subscribes this browser with the key of the tenant, and stores it for the session.
 * @throws DOMException where the browser or its push service refuses
 */
export async function startPush(publicKey: string, account: number): Promise<void> {
  const worker = await navigator.serviceWorker.ready;
  let subscription = await worker.pushManager.getSubscription();
  // A browser keeps one subscription, and takes messages of the key of that alone.
  if (subscription && base64url(subscription.options.applicationServerKey) !== publicKey) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await inTime(
    worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }),
  );
  const { endpoint = '', keys } = subscription.toJSON();
  await portal.notifications.createPushSubscription({
    endpoint,
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
  });
  localStorage.setItem(ACCOUNT, String(account));
  await queryClient.invalidateQueries({ queryKey: BROWSERS });
}

/** Ends the subscription of this browser, and removes the notifications that it shows. */
export async function endPush(): Promise<void> {
  localStorage.removeItem(ACCOUNT);
  await (await ownSubscription())?.unsubscribe();
  for (const shown of (await (await workerOf())?.getNotifications?.()) ?? []) shown.close();
}

/**
 * Stores this browser again where it showed notifications of the account, and the session that
 * stored it has ended meanwhile.
 */
export async function renewPush(account: number): Promise<void> {
  if (localStorage.getItem(ACCOUNT) !== String(account) || (await pushPermission()) !== 'granted') return;
  const { publicKey, subscriptions = [] } = await portal.notifications.pushSubscriptions();
  if (publicKey !== undefined && !subscriptions.some(({ current }) => current)) await startPush(publicKey, account);
}
