import { Anchor, Button, Divider, PasswordInput, Text, TextInput } from '@mantine/core';
import { RateLimitedError, ResponseError, ValidationError } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { failureOf, portal } from '../portal.ts';
import { LegalLinks, useBranding } from '../shell/legal-links.tsx';
import { useFieldErrorText } from '../texts/field-errors.ts';
import { type Texts, useTexts } from '../texts/index.ts';
import { FormCard, Problem } from './form-card.tsx';
import { answerByPasskey, hasPasskeys } from './passkey.ts';

/** Inputs that the server requests besides the password. */
interface RequestedInputs {
  newPassword: boolean;
  code: boolean;
}

/**
 * Sign-in with a password, a passkey or a provider. The form for a password asks for a code or a
 * new password only if the server requires it.
 */
export function SignInForm({
  title,
  intro,
  user = '',
  page,
  failed = false,
  inDialog = false,
  enter,
}: {
  title: string;
  /** Why the sign-in is asked for. */
  intro?: string | undefined;
  user?: string | undefined;
  /** The page of the portal to return to after the sign-in by a provider. */
  page: string | undefined;
  /** Whether a provider refused the sign-in. */
  failed?: boolean;
  /** Whether the form is above a page: it does not take what is being typed. */
  inDialog?: boolean;
  /** Called when there is a session. */
  enter: () => Promise<unknown>;
}) {
  const texts = useTexts();
  const fieldError = useFieldErrorText();
  const [values, setValues] = useState({ username: user, password: '', newPassword: '', code: '' });
  const [requested, setRequested] = useState<RequestedInputs>({ newPassword: false, code: false });
  const [problem, setProblem] = useState(failed ? texts.providerFailed : '');
  const [fieldProblem, setFieldProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const branding = useBranding().data;
  const providers = useQuery({ queryKey: ['providers'], queryFn: () => portal.auth.providers() });

  const signInByPasskey = async () => {
    setBusy(true);
    setProblem('');
    try {
      const { options } = await portal.auth.startPasskeySignIn();
      await portal.auth.startSessionByPasskey({ credential: await answerByPasskey(options!) });
      await enter();
    } catch (error) {
      const refused = error instanceof DOMException || failureOf(error) === 'signed-out';
      setProblem(refused ? texts.passkeyRefused : messageOf(error, requested, texts));
    } finally {
      setBusy(false);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    setFieldProblem('');
    try {
      const { username, password, newPassword, code } = values;
      await portal.auth.startSession({
        username,
        password,
        ...(requested.newPassword && newPassword !== '' && { newPassword }),
        ...(requested.code && code !== '' && { secondFactorCode: code }),
      });
      await enter();
    } catch (error) {
      const next = requestedBy(error, requested);
      if (next) setRequested(next);
      else if (error instanceof ValidationError) {
        const [fault] = error.errors;
        setFieldProblem((fault && fieldError(fault)) ?? fault?.defaultMessage ?? texts.failed);
      } else setProblem(messageOf(error, requested, texts));
    } finally {
      setBusy(false);
    }
  };
  const input = (name: keyof typeof values) => ({
    name,
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
  });

  return (
    <FormCard
      title={title}
      above={providers.data?.portalName ?? ''}
      logo={branding?.logoUrl}
      inDialog={inDialog}
      onSubmit={submit}
    >
      {branding?.signInNotice !== undefined && !inDialog && (
        <p className="portal-notice" dir="auto">
          {branding.signInNotice}
        </p>
      )}
      {intro !== undefined && <Text>{intro}</Text>}
      <TextInput label={texts.userName} autoComplete="username" required autoFocus={!inDialog} {...input('username')} />
      <PasswordInput label={texts.password} autoComplete="current-password" required {...input('password')} />
      {requested.newPassword && (
        <>
          <Text>{texts.mustChangePassword}</Text>
          <PasswordInput
            label={texts.newPassword}
            description={texts.newPasswordHint}
            autoComplete="new-password"
            required
            autoFocus
            error={fieldProblem}
            {...input('newPassword')}
          />
        </>
      )}
      {requested.code && (
        <TextInput
          label={texts.code}
          description={texts.codeHint}
          autoComplete="one-time-code"
          required
          autoFocus
          {...input('code')}
        />
      )}
      <Problem text={problem || (requested.newPassword ? '' : fieldProblem)} />
      <Button type="submit" loading={busy}>
        {texts.signIn}
      </Button>
      {!inDialog && (
        <Anchor component={Link} to="/forgot-password" underline="always">
          {texts.forgotPassword}
        </Anchor>
      )}
      {(hasPasskeys() || (providers.data?.providers?.length ?? 0) > 0) && <Divider />}
      {hasPasskeys() && (
        <Button variant="default" disabled={busy} onClick={() => void signInByPasskey()}>
          {texts.signInByPasskey}
        </Button>
      )}
      {providers.data?.providers?.map(({ key, name }) => (
        <Button key={key} component="a" variant="default" href={startOf(key!, page)}>
          {texts.continueWith(name!)}
        </Button>
      ))}
      {branding && !inDialog && <LegalLinks branding={branding} />}
    </FormCard>
  );
}

const startOf = (key: string, page = '/') =>
  `/portal/api/core/auth/providers/${encodeURIComponent(key)}/start?returnTo=${encodeURIComponent(`/portal${page}`)}`;

/** @returns the inputs that the refusal requests; undefined if they were requested already */
function requestedBy(error: unknown, requested: RequestedInputs): RequestedInputs | undefined {
  if (!(error instanceof ResponseError)) return undefined;
  if (error.code === 'SECOND_FACTOR_REQUIRED' && !requested.code) return { ...requested, code: true };
  const names = error instanceof ValidationError ? error.errors.map(({ field }) => field) : [];
  if (names.includes('newPassword') && !requested.newPassword) return { ...requested, newPassword: true };
  return undefined;
}

function messageOf(error: unknown, requested: RequestedInputs, texts: Texts): string {
  if (error instanceof RateLimitedError) return texts.tooManyAttempts;
  const failure = failureOf(error);
  if (failure === 'signed-out') return requested.code ? texts.wrongCode : texts.wrongCredentials;
  return failure === 'offline' ? texts.offline : texts.failed;
}
