/** Notices of what just happened, at the foot of the page, with Undo where there is one. */
export interface Notice {
  readonly key: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => Promise<void> };
  /** Called when the notice ends without its action. */
  readonly ended?: () => void;
}

/** Milliseconds that a notice stays. */
export const NOTICE_TIME = 10_000;

/** Notices at one time. */
const MOST = 3;

let notices: readonly Notice[] = [];
let lastKey = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

/** @param ended called when the notice ends without its action, also because the page is left */
export function showNotice(text: string, action?: Notice['action'], ended?: () => void): void {
  const all = [...notices, { key: ++lastKey, text, ...(action && { action }), ...(ended && { ended }) }];
  replace(all.slice(-MOST));
  for (const notice of all.slice(0, -MOST)) notice.ended?.();
}

/** @param acted whether the action of the notice runs instead of its end */
export function dismissNotice(key: number, acted = false): void {
  const known = notices.find((notice) => notice.key === key);
  replace(notices.filter((notice) => notice !== known));
  if (!acted) known?.ended?.();
}

// An action that waits for the end of its notice runs when the page is left.
window.addEventListener('pagehide', () => {
  for (const { key } of notices) dismissNotice(key);
});

export function subscribeToNotices(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentNotices = (): readonly Notice[] => notices;
