import { Button, PasswordInput } from '@mantine/core';
import { RateLimitedError, ValidationError } from '@portico/sdk';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { failureOf, portal } from '../portal.ts';
import { useFieldErrorText } from '../texts/field-errors.ts';
import { useTexts } from '../texts/index.ts';
import { FormCard, Problem } from './form-card.tsx';
import { takenLink } from './one-time-link.ts';
import { RedirectToSignIn } from './redirect-to-sign-in.tsx';

/** The page of one-time links: an invitation, or a new password in place of a forgotten one. */
export function ChoosePasswordPage() {
  const texts = useTexts();
  const fieldError = useFieldErrorText();
  const navigate = useNavigate();
  const [link] = useState(takenLink);
  const [newPassword, setNewPassword] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  if (!link) return <RedirectToSignIn />;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      const { username } = await portal.auth.setPassword({ token: link.token, newPassword });
      await navigate({ to: '/sign-in', search: { ...(username !== undefined && { user: username }) }, replace: true });
    } catch (error) {
      const [fault] = error instanceof ValidationError ? error.errors : [];
      if (fault) setProblem(fieldError(fault) ?? fault.defaultMessage ?? texts.failed);
      else if (error instanceof RateLimitedError) setProblem(texts.tooManyAttempts);
      else setProblem(failureOf(error) === 'offline' ? texts.offline : texts.failed);
    } finally {
      setBusy(false);
    }
  };

  return (
    <FormCard title={link.purpose === 'invitation' ? texts.welcome : texts.choosePassword} onSubmit={submit}>
      <PasswordInput
        label={texts.newPassword}
        description={texts.newPasswordHint}
        autoComplete="new-password"
        required
        autoFocus
        value={newPassword}
        onChange={(event) => setNewPassword(event.currentTarget.value)}
      />
      <Problem text={problem} />
      <Button type="submit" loading={busy}>
        {texts.savePassword}
      </Button>
    </FormCard>
  );
}
