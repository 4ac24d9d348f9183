/** Sends requests: time-outs, cancelling, retries of reads, redaction. Never follows redirects. */
import {
  AuthenticationError,
  ConfigurationError,
  errorForAnswer,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from './errors.ts';
import { redactBody, redactHeaders, redactUrl } from './redact.ts';

/** Options of a request. */
export interface RequestOptions {
  /** Cancels the request; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until a TimeoutError; 0 means no limit. Counts for each attempt. */
  timeoutMs?: number | undefined;
  /** `Idempotency-Key` of a write: a repeat with the same key is harmless. */
  idempotencyKey?: string | undefined;
  /** Number of retries of a read; overrides the option of the client. */
  retries?: number | undefined;
  /**
   * Whether `customData` of answers has labels of fields as keys and labels of their values, as
   * writes take them. Reads the post definition of each community, which is cached for a minute.
   */
  labels?: boolean | undefined;
}

/** A request in its final form. */
interface WireRequest extends RequestOptions {
  method: string;
  url: string;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  /** A body of lines of JSON, instead of `body`. */
  lines?: string | undefined;
  /** Id of the operation, for errors and hooks. */
  operation?: string | undefined;
  /** Whether it may be repeated: true for reads. */
  repeatable: boolean;
  /** Whether it carries the access token; false for the exchanges. */
  signedIn: boolean;
}

export interface RequestEvent {
  operation: string | undefined;
  method: string;
  url: string;
  /** Headers, secrets blanked. */
  headers: Record<string, string>;
  /** JSON body, secrets blanked. */
  body: unknown;
  /** 1 for the first attempt. */
  attempt: number;
}

export interface ResponseEvent {
  operation: string | undefined;
  method: string;
  url: string;
  status: number;
  requestId: string | undefined;
  durationMs: number;
  /** JSON body, secrets blanked. */
  body: unknown;
  attempt: number;
}

export interface RetryEvent {
  operation: string | undefined;
  error: Error;
  delayMs: number;
  /** Number of the failed attempt. */
  attempt: number;
}

/**
 * Observes the requests of the client, for logs. The arguments of hooks never contain a token, an
 * assertion or a password.
 */
export interface Hooks {
  onRequest?(event: RequestEvent): void;
  onResponse?(event: ResponseEvent): void;
  onRetry?(event: RetryEvent): void;
}

/** The function that sends a request; default: the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface TransportOptions {
  fetch: Fetch;
  timeoutMs: number;
  retries: number;
  hooks: Hooks;
  userAgent: string | undefined;
  /** Provides and drops access tokens; absent if browsers send the cookie of a session. */
  tokens: { token(): Promise<string>; drop(token: string): Promise<void> } | undefined;
}

/** The answer of a successful request. */
export interface RawResponse {
  status: number;
  requestId: string | undefined;
  headers: Headers;
  /** The parsed JSON body; undefined if there was none. */
  body: unknown;
}

/** @deprecated Use `RawResponse`. */
export type Answer = RawResponse;

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** Longest wait that a server may ask of a follower of the stream. */
const LONGEST_ASKED_MS = 3_600_000;

export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** @throws one of the classes in errors.ts; the reason of `signal` if that was aborted */
  async send(request: WireRequest): Promise<RawResponse> {
    const retries = request.repeatable ? (request.retries ?? this.#options.retries) : 0;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(request, attempt);
      } catch (error) {
        if (attempt > retries || !isTransient(error) || request.signal?.aborted) throw error;
        const delayMs = backoff(attempt, error);
        // Such a long wait is not useful to a caller, and an earlier retry would ignore the
        // server's request.
        if (delayMs > LONGEST_DELAY_MS) throw error;
        this.#options.hooks.onRetry?.({ operation: request.operation, error, delayMs, attempt });
        await pause(delayMs, request.signal);
      }
    }
  }

  /**
   * Opens an endless answer, without retries. The time limit counts until the answer begins.
   * @param headers in addition to the headers of every request
   * @throws as {@link send}
   */
  async open(request: WireRequest, headers: Record<string, string>): Promise<ReadableStream<Uint8Array>> {
    const { tokens } = this.#options;
    request.signal?.throwIfAborted();
    const token = request.signedIn && tokens ? await abortable(tokens.token(), request.signal) : undefined;
    const limit = deadline(request.timeoutMs ?? this.#options.timeoutMs, request.signal);
    let response: Response;
    try {
      response = await this.#options.fetch(request.url + queryText(request.query), {
        method: request.method,
        headers: {
          ...(this.#options.userAgent !== undefined && { 'User-Agent': this.#options.userAgent }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        redirect: 'manual',
        signal: limit.signal,
        credentials: tokens ? 'omit' : 'same-origin',
      });
      if (response.ok && response.body) {
        // From here on only the caller's signal ends it.
        limit.stopClock();
        return response.body;
      }
    } catch (error) {
      limit.end();
      throw failure(error, limit, request);
    }
    try {
      const { status } = response;
      const requestId = response.headers.get('X-Request-Id') ?? undefined;
      const body = parseAnswer(await response.text());
      if (status === 401 && token !== undefined) await tokens?.drop(token);
      const retryAfterSeconds = secondsOf(response.headers.get('Retry-After'));
      throw errorForAnswer({ status, requestId, operation: request.operation, body, retryAfterSeconds });
    } finally {
      limit.end();
    }
  }

  async #once(request: WireRequest, attempt: number): Promise<RawResponse> {
    const { tokens, hooks } = this.#options;
    request.signal?.throwIfAborted();
    const token = request.signedIn && tokens ? await abortable(tokens.token(), request.signal) : undefined;
    const headers: Record<string, string> = {
      Accept: 'application/json',
      ...(this.#options.userAgent !== undefined && { 'User-Agent': this.#options.userAgent }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(request.lines !== undefined && { 'Content-Type': 'application/x-ndjson' }),
      ...(request.idempotencyKey !== undefined && { 'Idempotency-Key': request.idempotencyKey }),
    };
    const url = request.url + queryText(request.query);
    const { operation, method } = request;
    hooks.onRequest?.({
      operation,
      method,
      url: redactUrl(request.url),
      headers: redactHeaders(headers),
      body: redactBody(request.body),
      attempt,
    });
    const started = performance.now();
    const { response, text } = await this.#exchange(request, url, headers);
    const requestId = response.headers.get('X-Request-Id') ?? undefined;
    const body = parseAnswer(text);
    hooks.onResponse?.({
      operation,
      method,
      url: redactUrl(request.url),
      status: response.status,
      requestId,
      durationMs: performance.now() - started,
      body: redactBody(body),
      attempt,
    });
    const answer = { status: response.status, requestId, operation, body };
    if (!response.ok) {
      // A refused token is useless. The request is not repeated: the caller decides.
      if (response.status === 401 && token !== undefined) await tokens?.drop(token);
      const retryAfterSeconds = secondsOf(response.headers.get('Retry-After'));
      throw errorForAnswer({ ...answer, retryAfterSeconds });
    }
    if (body === undefined && method === 'GET') throw new NotFoundError(answer);
    if (typeof body === 'string') {
      throw new ServerError({ ...answer, body: { message: 'The answer is not JSON; is the base address right?' } });
    }
    return { status: response.status, requestId, headers: response.headers, body };
  }

  async #exchange(request: WireRequest, url: string, headers: Record<string, string>) {
    const limit = deadline(request.timeoutMs ?? this.#options.timeoutMs, request.signal);
    try {
      const response = await this.#options.fetch(url, {
        method: request.method,
        headers,
        redirect: 'manual',
        signal: limit.signal,
        // If there is a token, it signs in alone, and cookies of the portal's pages are ignored.
        credentials: this.#options.tokens ? 'omit' : 'same-origin',
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        ...(request.lines !== undefined && { body: request.lines }),
      });
      return { response, text: await response.text() };
    } catch (error) {
      throw failure(error, limit, request);
    } finally {
      limit.end();
    }
  }
}

/** A time limit together with the caller's signal. */
export interface Deadline {
  signal: AbortSignal;
  readonly expired: boolean;
  /** Restarts the time limit. */
  renew(): void;
  /** Ends the time limit; the caller's signal still counts. */
  stopClock(): void;
  end(): void;
}

/** @param timeoutMs 0 for no limit */
export function deadline(timeoutMs: number, signal: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  let expired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = () => {
    clearTimeout(timer);
    if (timeoutMs <= 0) return;
    timer = setTimeout(() => {
      expired = true;
      controller.abort();
    }, timeoutMs);
  };
  renew();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    renew,
    stopClock: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** Converts the error of a failed fetch: cancelled by the caller, out of time, or the network. */
export function failure(
  error: unknown,
  limit: Deadline,
  request: { operation?: string | undefined; signal?: AbortSignal | undefined; url: string },
): unknown {
  const { operation, signal, url } = request;
  if (signal?.aborted) return signal.reason;
  if (limit.expired)
    return new TimeoutError(`${operation ?? 'request'}: no answer in time`, { operation, cause: error });
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
  return new NetworkError(`${operation ?? 'request'}: ${new URL(url).host} cannot be reached: ${why}`, {
    operation,
    cause,
  });
}

/** Whether a retry may succeed. */
export function isTransient(error: unknown): error is Error {
  if (error instanceof NetworkError || error instanceof RateLimitedError) return true;
  return error instanceof ServerError && error.status >= 500 && error.status !== 501;
}

/**
 * Milliseconds until the next attempt: the wait requested by the server, else an exponential
 * back-off with jitter.
 */
export function backoff(attempt: number, error: unknown): number {
  const told = error instanceof RateLimitedError || error instanceof ServerError;
  const asked = told ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) return Math.min(asked * 1000, LONGEST_ASKED_MS);
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (0.5 + Math.random() / 2);
}

/** Reads `Retry-After`: seconds, or the time until which to wait. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/**
 * Waits for work that others may wait for, too: an aborted signal ends the waiting, not the work.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Waits.
 * @throws the reason of `signal` if that is aborted first
 */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function queryText(query: Readonly<Record<string, unknown>> | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

/** Returns the JSON of a body; its text if it is not JSON; undefined if it is empty. */
export function parseAnswer(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Normalises a base address: trimmed, with a scheme, without a slash at the end.
 * @throws ConfigurationError if the text is no address
 */
export function normaliseBaseUrl(text: string): string {
  const trimmed = text.trim();
  const candidate = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  let url: URL;
  try {
    url = new URL(candidate);
  } catch (error) {
    throw new ConfigurationError(`"${text}" is not a base address such as https://portal.example.org`, {
      cause: error,
    });
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new ConfigurationError(`"${text}" is not a base address: scheme, host and path only.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * Returns the access token in the answer of an exchange.
 * @throws AuthenticationError if there is none
 */
export function accessTokenOf(answer: RawResponse, operation: string): string {
  const body = answer.body as { accessToken?: unknown; access_token?: unknown } | undefined;
  const token = body?.accessToken ?? body?.access_token;
  if (typeof token === 'string' && token !== '') return token;
  throw new AuthenticationError({
    status: answer.status,
    requestId: answer.requestId,
    operation,
    body: { message: 'The answer to the sign-in holds no access token.' },
  });
}
