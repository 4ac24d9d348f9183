/** Changes of posts as they happen: server-sent events, with a new connection after a break. */

import { AuthenticationError } from './errors.ts';
import { backoff, isPassing, pause, type Transport } from './transport.ts';

/** How changes are listened to. */
export interface LiveOptions {
  /** Only changes in these communities; left out, in all. */
  communityIds?: readonly number[];
  /** Id of the last event of an earlier connection: what came since is sent first. */
  lastEventId?: string | undefined;
  /** Ends the listening; the loop over it ends without an error. */
  signal?: AbortSignal;
}

/** What a listener is told. */
export type LiveEvent = (
  | {
      /** A post was created, modified, touched or deleted, or came into or out of sight. */
      event: 'post';
      postId: number;
      communityId: number;
      status: 'CREATED' | 'MODIFIED' | 'TOUCHED' | 'DELETED';
    }
  /** The connection stands: what is read from now on is at least as new. */
  | { event: 'ready' }
  /** Changes may have been missed: read anew what is shown. */
  | { event: 'reset' }
  /** The caller has new notifications. */
  | { event: 'notifications' }
  /** The roles of the caller have changed: read anew what they may see. */
  | { event: 'access' }
) & {
  /** Where to continue after a break; of several changes that were sent together the last has it. */
  lastEventId?: string;
};

const NAMES: readonly string[] = ['post', 'ready', 'reset', 'access', 'notifications'] satisfies LiveEvent['event'][];

/** Longest event that is taken in, in characters. */
const LONGEST = 1_000_000;
/** A connection on which nothing came for so long is lost: the server sends something every 20 s. Milliseconds. */
const SILENCE_MS = 60_000;

/** Listens until `signal` is aborted. What passes by itself (network, 429, 5xx) is waited out; after a break nothing is lost. */
export async function* listen(
  transport: Transport,
  url: string,
  { communityIds, lastEventId, signal }: LiveOptions,
): AsyncGenerator<LiveEvent, void, undefined> {
  let last = lastEventId;
  let refused = false;
  for (let attempt = 1; !signal?.aborted; attempt++) {
    try {
      const body = await transport.open(
        {
          method: 'GET',
          url,
          query: { communityIds: communityIds?.join(','), lastEventId: last },
          operation: 'live',
          repeatable: true,
          signedIn: true,
          signal,
        },
        { Accept: 'text/event-stream' },
      );
      refused = false;
      for await (const event of eventsOf(body)) {
        attempt = 0;
        last = event.lastEventId ?? last;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      // A token that has expired is replaced once.
      if (error instanceof AuthenticationError && !refused) refused = true;
      else if (!isPassing(error) && !(error instanceof TypeError) && !(error instanceof Silence)) throw error;
      if (await ended(pause(backoff(Math.max(1, attempt), error), signal), signal)) return;
      continue;
    }
    // The server ended it: it stops, or the sign-in has ended, which the next answer says.
    if (await ended(pause(backoff(Math.max(1, attempt), undefined), signal), signal)) return;
  }
}

class Silence extends Error {}

/** Waits. @returns whether the signal was aborted meanwhile */
async function ended(waiting: Promise<void>, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await waiting;
    return false;
  } catch (error) {
    if (signal?.aborted) return true;
    throw error;
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      pending += decoder.decode(value, { stream: true });
      for (let end = pending.indexOf('\n\n'); end >= 0; end = pending.indexOf('\n\n')) {
        const event = readEvent(pending.slice(0, end));
        pending = pending.slice(end + 2);
        if (event) yield event;
      }
      if (pending.length > LONGEST) throw new Silence('an event has no end');
    }
  } finally {
    // Where the stream has failed, its error is what the caller is told.
    await reader.cancel().catch((error: unknown) => error);
  }
}

async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Silence('nothing came in time')), SILENCE_MS);
  });
  try {
    return await Promise.race([reading, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns undefined for a comment, and for what a later version may send */
function readEvent(text: string): LiveEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
  }
  const event = fields.get('event');
  const data = fields.get('data');
  if (event === undefined || data === undefined || !NAMES.includes(event)) return undefined;
  const id = fields.get('id');
  return { event, ...JSON.parse(data), ...(id !== undefined && { lastEventId: id }) };
}
