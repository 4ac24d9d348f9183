import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { RateLimitedError } from '@portico/sdk';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { portal } from '../portal.ts';
import { useTexts } from '../texts/index.ts';
import { FormCard, Problem } from './form-card.tsx';

/** Asks for a one-time link. The answer does not say whether there is such an account. */
export function ForgotPasswordPage() {
  const texts = useTexts();
  const [username, setUsername] = useState('');
  const [state, setState] = useState<'asking' | 'busy' | 'sent'>('asking');
  const [problem, setProblem] = useState('');

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setState('busy');
    setProblem('');
    try {
      await portal.auth.requestPasswordReset({ username });
      setState('sent');
    } catch (error) {
      setState('asking');
      setProblem(error instanceof RateLimitedError ? texts.tooManyAttempts : texts.failed);
    }
  };

  return (
    <FormCard title={texts.forgotPassword} onSubmit={submit}>
      {state === 'sent' ? (
        <Text role="status">{texts.linkSent}</Text>
      ) : (
        <>
          <Text>{texts.askForLinkHint}</Text>
          <TextInput
            label={texts.userName}
            autoComplete="username"
            required
            autoFocus
            value={username}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
          <Problem text={problem} />
          <Button type="submit" loading={state === 'busy'}>
            {texts.askForLink}
          </Button>
        </>
      )}
      <Anchor component={Link} to="/sign-in" underline="always">
        {texts.backToSignIn}
      </Anchor>
    </FormCard>
  );
}
