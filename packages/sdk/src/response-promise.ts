/** Promises of methods: the body of the response, on request with its headers, or the items of a list. */
import type { RateLimit } from './rate-limit.ts';
import type { DryRun } from './responses.generated.ts';

/** The response of a write: with `dryRun: true` it also reports what would have changed. */
export type Written<T> = T extends undefined ? { dryRun?: DryRun } | undefined : T & { dryRun?: DryRun };

/** A response with the facts about its request. */
export interface ResponseWith<T> {
  /** The body, as the method returns it. */
  data: T;
  /** HTTP status. */
  status: number;
  /** `X-Request-Id`; include it in problem reports. */
  requestId: string | undefined;
  /** Rate limits of the account and the tenant; empty if none holds. */
  rateLimits: readonly RateLimit[];
  headers: Headers;
}

/** The response of a method. */
export interface ResponsePromise<T> extends Promise<T> {
  /** Returns the response with its request id, rate limits and headers. */
  withResponse(): Promise<ResponseWith<T>>;
}

/** The first page of a list; iterated, all items of all pages. */
export interface ListPromise<Page, Item> extends ResponsePromise<Page>, AsyncIterable<Item> {}

/** A promise of the body that also has the whole response. */
export class BodyPromise<T> extends Promise<T> implements ResponsePromise<T> {
  /** Promises derived by `then` are plain. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #whole: Promise<ResponseWith<T>>;

  constructor(whole: Promise<ResponseWith<T>>) {
    super((resolve, reject) => {
      whole.then(({ data }) => resolve(data), reject);
    });
    this.#whole = whole;
  }

  withResponse(): Promise<ResponseWith<T>> {
    // The caller handles the failure of the whole response, which is the same.
    this.then(undefined, () => undefined);
    return this.#whole;
  }
}

/** A promise of the first page that continues with the next pages when it is iterated. */
export class PagePromise<Page, Item> extends BodyPromise<Page> implements ListPromise<Page, Item> {
  readonly #itemsFrom: (first: Promise<Page>) => AsyncIterator<Item, void, undefined>;

  constructor(
    whole: Promise<ResponseWith<Page>>,
    itemsFrom: (first: Promise<Page>) => AsyncIterator<Item, void, undefined>,
  ) {
    super(whole);
    this.#itemsFrom = itemsFrom;
  }

  [Symbol.asyncIterator](): AsyncIterator<Item, void, undefined> {
    return this.#itemsFrom(this);
  }
}
