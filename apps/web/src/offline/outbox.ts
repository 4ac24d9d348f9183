/**
 * Writing that could not be sent: kept in this browser by account, with the key of its first
 * attempt, so that no comment or post is created twice. It is sent when the portal can be reached
 * again; refused and old writing is offered instead.
 */
import { type Input, NetworkError } from '@portico/sdk';
import { createStore, del, get, set, values } from 'idb-keyval';
import { failureOf, portal } from '../portal.ts';
import { lastAccount } from '../session/session.ts';
import { isReachable } from './connection.ts';

/** The server remembers the key of a write for 48 hours. Milliseconds. */
const KEY_LIFE = 47 * 3_600_000;
const DAYS_KEPT = 30;
const DAY = 86_400_000;

/** The writes that are kept, by the operation. */
interface Writes {
  readonly createPostComment: Input<'createPostComment'>;
  readonly createCustomPost: Input<'createCustomPost'>;
  readonly createEventPost: Input<'createEventPost'>;
  readonly createTask: Input<'createTask'>;
}
type KeptOperation = keyof Writes;

export interface KeptWrite<K extends KeptOperation = KeptOperation> {
  /** Sent as `Idempotency-Key`. */
  readonly key: string;
  readonly account: number;
  readonly operation: K;
  readonly input: Writes[K];
  /** Names the writing to its author: the beginning of its text, or its title. */
  readonly label: string;
  /** Where it belongs: the post of a comment or task. */
  readonly postId?: number;
  readonly at: number;
  /** Why it was not sent: the words of the server, or that it is too old to be sent unasked. */
  readonly problem?: string;
  readonly old?: boolean;
}

const store = createStore('portico-outbox', 'outbox');
const listeners = new Set<() => void>();
const channel = new BroadcastChannel('portico-outbox');
channel.onmessage = () => void load();
let kept: readonly KeptWrite[] = [];

/** Unsent writing of the account, the oldest first. */
export const keptWrites = (): readonly KeptWrite[] => kept;

export function subscribeToOutbox(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads the unsent writing of the account. */
export async function load(): Promise<void> {
  const account = lastAccount();
  const all = await values<KeptWrite>(store).catch(() => []);
  for (const { key, at } of all) if (Date.now() - at > DAYS_KEPT * DAY) await del(key, store);
  kept = all
    .filter((one) => one.account === account && Date.now() - one.at <= DAYS_KEPT * DAY)
    .toSorted((a, b) => a.at - b.at);
  for (const listener of listeners) listener();
}

async function change(run: () => Promise<void>): Promise<void> {
  await run();
  await load();
  channel.postMessage(null);
}

export const dropWrite = ({ key }: KeptWrite): Promise<void> => change(() => del(key, store));

const send = ({ operation, input, key }: KeptWrite): Promise<unknown> =>
  portal.call(operation, input as never, { idempotencyKey: key });

/**
 * Sends a write; without a network it is kept.
 * @returns the answer; undefined where the write is kept
 * @throws the error of the client library for a refusal; NetworkError where nothing can be kept
 */
export async function sendOrKeep(write: Omit<KeptWrite, 'account' | 'at'>): Promise<unknown> {
  const one: KeptWrite = { ...write, account: lastAccount(), at: Date.now() };
  try {
    return await send(one);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    // A browser without storage cannot keep it: the form then shows the failure.
    await set(one.key, one, store).catch(() => {
      throw error;
    });
    await load();
    channel.postMessage(null);
    return undefined;
  }
}

/**
 * Sends one kept write.
 * @param problemOf words for a refusal
 * @returns whether it was sent
 * @throws NetworkError where the portal cannot be reached
 */
async function sendKept(one: KeptWrite, problemOf: (error: unknown) => string): Promise<boolean> {
  try {
    await send(one);
    await del(one.key, store);
    return true;
  } catch (error) {
    if (['offline', 'signed-out'].includes(failureOf(error))) throw error;
    await set(one.key, { ...one, problem: problemOf(error) } satisfies KeptWrite, store);
    return false;
  }
}

interface Told {
  sent: (write: KeptWrite) => void;
  problemOf: (error: unknown) => string;
}

/** Runs in one tab at a time: two would send the same writing twice at once. */
async function alone(run: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return run();
  await navigator.locks.request('portico-outbox', { ifAvailable: true }, (lock) => (lock ? run() : undefined));
}

/** Sends the kept writes, except refused ones, and those too old to be sent unasked. */
export const sendAll = (told: Told): Promise<void> =>
  alone(async () => {
    await load();
    try {
      for (const one of kept) {
        if (one.problem !== undefined || one.old || !isReachable()) continue;
        if (Date.now() - one.at > KEY_LIFE) await set(one.key, { ...one, old: true }, store);
        else if (await sendKept(one, told.problemOf)) told.sent(one);
      }
    } catch (error) {
      // Without a network or a session, the rest waits for the next attempt.
      if (!['offline', 'signed-out'].includes(failureOf(error))) throw error;
    }
    await change(async () => undefined);
  });

/** Sends one write because its author asks for it. */
export const sendNow = ({ key }: KeptWrite, told: Told): Promise<void> =>
  alone(async () => {
    const one = await get<KeptWrite>(key, store);
    if (!one) return load();
    try {
      if (await sendKept(one, told.problemOf)) told.sent(one);
    } finally {
      await change(async () => undefined);
    }
  });
