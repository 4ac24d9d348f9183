/** Live changes of posts: server-sent events, with a new connection after a break. */

import { AuthenticationError } from './errors.ts';
import { backoff, isTransient, pause, type Transport } from './transport.ts';

/** Options of listening to live changes. */
export interface LiveOptions {
  /** Only changes in these communities; absent for all. */
  communityIds?: readonly number[];
  /** Id of the last event of an earlier connection: later events are sent first. */
  lastEventId?: string | undefined;
  /** Ends the listening; the loop over it ends without an error. */
  signal?: AbortSignal;
}

/** An event for listeners. */
export type LiveEvent = (
  | {
      /** A post was created, modified, touched or deleted, or became visible or invisible. */
      event: 'post';
      postId: number;
      communityId: number;
      status: 'CREATED' | 'MODIFIED' | 'TOUCHED' | 'DELETED';
    }
  /** The connection is established: data read from now on is at least as new. */
  | { event: 'ready' }
  /** Changes may have been missed: read the displayed data again. */
  | { event: 'reset' }
  /** The caller has new notifications. */
  | { event: 'notifications' }
  /** The roles of the caller have changed: read the visible data again. */
  | { event: 'access' }
) & {
  /**
   * Position to continue from after a break; of several changes sent together only the last has it.
   */
  lastEventId?: string;
};

const NAMES: readonly string[] = ['post', 'ready', 'reset', 'access', 'notifications'] satisfies LiveEvent['event'][];

/** Maximum length of an event, in characters. */
const LONGEST = 1_000_000;
/**
 * Silence after which a connection counts as lost: the server sends something every 20 s.
 * Milliseconds.
 */
const SILENCE_MS = 60_000;

/**
 * Listens until `signal` is aborted. Waits through temporary errors (network, 429, 5xx); after a
 * break nothing is lost.
 */
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
      // An expired token is replaced once.
      if (error instanceof AuthenticationError && !refused) refused = true;
      else if (!isTransient(error) && !(error instanceof TypeError) && !(error instanceof Silence)) throw error;
      if (await ended(pause(backoff(Math.max(1, attempt), error), signal), signal)) return;
      continue;
    }
    // The server ended the stream: it is stopping, or the sign-in has ended, which the next answer
    // reports.
    if (await ended(pause(backoff(Math.max(1, attempt), undefined), signal), signal)) return;
  }
}

class Silence extends Error {}

/**
 * Waits.
 * @returns whether the signal was aborted meanwhile
 */
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
    // If the stream has failed, the caller gets the error of the stream.
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

/** @returns undefined for a comment, and for events of later versions */
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
