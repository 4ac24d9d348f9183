/** Follows the stream of posts, round by round, from a token on. */
import type { BasePostsStreamChunkElement, GlobalPostsStreamResponse } from '@portico/contract';
import type { Input } from './methods.ts';
import { backoff, isTransient, pause, type RequestOptions } from './transport.ts';

/** Options of following the stream. */
export interface FollowOptions extends Omit<Input<'globalPostsStream'>, 'pageToken'> {
  /** Milliseconds between rounds. Default 5000. */
  intervalMs?: number;
  /**
   * Ends once everything up to now has been delivered. Default false: continues until `signal` is
   * aborted.
   */
  once?: boolean;
  /**
   * Called and awaited when a round is complete; store the token, and the next `follow` continues
   * from it. Items delivered since the last stored token are delivered again after a break:
   * delivery is at least once.
   */
  onSync?(syncToken: string): void | Promise<void>;
  /** Ends the following; the loop over it ends without an error. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

const INTERVAL_MS = 5000;

/** Items of the stream in the order of arrival, and the token to continue from. */
export class StreamFollower implements AsyncIterable<BasePostsStreamChunkElement> {
  readonly #read: (input: Input<'globalPostsStream'>, options: RequestOptions) => Promise<GlobalPostsStreamResponse>;
  readonly #options: FollowOptions;
  #syncToken: string | undefined;

  constructor(
    read: (input: Input<'globalPostsStream'>, options: RequestOptions) => Promise<GlobalPostsStreamResponse>,
    options: FollowOptions,
  ) {
    this.#read = read;
    this.#options = options;
    this.#syncToken = options.syncToken;
  }

  /** Token of the last complete round; the next `follow` continues from it. */
  get syncToken(): string | undefined {
    return this.#syncToken;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BasePostsStreamChunkElement, void, undefined> {
    const { intervalMs = INTERVAL_MS, once = false, onSync, signal } = this.#options;
    try {
      while (!signal?.aborted) {
        yield* this.#round();
        if (this.#syncToken !== undefined) await onSync?.(this.#syncToken);
        if (once) return;
        await pause(intervalMs, signal);
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }

  async *#round(): AsyncGenerator<BasePostsStreamChunkElement, void, undefined> {
    const { intervalMs: _, once: __, onSync: ___, signal: ____, timeoutMs: _____, ...flags } = this.#options;
    const syncToken = this.#syncToken;
    let pageToken: string | undefined;
    let nextSyncToken: string | undefined;
    do {
      const page = await this.#page({ ...flags, syncToken, pageToken });
      nextSyncToken = page.nextSyncToken ?? nextSyncToken;
      yield* page.items ?? [];
      pageToken = page.nextPageToken || undefined;
    } while (pageToken !== undefined);
    this.#syncToken = nextSyncToken ?? syncToken;
  }

  /**
   * Reads a page. Waits through temporary errors (network, 429, 5xx) for as long as the stream is
   * followed.
   */
  async #page(input: Input<'globalPostsStream'>): Promise<GlobalPostsStreamResponse> {
    const { signal, timeoutMs, once = false } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#read(input, { signal, timeoutMs });
      } catch (error) {
        if (once || signal?.aborted || !isTransient(error)) throw error;
        await pause(backoff(attempt, error), signal);
      }
    }
  }
}
