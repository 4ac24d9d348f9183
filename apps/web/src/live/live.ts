/**
 * Changes as they happen. One tab of the browser listens and tells the others, because browsers allow few connections to a server;
 * where browsers offer no locks, each tab listens for itself.
 */
import { AuthenticationError, type LiveEvent } from '@portico/sdk';
import { portal, queries } from '../portal.ts';

/** What happened to a post. */
type PostChange = Pick<Extract<LiveEvent, { event: 'post' }>, 'postId' | 'communityId' | 'status'>;

const NAME = 'portico-live';
/** Changes that come together are taken together. Milliseconds. */
const TOGETHER = 300;
/** Beginnings of the query keys of what is read of one post. */
const OF_POST = ['post', 'comments', 'history', 'attachments', 'capabilities', 'tasks of post', 'versions'];

/** Posts that this tab has deleted: nothing more is read of them. */
const deletedHere = new Set<number>();

/** Whether a query reads a post that this tab has deleted. */
const isOfDeleted = (key: readonly unknown[]): boolean =>
  OF_POST.includes(key[0] as string) && deletedHere.has(key[1] as number);

/** Says that this tab is about to delete a post, before the deletion is told of. */
export function leavePost(postId: number): void {
  deletedHere.add(postId);
}

/** Says that a post is there after all, or again. */
export function returnToPost(postId: number): void {
  deletedHere.delete(postId);
}

/** Everything is read again, but what is deleted. */
export const readAgain = (): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => !isOfDeleted(queryKey) });

/** Forgets what was read of posts that this tab has deleted. */
export const forgetDeleted = (): void => queries.removeQueries({ predicate: ({ queryKey }) => isOfDeleted(queryKey) });

const listeners = new Set<(changes: readonly PostChange[]) => void>();
let pending: PostChange[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let last: string | undefined;

/** Called with changes of posts, several at a time. @returns a function that ends the subscription */
export function onPostChanges(listener: (changes: readonly PostChange[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const again = (...keys: string[]) => {
  for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
};

function tell(): void {
  timer = undefined;
  const changes = pending;
  pending = [];
  for (const { postId } of changes)
    for (const key of deletedHere.has(postId!) ? [] : OF_POST)
      void queries.invalidateQueries({ queryKey: [key, postId] });
  again('waiting', 'tasks', 'drafts', 'tree');
  for (const listener of listeners) listener(changes);
}

function take(event: LiveEvent): void {
  last = event.lastEventId ?? last;
  switch (event.event) {
    case 'post':
      pending.push(event);
      timer ??= setTimeout(tell, TOGETHER);
      break;
    case 'notifications':
      again('notifications', 'waiting');
      break;
    case 'reset':
    case 'access':
      void readAgain();
      break;
    default:
  }
}

/** Listens until it is told to stop. */
export function startLive(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => take(data);
  const lead = async () => {
    for await (const event of portal.stream.live({ signal, lastEventId: last })) {
      channel.postMessage(event);
      take(event);
    }
  };
  const listening = navigator.locks ? navigator.locks.request(NAME, { signal }, lead) : lead();
  listening.catch((error: unknown) => {
    // Whoever is signed out is asked to sign in; of anything else the next read says what it is.
    if (!signal.aborted && error instanceof AuthenticationError) again('me');
  });
  return () => {
    stop.abort();
    channel.close();
    clearTimeout(timer);
    timer = undefined;
  };
}
