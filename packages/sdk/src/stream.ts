/** Following the stream of posts, round by round, from a token on. */
import type { BasePostsStreamChunkElement, GlobalPostsStreamResponse } from '@portico/contract';
import type { Input } from './methods.ts';
import { backoff, isPassing, pause, type RequestOptions } from './transport.ts';

/** How the stream is followed. */
export interface FollowOptions extends Omit<Input<'globalPostsStream'>, 'pageToken'> {
  /** Milliseconds between rounds. Default 5000. */
  intervalMs?: number;
  /** End once everything up to now has been delivered. Default false: continue until `signal` is aborted. */
  once?: boolean;
  /**
   * Called, and waited for, when a round is complete; keep the token, and the next `follow` continues from it. What is
   * delivered before that comes again after a break: deliveries happen once at least.
   */
  onSync?(syncToken: string): void | Promise<void>;
  /** Ends the following; the loop over it ends without an error. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

const INTERVAL_MS = 5000;

/** Items of the stream in the order they come, and the token from which to continue. */
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

  /** Token of the last complete round; what the next `follow` takes to continue from here. */
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

  /** One page. What passes by itself (network, 429, 5xx) is waited out, for as long as the stream is followed. */
  async #page(input: Input<'globalPostsStream'>): Promise<GlobalPostsStreamResponse> {
    const { signal, timeoutMs, once = false } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#read(input, { signal, timeoutMs });
      } catch (error) {
        if (once || signal?.aborted || !isPassing(error)) throw error;
        await pause(backoff(attempt, error), signal);
      }
    }
  }
}
