/** Placeholders for data that is loading, empty or unreadable. */
import { Button, Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Panel } from './failures/boundary.tsx';
import { part } from './failures/part.ts';
import { type Failure, failureOf } from './portal.ts';
import { useTexts } from './texts/index.ts';

const ConfirmSession = part(() => import('./sign-in/confirm-session.tsx'), 'ConfirmSession');

/**
 * Appears only after a moment, so that quick answers do not flicker.
 * @param height of the content that follows, if it is known: a length of CSS
 */
export function Loading({ height }: { height?: string }) {
  const texts = useTexts();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="centre loading" style={{ minHeight: height ?? 160 }} role="status" aria-label={texts.loading}>
      {late && <Loader size="sm" />}
    </div>
  );
}

const MESSAGES: Readonly<
  Record<Failure, 'forbidden' | 'notFound' | 'offline' | 'failed' | 'factorNeeded' | 'codeNeeded'>
> = {
  'signed-out': 'forbidden',
  'not-found': 'notFound',
  forbidden: 'forbidden',
  'needs-factor': 'factorNeeded',
  'needs-code': 'codeNeeded',
  offline: 'offline',
  other: 'failed',
};

/** Says why something cannot be read. */
export function Failed({ query }: { query: { error: unknown; refetch: () => unknown } }) {
  const texts = useTexts();
  const failure = failureOf(query.error);
  return (
    <div className="centre" style={{ minHeight: 160 }} role="alert">
      <div>
        <p>{texts[MESSAGES[failure]]}</p>
        {failure === 'needs-factor' && <SecurityLink />}
        {failure === 'needs-code' && (
          <Panel>
            <ConfirmSession />
          </Panel>
        )}
        {(failure === 'offline' || failure === 'other') && (
          <Button variant="default" onClick={() => void query.refetch()}>
            {texts.retry}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What a query has read, as soon as it is there; until then a placeholder, or the reason of its failure. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed query={query} />;
  return children(query.data);
}

/** Links to the page where a second factor is set up; renders nothing on that page. */
function SecurityLink() {
  const texts = useTexts();
  const { pathname } = useLocation();
  if (pathname === '/me/security') return null;
  return (
    <Button component={Link} to="/me/security">
      {texts.setUpFactor}
    </Button>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="centre muted" style={{ minHeight: 160 }}>
      <div>{children}</div>
    </div>
  );
}
