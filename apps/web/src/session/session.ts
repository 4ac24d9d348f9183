/** The account of this page, and the end of its session. */
import { deleteCopies } from '../offline/copies.ts';

const ACCOUNT_KEY = 'portico-account';
const CHANNEL = 'portico-session';

/** Why the session ended: somebody signed out in this browser, or anything else. */
export type SessionEnd = 'signed-out' | 'elsewhere';

/** The account whose data the page shows; 0 before the sign-in. */
let shown = 0;
let ended: SessionEnd | undefined;
const listeners = new Set<() => void>();
const channel = new BroadcastChannel(CHANNEL);
channel.onmessage = () => noteEnd('signed-out');

function set(next: SessionEnd | undefined): void {
  ended = next;
  for (const listener of listeners) listener();
}

export const sessionEnd = (): SessionEnd | undefined => ended;

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The account that was signed in last in this browser; 0 if none was, or it signed out. */
export const lastAccount = (): number => shown || Number(localStorage.getItem(ACCOUNT_KEY) ?? 0);

/** Notes the account whose data the page shows. */
export function noteAccount(id: number): void {
  shown = id;
  localStorage.setItem(ACCOUNT_KEY, String(id));
}

/**
 * Removes the copies of all accounts; where the page shows an account, it asks for the sign-in. A refused request may come
 * before the message of the tab that signed out, which has the reason.
 */
export function noteEnd(why: SessionEnd): void {
  void deleteCopies();
  if (shown !== 0 && ended !== 'signed-out') set(why);
}

/** Notes that the account of the page has a session again. */
export const noteNewSession = (): void => set(undefined);

/** Ends the session of the whole browser: other tabs are told. */
export async function noteSignOut(): Promise<void> {
  shown = 0;
  localStorage.removeItem(ACCOUNT_KEY);
  await deleteCopies();
  channel.postMessage(null);
}
