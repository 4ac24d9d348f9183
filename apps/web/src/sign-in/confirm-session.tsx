import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { reasonOf } from '../failures/attempt.ts';
import { failureOf, portal, queryClient } from '../portal.ts';
import { useTexts } from '../texts/index.ts';
import { answerByPasskey, hasPasskeys } from './passkey.ts';

/** Asks for the code, or the passkey, that a session begun by an identity provider needs. */
export function ConfirmSession() {
  const texts = useTexts();
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => portal.auth.confirmSession({ code }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  const byPasskey = useMutation({
    mutationFn: async () => {
      const { options } = await portal.auth.startPasskeySignIn();
      await portal.auth.confirmSession({ passkey: await answerByPasskey(options!) });
    },
    onSuccess: () => queryClient.invalidateQueries(),
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
        error={
          confirm.isError &&
          (failureOf(confirm.error) === 'signed-out' ? texts.wrongCode : reasonOf(confirm.error, texts))
        }
      />
      <Button type="submit" mt={16} loading={confirm.isPending}>
        {texts.goOn}
      </Button>
      {hasPasskeys() && (
        <Button variant="default" mt={16} ms={8} loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
          {texts.signInByPasskey}
        </Button>
      )}
      {byPasskey.isError && (
        <p role="alert">{failureOf(byPasskey.error) === 'offline' ? texts.offline : texts.passkeyRefused}</p>
      )}
    </form>
  );
}
