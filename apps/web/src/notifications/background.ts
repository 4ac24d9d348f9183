/** Work for notifications outside the page, which starts after the page is shown. */
import { portal, queryClient } from '../portal.ts';
import { lastAccount, sessionEnd, subscribeToSession } from '../session/session.ts';
import { endPush, renewPush } from './this-browser.ts';

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
