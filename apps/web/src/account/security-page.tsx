import '../forms.css';
import { Text } from '@mantine/core';
import { ConflictError, ValidationError } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failed, Loading } from '../placeholders.tsx';
import { failureOf, portal, queryClient } from '../portal.ts';
import { useMe } from '../shared-queries.ts';
import { hasPasskeys, makePasskey } from '../sign-in/passkey.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { AuthenticatorApp, useTotp } from './authenticator-app.tsx';
import { InlineForm } from './inline-form.tsx';
import { Sessions } from './sessions.tsx';
import { useAccountTexts } from './texts.ts';

/** How the caller signs in, and the browsers in which they are signed in. */
export function SecurityPage() {
  const me = useMe().data;
  return (
    <>
      {me?.canManageCustomCredentials && <Password />}
      {me?.hasCustomCredentials && (
        <>
          <Passkeys />
          <AuthenticatorApp />
        </>
      )}
      <Sessions />
    </>
  );
}

function Password() {
  const texts = useTexts();
  const account = useAccountTexts();
  const me = useMe().data?.userData;
  const totp = useTotp();
  const [changed, setChanged] = useState(false);
  return (
    <section>
      <h2>{texts.password}</h2>
      <p className="muted">{account.passwordHint}</p>
      {changed && <Text role="status">{account.passwordChanged}</Text>}
      <InlineForm
        button={account.changePassword}
        fields={[
          { name: 'username', label: texts.userName, autoComplete: 'username', initial: me?.contactEmail ?? '' },
          { name: 'password', label: account.currentPassword, autoComplete: 'current-password' },
          {
            name: 'newPassword',
            label: texts.newPassword,
            description: texts.newPasswordHint,
            autoComplete: 'new-password',
          },
          ...(totp.data?.active
            ? [{ name: 'secondFactorCode', label: texts.code, autoComplete: 'one-time-code' as const }]
            : []),
        ]}
        // The password is changed by signing in with another one; this browser goes on with a new session.
        run={async ({ username = '', password = '', newPassword = '', secondFactorCode }) => {
          await portal.auth.startSession({
            username,
            password,
            newPassword,
            ...(secondFactorCode !== undefined && { secondFactorCode }),
          });
          setChanged(true);
          await queryClient.invalidateQueries();
        }}
        explain={(error) => (failureOf(error) === 'signed-out' ? texts.wrongCredentials : undefined)}
      />
    </section>
  );
}

function Passkeys() {
  const texts = useTexts();
  const formats = useFormats();
  const account = useAccountTexts();
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: () => portal.auth.passkeys() });
  if (passkeys.isPending) return <Loading />;
  if (passkeys.isError) return <Failed query={passkeys} />;
  const items = passkeys.data.passkeys ?? [];
  const refetch = () => queryClient.invalidateQueries({ queryKey: ['passkeys'] });
  const password = { name: 'password', label: account.yourPassword, autoComplete: 'current-password' } as const;
  return (
    <section>
      <h2>{account.passkeys}</h2>
      <p className="muted">{account.passkeysHint}</p>
      {items.map(({ id, name = '', synced, creationTimestamp, lastUseTimestamp }) => (
        <div key={id} className="comment">
          <p>
            <strong>{name}</strong> {synced && <span className="muted">{account.synced}</span>}
          </p>
          <p className="muted">
            {creationTimestamp !== undefined && account.added(formats.moment(creationTimestamp))} ·{' '}
            {lastUseTimestamp === undefined ? account.neverUsed : texts.lastUsed(formats.moment(lastUseTimestamp))}
          </p>
          <div className="buttons">
            <InlineForm
              button={account.rename}
              label={`${account.rename}: ${name}`}
              submit={account.save}
              fields={[{ name: 'name', label: account.nameOfPasskey, initial: name, maxLength: 100 }]}
              run={async (values) => {
                await portal.auth.renamePasskey({ passkeyId: id!, name: values['name']! });
                await refetch();
              }}
            />
            <InlineForm
              button={account.remove}
              label={`${account.remove}: ${name}`}
              fields={[password]}
              run={async (values) => {
                await portal.auth.removePasskey({ passkeyId: id!, password: values['password']! });
                await Promise.all([refetch(), queryClient.invalidateQueries({ queryKey: ['sessions'] })]);
              }}
            />
          </div>
        </div>
      ))}
      {items.length === 0 && <p>{account.noPasskeys}</p>}
      {hasPasskeys() ? (
        <div className="below">
          <InlineForm
            button={account.addPasskey}
            fields={[
              { name: 'name', label: account.nameOfPasskey, description: account.nameOfPasskeyHint, maxLength: 100 },
              password,
            ]}
            run={async ({ name = '', password: given = '' }) => {
              const { options } = await portal.auth.startPasskey({ password: given });
              await portal.auth.confirmPasskey({ name, credential: await makePasskey(options!) });
              await refetch();
            }}
            explain={(error) => (isPasskeyRefused(error) ? account.passkeyNotMade : undefined)}
          />
        </div>
      ) : (
        <p className="muted">{account.noPasskeysHere}</p>
      )}
    </section>
  );
}

/** @returns whether the browser made no passkey, or the server does not take it */
function isPasskeyRefused(error: unknown): boolean {
  if (error instanceof DOMException || error instanceof ConflictError) return true;
  return error instanceof ValidationError && error.errors.some(({ field }) => field === 'credential');
}
