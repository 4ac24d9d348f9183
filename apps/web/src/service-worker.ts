/**
 * Opens the page without a network: keeps its scripts and styles and the empty page, which are the
 * same for everybody. Data of accounts never passes through here. `build.ts` fills in the names.
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
interface Worker {
  readonly location: Location;
  readonly navigator: { readonly onLine: boolean };
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } };
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

const worker = self as unknown as Worker;
const BASE = '/portal/';
/** The cache of this version of the page. */
const NAME = 'portico-__VERSION__';
const FILES = '__FILES__'.split(' ');
/** Paths whose navigations are no pages. */
const NO_PAGES = /^\/portal\/(?:api|files|storage|mcp)(?:\/|$)/;
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
