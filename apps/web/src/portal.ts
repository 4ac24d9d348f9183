/** The portal as the page reaches it: the client library, signed in by the browser's session, and what it keeps of answers. */
import { AuthenticationError, NetworkError, NotFoundError, PermissionError, PorticoClient } from '@portico/sdk';
import { QueryClient } from '@tanstack/react-query';

export const portal = new PorticoClient({ baseUrl: location.origin, credentials: 'session' });

/** Answers count as fresh for a while; what cannot succeed by being asked again is not. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The client library repeats reads itself.
      retry: false,
      refetchOnWindowFocus: true,
    },
  },
});

/** Kinds of failure that the page tells apart. */
export type Failure = 'signed-out' | 'not-found' | 'forbidden' | 'offline' | 'other';

export function failureOf(error: unknown): Failure {
  if (error instanceof AuthenticationError) return 'signed-out';
  if (error instanceof NotFoundError) return 'not-found';
  if (error instanceof PermissionError) return 'forbidden';
  if (error instanceof NetworkError) return 'offline';
  return 'other';
}
