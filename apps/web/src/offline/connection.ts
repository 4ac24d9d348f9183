/** Whether the portal can be reached: the browser's word, and the outcome of the last request. */

/** Milliseconds between attempts to reach the portal. */
const PROBE_PAUSE = 4_000;
/** Longest pause between two returns that are told. Milliseconds. */
const LONGEST_PAUSE = 60_000;

let lost = false;
let probe: ReturnType<typeof setTimeout> | undefined;
/** When the last return was told, the pause until the next, and the timer that ends the pause. */
let toldAt = Number.NEGATIVE_INFINITY;
let pause = PROBE_PAUSE;
let waiting: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const returns = new Set<() => void>();

const tell = () => {
  for (const listener of listeners) listener();
};

export const isReachable = (): boolean => navigator.onLine && !lost;

export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls a function each time the portal can be reached again. */
export function onReturn(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

function noteReached(): void {
  clearTimeout(probe);
  if (!lost) return;
  lost = false;
  tell();
  if (waiting === undefined) waiting = setTimeout(tellReturn, Math.max(0, toldAt + pause - performance.now()));
}

/**
 * Tells that the portal can be reached again. Listeners repeat requests: where one address fails
 * while others answer, they would do so without end, so returns that follow each other are told
 * after pauses that double.
 */
function tellReturn(): void {
  waiting = undefined;
  const now = performance.now();
  pause = now - toldAt < 2 * pause ? Math.min(2 * pause, LONGEST_PAUSE) : PROBE_PAUSE;
  toldAt = now;
  for (const listener of returns) listener();
}

function noteLost(): void {
  clearTimeout(probe);
  // The browser says when it is online again.
  if (navigator.onLine) probe = setTimeout(() => void tryToReach(), PROBE_PAUSE);
  if (lost) return;
  lost = true;
  tell();
}

async function tryToReach(): Promise<void> {
  try {
    await fetch(import.meta.env.BASE_URL, { method: 'HEAD', cache: 'no-store' });
    noteReached();
  } catch {
    // Still out of reach: the next attempt follows.
    noteLost();
  }
}

window.addEventListener('offline', noteLost);
window.addEventListener('online', () => void tryToReach());
if (!navigator.onLine) lost = true;

let leaving = false;
window.addEventListener('pagehide', () => {
  leaving = true;
});
window.addEventListener('pageshow', () => {
  leaving = false;
});

/** Sends a request and notes whether the portal was reached. */
export async function watchedFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    // A request that is sent while the page is left goes on without it.
    const response = await fetch(url, leaving ? { ...init, keepalive: true } : init);
    noteReached();
    return response;
  } catch (error) {
    if (!init.signal?.aborted) noteLost();
    throw error;
  }
}
