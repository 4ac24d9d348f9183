/**
 * Notifications that this browser shows while the portal is closed (Web Push), and the number of
 * unread ones on the installed page. Loaded after the page.
 */
import { portal, queryClient } from '../portal.ts';
import { lastAccount, sessionEnd, subscribeToSession } from '../session/session.ts';

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
async function renewPush(account: number): Promise<void> {
  if (localStorage.getItem(ACCOUNT) !== String(account) || (await pushPermission()) !== 'granted') return;
  const { publicKey, subscriptions = [] } = await portal.notifications.pushSubscriptions();
  if (publicKey !== undefined && !subscriptions.some(({ current }) => current)) await startPush(publicKey, account);
}

const COUNT = 'notifications';

/** Shows the number of unread notifications on the installed page. */
function showNumber(): void {
  const { unread } = queryClient.getQueryData<{ unread?: number }>([COUNT, 'count']) ?? {};
  // Browsers refuse it where the page is not installed.
  if (unread !== undefined && sessionEnd() === undefined) void navigator.setAppBadge?.(unread).catch(() => undefined);
}

const removeNumber = () => void navigator.clearAppBadge?.().catch(() => undefined);

/** Opens a page when the service worker asks for it: the person chose a notification. */
function openPages({ data, ports }: MessageEvent<{ open?: string }>): void {
  if (data.open === undefined) return;
  ports[0]?.postMessage(true);
  // The router notices it.
  if (data.open !== location.pathname) history.pushState(null, '', data.open);
}

let listening = false;

/** Stores the browser again where its session had ended. Where that fails, the settings show it. */
const renew = () => void renewPush(lastAccount()).catch(() => undefined);

/** Begins the work for the signed-in person. */
export function startInBackground(): void {
  showNumber();
  renew();
  if (listening) return;
  listening = true;
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === COUNT) showNumber();
  });
  subscribeToSession(() => (sessionEnd() === undefined ? renew() : removeNumber()));
  navigator.serviceWorker?.addEventListener('message', openPages);
}

/** Ends the session, and all that this browser shows outside the page. */
export async function signOut(): Promise<void> {
  // The session takes the stored subscription with it.
  await portal.signOut();
  removeNumber();
  await endPush().catch(() => undefined);
}
