/**
 * Opens the page without a network: keeps its scripts and styles and the empty page, which are the
 * same for everybody. Shows notifications that arrive while the page is closed. Other data of
 * accounts never passes through here. `build.ts` fills in the names.
 */

/** The events of a service worker, as far as they are used here. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
}
interface PushEvent extends WorkerEvent {
  readonly data: { json(): Partial<PushMessage> } | null;
}
interface NotificationEvent extends WorkerEvent {
  readonly notification: Notification;
}
interface SubscriptionEvent extends WorkerEvent {
  readonly newSubscription?: PushSubscription | null;
}
/** An open page. */
interface Page {
  readonly url: string;
  focus(): Promise<unknown>;
  postMessage(message: { open: string }, ports: readonly MessagePort[]): void;
}
interface Worker {
  readonly location: Location;
  readonly navigator: { readonly onLine: boolean; setAppBadge?(number: number): Promise<void> };
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationEvent) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionEvent) => void): void;
}

/** A notification as the server sends it (`compose-push.ts`). */
interface PushMessage {
  readonly kind: number;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly unread: number;
}

const worker = self as unknown as Worker;
const BASE = '/portal/';
/** The cache of this version of the page. */
const NAME = 'portico-__VERSION__';
const FILES = '__FILES__'.split(' ');
/** Paths whose navigations are no pages. */
const NO_PAGES = /^\/portal\/(?:api|files|storage|mcp)(?:\/|$)/;
/** Kinds of notifications that alert again where they replace another about the same post. */
const ALERTS = [1, 2, 3, 6];
/** Time in which an open page says that it opens an address. Milliseconds. */
const PAGE_ANSWER = 500;
const SUBSCRIPTIONS = `${BASE}api/communication/notifications/`;
/** Answers of a proxy before a portal that does not run. */
const DOWN = [502, 503, 504];

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll([BASE, ...FILES.map((file) => BASE + file)])));
});

worker.addEventListener('activate', (event) => {
  const work = async () => {
    for (const name of await caches.keys()) if (name.startsWith('portico-') && name !== NAME) await caches.delete(name);
    await worker.registration.navigationPreload?.enable();
  };
  event.waitUntil(work());
});

/** The page from the portal; without a network, the kept one. */
async function openPage(event: FetchEvent): Promise<Response> {
  const kept = () => caches.match(BASE);
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    return DOWN.includes(response.status) ? ((await kept()) ?? response) : response;
  } catch (error) {
    const page = await kept();
    if (!page) throw error;
    return page;
  }
}

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin) return;
  if (request.mode === 'navigate') {
    if (url.pathname.startsWith(BASE) && !NO_PAGES.test(url.pathname)) event.respondWith(openPage(event));
  } else if (!worker.navigator.onLine && url.pathname.startsWith(`${BASE}assets/`))
    // With a network, the browser's own cache is quicker: an asset never changes.
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
});

/** Shows a notification: browsers end subscriptions whose messages show none. */
async function show({ kind = 0, title = 'Portico', body = '', url = BASE, unread }: Partial<PushMessage>) {
  // One notification for each post.
  const options = { body, tag: url, data: url, icon: `${BASE}icon.svg`, renotify: ALERTS.includes(kind) };
  await worker.registration.showNotification(title, options);
  // Browsers refuse the number where the portal is not installed.
  if (unread !== undefined) await worker.navigator.setAppBadge?.(unread).catch(() => undefined);
}

worker.addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.json() ?? {}));
});

/** @returns whether the page opens the address without being loaded anew */
const opens = (page: Page, url: string) =>
  new Promise<boolean>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(() => resolve(false), PAGE_ANSWER);
    page.postMessage({ open: url }, [port2]);
  });

/** Opens an address in a page that is open already, in the one that shows it if possible. */
async function open(url: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shows = (page: Page) => new URL(page.url).pathname === url;
  for (const page of pages.toSorted((a, b) => Number(shows(b)) - Number(shows(a))))
    if (await opens(page, url)) {
      await page.focus();
      return;
    }
  await worker.clients.openWindow(url);
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data ?? BASE));
});

/** Stores the subscription that the browser has now, for the session of the browser. */
async function subscribeAgain(made: PushSubscription | null | undefined): Promise<void> {
  const { publicKey } = await (await fetch(`${SUBSCRIPTIONS}data/push-subscriptions`)).json();
  if (publicKey === undefined) return;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const { endpoint, keys } = (made ?? (await worker.registration.pushManager.subscribe(options))).toJSON();
  await fetch(`${SUBSCRIPTIONS}manage/push-subscriptions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, ...keys }),
  });
}

worker.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event.newSubscription));
});
