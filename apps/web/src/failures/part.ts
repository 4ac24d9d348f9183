/**
 * Parts of the page that are loaded when they are needed. A request that fails is repeated; if the
 * part stays away although the portal answers, an upgrade has replaced it: the page is loaded
 * again, once.
 */
import { createElement, type FunctionComponent, type ReactNode, use } from 'react';

/** Milliseconds before each further request. */
const PAUSES = [300, 1_500];
/** Time within which the page is not loaded again a second time. Milliseconds. */
const RELOAD_PAUSE = 300_000;
const RELOAD_KEY = 'portico-reloaded';

/** A part of the page could not be loaded. */
export class PartError extends Error {
  override name = 'PartError';
  /**
   * Requests the part once more; the next rendering shows it, or throws the next failure.
   * @param asked whether the reader asks for it: the page may then be loaded again
   */
  readonly again: (asked: boolean) => Promise<void>;

  constructor(cause: unknown, again: PartError['again']) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.again = again;
  }
}

/** Style sheets whose request failed: Vite requests each of them only once. */
const missingStyles = new Set<string>();

window.addEventListener('vite:preloadError', ({ payload }) => {
  const [, path] = /^Unable to preload CSS for (\S+)/.exec(payload.message) ?? [];
  if (path !== undefined) missingStyles.add(path);
});

/** @throws Error for the first style sheet that fails again */
async function requestMissingStyles(): Promise<void> {
  for (const path of missingStyles) {
    await new Promise((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = path;
      link.onload = resolve;
      link.onerror = () => {
        link.remove();
        reject(new Error(`Unable to load ${path}`));
      };
      document.head.append(link);
    });
    missingStyles.delete(path);
  }
}

/** The address of a module whose request failed, as browsers name it; Safari does not. */
const addressIn = (error: unknown): string | undefined =>
  /\bhttps?:\/\/\S+\.js\b/.exec(error instanceof Error ? error.message : '')?.[0];

/**
 * Requests a part until it arrives, as often as {@link PAUSES} has entries more than once. Browsers
 * remember that a module could not be loaded, so further requests use another address.
 */
async function loadWithPauses<M>(load: () => Promise<M>): Promise<M> {
  // A request without a network would be remembered, too; a service worker answers it.
  if (!navigator.onLine && !navigator.serviceWorker?.controller) throw new Error('offline');
  let address: string | undefined;
  for (let attempt = 0; ; attempt++) {
    try {
      await requestMissingStyles();
      return await (address === undefined ? load() : import(/* @vite-ignore */ `${address}?again=${Date.now()}`));
    } catch (error) {
      address ??= addressIn(error);
      const pause = PAUSES[attempt];
      if (pause === undefined || !navigator.onLine) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * Whether the portal answers, and the page was not loaded again a moment ago.
 * @param asked whether the reader asks for it: the page is then loaded however often
 */
async function mayReload(asked: boolean): Promise<boolean> {
  try {
    const before = Number(sessionStorage.getItem(RELOAD_KEY) ?? 0);
    if (!asked && Date.now() - before < RELOAD_PAUSE) return false;
    const { ok } = await fetch(import.meta.env.BASE_URL, { method: 'HEAD', cache: 'no-store' });
    if (ok) sessionStorage.setItem(RELOAD_KEY, String(Date.now()));
    return ok;
  } catch {
    // Without an answer or storage, the page stays as it is; the caller shows the failure.
    return false;
  }
}

/** Properties of a component that a module exports. */
type PropsOf<C> = C extends (props: infer P) => ReactNode ? P : never;

/** A component that is loaded when it is first shown. */
type Part<P> = FunctionComponent<P> & { preload: () => Promise<void> };

/**
 * Returns a component that loads a module when it is first shown, and throws {@link PartError}
 * where that fails.
 * @param name the export of the module
 */
export function part<M, K extends keyof M>(load: () => Promise<M>, name: K): Part<PropsOf<M[K]>> {
  type Props = PropsOf<M[K]>;
  let found: FunctionComponent<Props> | undefined;
  let failed: PartError | undefined;
  let loading: Promise<void> | undefined;
  const run = async (reloads: 'once' | 'asked' | 'never') => {
    try {
      found = (await loadWithPauses(load))[name] as FunctionComponent<Props>;
      failed = undefined;
    } catch (error) {
      if (reloads !== 'never' && (await mayReload(reloads === 'asked'))) {
        window.location.reload();
        await new Promise(() => undefined);
      }
      failed = new PartError(error, (asked) => request(asked ? 'asked' : 'never'));
    }
    loading = undefined;
  };
  /** The request under way, or a new one. */
  const request = (reloads: 'once' | 'asked' | 'never' = 'once'): Promise<void> => {
    loading ??= run(reloads);
    return loading;
  };
  const preload = async (): Promise<void> => {
    if (!found) await request();
  };
  const Shown = (props: Props) => {
    if (failed && !loading) throw failed;
    if (!found) use(request());
    return createElement(found as FunctionComponent<object>, props as object);
  };
  return Object.assign(Shown, { preload }) as Part<Props>;
}
