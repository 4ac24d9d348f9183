/**
 * Limits the time that a request keeps the database busy: until its time is up, or until its client
 * goes away. The time limit counts the service's own work; waiting for a body to arrive and moving
 * files do not count.
 */

import { CallerGone } from '@portico/platform/db/connection-pool';
import { DatabaseUnavailable } from '@portico/platform/db/pg-errors';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** How long an operation may take. Milliseconds; existing clients give up after 30 s. */
export const REQUEST_MS = 22_000;
/** How long work may take to end after its statement was cancelled: its own error says more than "timeout". Milliseconds. */
const GRACE_MS = 1_500;

declare module 'fastify' {
  interface FastifyRequest {
    limits: RequestLimits;
  }
}

class RequestLimits {
  readonly #controller = new AbortController();
  #left: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;

  /** Aborted when the client has disconnected or the time limit has passed. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True when the client disconnected before the response was sent. */
  get clientGone(): boolean {
    return this.signal.reason instanceof CallerGone;
  }

  /** Starts the clock. @param ms for the request as a whole */
  start(ms: number): void {
    this.#left = ms;
    this.resume();
  }

  /** Stops the clock for a while. */
  pause(): void {
    if (this.#timer === undefined || this.#left === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#since;
  }

  resume(): void {
    if (this.#timer !== undefined || this.#left === undefined) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DatabaseUnavailable('the request took too long'));
    }, this.#left);
  }

  /** Runs `work` with the clock stopped. */
  async untimed<T>(work: () => Promise<T>): Promise<T> {
    this.pause();
    try {
      return await work();
    } finally {
      this.resume();
    }
  }

  /** Yields the elements of a stream, with the clock stopped while waiting for them. */
  async *waiting<T>(stream: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const from = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { value, done } = await this.untimed(() => from.next());
        if (done) return;
        yield value;
      }
    } finally {
      await from.return?.();
    }
  }

  /** Called when the client has disconnected or the response was sent. @param answered false when it never will be */
  end(answered: boolean): void {
    this.pause();
    this.#left = undefined;
    if (!answered) this.#controller.abort(new CallerGone());
  }

  /**
   * Waits for work, but not beyond the limits: its statements are cancelled then, and the answer does not wait long for that.
   * @throws DatabaseUnavailable
   */
  async within<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    const { promise, reject } = Promise.withResolvers<never>();
    let grace: NodeJS.Timeout | undefined;
    const onAbort = () => {
      const { reason } = signal;
      const failure = reason instanceof DatabaseUnavailable ? reason : new DatabaseUnavailable(String(reason), reason);
      grace = setTimeout(() => reject(failure), GRACE_MS);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/**
 * Gives every request its limits. Register it before other hooks.
 * @param operationMs how long an operation may take; anything else (a file, a page) has no limit
 */
export function registerRequestLimits(app: FastifyInstance, operationMs: number): void {
  app.decorateRequest('limits', null as unknown as RequestLimits);
  app.addHook('onRequest', async (request, reply: FastifyReply) => {
    const limits = new RequestLimits();
    request.limits = limits;
    if (request.routeOptions.config.operation) limits.start(operationMs);
    reply.raw.once('close', () => limits.end(reply.raw.writableFinished));
  });
}
