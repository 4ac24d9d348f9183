/**
 * Live updates. A single tab of the browser listens and informs the others, because browsers limit
 * the connections to a server. In browsers without locks, each tab listens for itself.
 */
import { AuthenticationError, type LiveEvent } from '@portico/sdk';
import { portal, queryClient } from '../portal.ts';

/** A change of a post. */
type PostChange = Pick<Extract<LiveEvent, { event: 'post' }>, 'postId' | 'communityId' | 'status'>;

const CHANNEL = 'portico-live';
/** Changes within this time are handled together. Milliseconds. */
const BATCH_TIME = 300;
/** Beginnings of the query keys of single posts. */
const POST_QUERY_KEYS = ['post', 'comments', 'history', 'attachments', 'capabilities', 'tasks of post', 'versions'];

/** Posts deleted by this tab: their data is not read again. */
const deletedHere = new Set<number>();

/** Whether a query reads a post that this tab deleted. */
const readsDeletedPost = (key: readonly unknown[]): boolean =>
  POST_QUERY_KEYS.includes(key[0] as string) && deletedHere.has(key[1] as number);

/** Notes that this tab is about to delete a post, before the event of the deletion arrives. */
export function markPostDeleted(postId: number): void {
  deletedHere.add(postId);
}

/** Notes that a post was not deleted, or was restored. */
export function unmarkPostDeleted(postId: number): void {
  deletedHere.delete(postId);
}

/** Reads all data again, except data of deleted posts. */
export const refetchAll = (): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => !readsDeletedPost(queryKey) });

/** Removes the data of posts that this tab deleted. */
export const removeDeletedQueries = (): void =>
  queryClient.removeQueries({ predicate: ({ queryKey }) => readsDeletedPost(queryKey) });

const listeners = new Set<(changes: readonly PostChange[]) => void>();
let pending: PostChange[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let lastEventId: string | undefined;

/** Called with changes of posts, several at a time. @returns a function that ends the subscription */
export function onPostChanges(listener: (changes: readonly PostChange[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const invalidate = (...keys: string[]) => {
  for (const key of keys) void queryClient.invalidateQueries({ queryKey: [key] });
};

function flush(): void {
  timer = undefined;
  const changes = pending;
  pending = [];
  for (const { postId } of changes)
    for (const key of deletedHere.has(postId!) ? [] : POST_QUERY_KEYS)
      void queryClient.invalidateQueries({ queryKey: [key, postId] });
  invalidate('waiting', 'tasks', 'drafts', 'tree');
  for (const listener of listeners) listener(changes);
}

function handleEvent(event: LiveEvent): void {
  lastEventId = event.lastEventId ?? lastEventId;
  switch (event.event) {
    case 'post':
      pending.push(event);
      timer ??= setTimeout(flush, BATCH_TIME);
      break;
    case 'notifications':
      invalidate('notifications', 'waiting');
      break;
    case 'reset':
    case 'access':
      void refetchAll();
      break;
    default:
  }
}

/** Listens until it is told to stop. */
export function startLiveUpdates(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => handleEvent(data);
  const listen = async () => {
    for await (const event of portal.changes.listen({ signal, lastEventId })) {
      channel.postMessage(event);
      handleEvent(event);
    }
  };
  const listening = navigator.locks ? navigator.locks.request(CHANNEL, { signal }, listen) : listen();
  listening.catch((error: unknown) => {
    // If the session has ended, the user is asked to sign in; other errors appear at the next read.
    if (!signal.aborted && error instanceof AuthenticationError) invalidate('me');
  });
  return () => {
    stop.abort();
    channel.close();
    clearTimeout(timer);
    timer = undefined;
  };
}
