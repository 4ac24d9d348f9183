import { Anchor, Button } from '@mantine/core';
import { ConflictError } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Failed, Loading } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { InlineForm } from './inline-form.tsx';
import { Secret } from './secret.tsx';
import { useAccountTexts } from './texts.ts';

export const useTotp = () => useQuery({ queryKey: ['totp'], queryFn: () => portal.auth.totp() });

/** Codes beside the password: set up, on with recovery codes, or off. */
export function AuthenticatorApp() {
  const texts = useTexts();
  const formats = useFormats();
  const account = useAccountTexts();
  const totp = useTotp();
  const [started, setStarted] = useState<{ secret?: string; uri?: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (totp.isPending) return <Loading />;
  if (totp.isError) return <Failed query={totp} />;
  const refetch = () => queryClient.invalidateQueries({ queryKey: ['totp'] });
  const explain = (error: unknown) => (error instanceof ConflictError ? account.changedMeanwhile : undefined);
  const code = { name: 'code', label: texts.code, autoComplete: 'one-time-code' } as const;
  const { active, recoveryCodesLeft } = totp.data;
  return (
    <section>
      <h2>{account.app}</h2>
      <p className="muted">{active ? account.appOn : account.appHint}</p>
      {codes && (
        <div className="once">
          <h3>{account.recoveryCodes}</h3>
          <p>{account.recoveryCodesHint}</p>
          <Secret label={account.recoveryCodes} text={codes.join('\n')} />
          <Button onClick={() => setCodes(undefined)}>{account.codesSaved}</Button>
        </div>
      )}
      {!active && started?.secret !== undefined && (
        <div className="once">
          <p>{account.secretHint}</p>
          <Secret label={account.app} text={started.secret} />
          <Anchor href={started.uri} underline="always">
            {account.openInApp}
          </Anchor>
        </div>
      )}
      {active ? (
        <>
          {recoveryCodesLeft !== undefined && <p>{account.codesLeft(formats.number(recoveryCodesLeft))}</p>}
          <InlineForm
            button={account.removeApp}
            fields={[{ ...code, description: texts.codeHint }]}
            run={async (values) => {
              await portal.auth.removeTotp({ code: values['code']! });
              setCodes(undefined);
              await refetch();
            }}
          />
        </>
      ) : (
        <div className="buttons">
          {started && (
            <InlineForm
              button={account.confirmApp}
              fields={[code]}
              explain={explain}
              run={async (values) => {
                const { recoveryCodes } = await portal.auth.confirmTotp({ code: values['code']! });
                setStarted(undefined);
                setCodes(recoveryCodes);
                await refetch();
              }}
            />
          )}
          <InlineForm
            button={account.setUpApp}
            fields={[{ name: 'password', label: account.yourPassword, autoComplete: 'current-password' }]}
            explain={explain}
            run={async (values) => setStarted(await portal.auth.startTotp({ password: values['password']! }))}
          />
        </div>
      )}
    </section>
  );
}
