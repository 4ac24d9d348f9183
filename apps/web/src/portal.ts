/** The portal's client library, signed in by the browser's session, and its cache of answers. */
import { AuthenticationError, NetworkError, NotFoundError, PermissionError, PorticoClient } from '@portico/sdk';
import { QueryClient } from '@tanstack/react-query';

export const portal = new PorticoClient({ baseUrl: location.origin, credentials: 'session' });

/** Answers stay fresh for a while. Requests that cannot succeed on a retry are not repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The client library repeats reads itself.
      retry: false,
      refetchOnWindowFocus: true,
    },
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
