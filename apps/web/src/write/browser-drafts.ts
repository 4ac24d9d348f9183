/** Unsaved input in this browser, by account: kept until it is saved, at most 30 days. */
import { createStore, del, entries, get, set } from 'idb-keyval';

const DAYS_KEPT = 30;
const DAY = 86_400_000;

interface StoredDraft {
  readonly at: number;
  readonly value: unknown;
}

const store = createStore('portico-drafts', 'drafts');
const keyOf = (userId: number, name: string) => `${userId}/${name}`;

/** @returns the stored value; undefined if there is none, or if the browser stores nothing */
export async function readBrowserDraft<T>(userId: number, name: string): Promise<T | undefined> {
  try {
    const kept = await get<StoredDraft>(keyOf(userId, name), store);
    return kept && Date.now() - kept.at < DAYS_KEPT * DAY ? (kept.value as T) : undefined;
  } catch {
    return undefined; // a browser without storage, as in private windows
  }
}

export async function saveBrowserDraft(userId: number, name: string, value: unknown): Promise<void> {
  await set(keyOf(userId, name), { at: Date.now(), value } satisfies StoredDraft, store).catch(() => undefined);
}

export async function deleteBrowserDraft(userId: number, name: string): Promise<void> {
  await del(keyOf(userId, name), store).catch(() => undefined);
}

/** Whether the account has drafts in this browser. Removes drafts that are too old. */
export async function hasBrowserDrafts(userId: number): Promise<boolean> {
  const all = await entries<string, StoredDraft>(store).catch(() => []);
  let found = false;
  for (const [key, { at }] of all)
    if (Date.now() - at >= DAYS_KEPT * DAY) await del(key, store);
    else if (key.startsWith(`${userId}/`)) found = true;
  return found;
}

/** Removes the unsaved input of the account. */
export async function deleteBrowserDrafts(userId: number): Promise<void> {
  const all = await entries<string, StoredDraft>(store).catch(() => []);
  for (const [key] of all) if (key.startsWith(`${userId}/`)) await del(key, store);
}
