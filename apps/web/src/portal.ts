/** The portal's client library, signed in by the browser's session, and its cache of answers. */
import { AuthenticationError, NetworkError, NotFoundError, PermissionError, PorticoClient } from '@portico/sdk';
import { QueryCache, QueryClient, type QueryPersister } from '@tanstack/react-query';
import { isReachable, watchedFetch } from './offline/connection.ts';
import { keepCopy, readCopy } from './offline/copies.ts';
import { lastAccount, noteEnd } from './session/session.ts';

/** Codes of refusals that say that there is no session any more; others refuse a password or a code. */
const NO_SESSION = ['UNAUTHENTICATED', 'INVALID_AUTH_TOKEN'];

/** Notes the end of the session where an answer tells of it. */
async function readRefusal(response: Response): Promise<void> {
  const body = await response.json().catch(() => undefined);
  if (NO_SESSION.includes((body as { code?: string } | undefined)?.code ?? '')) noteEnd('elsewhere');
}

export const portal = new PorticoClient({
  baseUrl: location.origin,
  credentials: 'session',
  fetch: async (url, init) => {
    const response = await watchedFetch(url, init);
    if (response.status === 401) void readRefusal(response.clone());
    return response;
  },
});

/** Keeps a copy of each answer; without a network, the copy is the answer. */
const persister: QueryPersister = async (queryFn, context, query) => {
  const account = lastAccount();
  const copy = () => readCopy(account, query.queryHash);
  if (!isReachable() && query.state.data === undefined) {
    const known = await copy();
    if (known !== undefined) return known as never;
  }
  try {
    const data = await queryFn(context);
    keepCopy(lastAccount(), query.queryKey, query.queryHash, data);
    return data;
  } catch (error) {
    const known = failureOf(error) === 'offline' && query.state.data === undefined ? await copy() : undefined;
    if (known === undefined) throw error;
    return known as never;
  }
};

let tellFailure: (error: unknown) => void = () => undefined;

/** Sets what tells the reader that a further page of a list could not be read. */
export function onFailedPage(tell: (error: unknown) => void): void {
  tellFailure = tell;
}

/** Failures after which what was read before stays on the page. */
const KEEPS_DATA: ReadonlySet<Failure> = new Set(['offline', 'other', 'signed-out']);

/** Answers stay fresh for a while. Requests that cannot succeed on a retry are not repeated. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.state.data === undefined || !KEEPS_DATA.has(failureOf(error))) return;
      if (query.state.fetchMeta?.fetchMore) tellFailure(error);
      query.setState({ ...query.state, status: 'success', error: null, isInvalidated: true });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The client library repeats reads itself.
      retry: false,
      refetchOnWindowFocus: true,
      // Without a network, requests fail at once or answer from a copy, instead of waiting.
      networkMode: 'always',
      persister: persister as never,
    },
    mutations: { networkMode: 'always' },
  },
});

/** Kinds of failure that the page distinguishes. */
export type Failure =
  | 'signed-out'
  | 'not-found'
  | 'forbidden'
  /** The caller must have a second factor and has not set it up. */
  | 'needs-factor'
  /** The caller must use their second factor and has not used it in this session. */
  | 'needs-code'
  | 'offline'
  | 'other';

const REFUSALS: Readonly<Record<string, Failure>> = {
  SECOND_FACTOR_SETUP_REQUIRED: 'needs-factor',
  SECOND_FACTOR_CONFIRMATION_REQUIRED: 'needs-code',
};

export function failureOf(error: unknown): Failure {
  if (error instanceof AuthenticationError) return 'signed-out';
  if (error instanceof NotFoundError) return 'not-found';
  if (error instanceof PermissionError) return REFUSALS[error.code ?? ''] ?? 'forbidden';
  if (error instanceof NetworkError) return 'offline';
  return 'other';
}
