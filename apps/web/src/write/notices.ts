/** Notices of what just happened, at the foot of the page, with Undo where there is one. */
export interface Notice {
  readonly key: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => Promise<void> };
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

export function showNotice(text: string, action?: Notice['action']): void {
  replace([...notices, { key: ++lastKey, text, ...(action && { action }) }].slice(-MOST));
}

export function dismissNotice(key: number): void {
  replace(notices.filter((notice) => notice.key !== key));
}

export function subscribeToNotices(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentNotices = (): readonly Notice[] => notices;
