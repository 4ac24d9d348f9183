import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { RateLimitedError } from '@portico/sdk';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { portal } from '../portal.ts';
import { useTexts } from '../texts/index.ts';

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
    <main className="centre">
      <form className="card" onSubmit={submit}>
        <Stack gap={16}>
          <Title order={1} size="xl">
            {texts.forgotPassword}
          </Title>
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
              {problem && (
                <Text role="alert" c="var(--mantine-color-error)">
                  {problem}
                </Text>
              )}
              <Button type="submit" loading={state === 'busy'}>
                {texts.askForLink}
              </Button>
            </>
          )}
          <Anchor component={Link} to="/sign-in" underline="always">
            {texts.backToSignIn}
          </Anchor>
        </Stack>
      </form>
    </main>
  );
}
