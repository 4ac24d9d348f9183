/** What is shown while something is read, when there is nothing, and when it cannot be read. */
import { Button, Loader, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { type Failure, failureOf, portal, queries } from './portal.ts';
import { answerByPasskey, hasPasskeys } from './sign-in/passkey.ts';
import { useTexts } from './texts/index.ts';

/** Shown only when reading takes a moment, so that quick answers do not flicker. */
export function Loading() {
  const texts = useTexts();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="centre" style={{ minHeight: 160 }} role="status" aria-label={texts.loading}>
      {late && <Loader size="sm" />}
    </div>
  );
}

const SENTENCES: Readonly<
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

export function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  const texts = useTexts();
  const failure = failureOf(error);
  return (
    <div className="centre" style={{ minHeight: 160 }} role="alert">
      <div>
        <p>{texts[SENTENCES[failure]]}</p>
        {failure === 'needs-factor' && <ToSecurity />}
        {failure === 'needs-code' && <ConfirmSession />}
        {(failure === 'offline' || failure === 'other') && (
          <Button variant="default" onClick={retry}>
            {texts.retry}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Leads to where a second factor is set up; there it is nothing. */
function ToSecurity() {
  const texts = useTexts();
  const { pathname } = useLocation();
  if (pathname === '/me/security') return null;
  return (
    <Button component={Link} to="/me/security">
      {texts.setUpFactor}
    </Button>
  );
}

/** Asks for the code, or the passkey, that a session begun by an identity provider needs. */
function ConfirmSession() {
  const texts = useTexts();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => portal.auth.confirmSession({ code }),
    onSuccess: () => queries.invalidateQueries(),
  });
  const byPasskey = useMutation({
    mutationFn: async () => {
      const { options } = await portal.auth.startPasskeySignIn();
      await portal.auth.confirmSession({ passkey: await answerByPasskey(options!) });
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <TextInput
        label={texts.code}
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={confirm.isError && texts.wrongCode}
      />
      <Button type="submit" mt={16} loading={confirm.isPending}>
        {texts.goOn}
      </Button>
      {hasPasskeys() && (
        <Button variant="default" mt={16} ms={8} loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
          {texts.signInByPasskey}
        </Button>
      )}
      {byPasskey.isError && <p role="alert">{texts.passkeyRefused}</p>}
    </form>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return (
    <div className="centre muted" style={{ minHeight: 160 }}>
      <div>{children}</div>
    </div>
  );
}
