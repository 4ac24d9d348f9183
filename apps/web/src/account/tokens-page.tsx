import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAttempt } from '../failures/attempt.ts';
import { Failed, Loading } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import { useCommunities } from '../shared-queries.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { InlineForm } from './inline-form.tsx';
import { Secret } from './secret.tsx';
import { useAccountTexts } from './texts.ts';

/** Personal access tokens of the caller. */
export function TokensPage() {
  const texts = useTexts();
  const formats = useFormats();
  const account = useAccountTexts();
  const communities = useCommunities().data ?? [];
  const [secret, setSecret] = useState<string>();
  const tokens = useQuery({ queryKey: ['tokens'], queryFn: () => portal.auth.personalTokens() });
  const attempt = useAttempt();
  const revoke = (tokenId: number) =>
    attempt(async () => {
      await portal.auth.revokePersonalToken({ tokenId });
      await queryClient.invalidateQueries({ queryKey: ['tokens'] });
    }, account.notRevoked);
  if (tokens.isPending) return <Loading />;
  if (tokens.isError) return <Failed query={tokens} />;
  const items = tokens.data.tokens ?? [];
  return (
    <section>
      <p className="muted">{account.tokensHint}</p>
      {secret !== undefined && (
        <div className="once">
          <h2>{account.newToken}</h2>
          <p>{account.newTokenHint}</p>
          <Secret label={account.newToken} text={secret} />
          <Button onClick={() => setSecret(undefined)}>{account.done}</Button>
        </div>
      )}
      {items.map(({ id, name, access, manageUsers, onlyCommunityIds = [], lastUseTimestamp, expirationTimestamp }) => (
        <div key={id} className="comment">
          <p>
            <strong>{name}</strong>{' '}
            <span className="muted">
              {account.accesses[access as keyof typeof account.accesses]}
              {manageUsers && ` · ${account.managesUsers}`}
              {onlyCommunityIds.length > 0 &&
                ` · ${onlyCommunityIds.map((of) => communities.find((known) => known.id === of)?.name ?? of).join(', ')}`}
            </span>
          </p>
          <p className="muted">
            {expirationTimestamp !== undefined && account.expires(formats.moment(expirationTimestamp))} ·{' '}
            {lastUseTimestamp === undefined ? account.neverUsed : texts.lastUsed(formats.moment(lastUseTimestamp))}
          </p>
          <div className="buttons">
            <Button
              variant="default"
              size="xs"
              aria-label={`${account.revoke}: ${name}`}
              onClick={() => void revoke(id!)}
            >
              {account.revoke}
            </Button>
          </div>
        </div>
      ))}
      {items.length === 0 && <p>{account.noTokens}</p>}
      <NewToken onCreated={setSecret} />
    </section>
  );
}

function NewToken({ onCreated }: { onCreated: (secret: string | undefined) => void }) {
  const account = useAccountTexts();
  const communities = useCommunities().data ?? [];
  const [access, setAccess] = useState<'read' | 'write'>('read');
  const [only, setOnly] = useState<readonly number[]>([]);
  return (
    <div className="below">
      <InlineForm
        button={account.createToken}
        fields={[
          { name: 'name', label: account.tokenName, description: account.tokenNameHint, maxLength: 100 },
          { name: 'validDays', label: account.validDays, initial: '90', type: 'number' },
        ]}
        run={async ({ name = '', validDays }) => {
          const { secret } = await portal.auth.createPersonalToken({
            name,
            access,
            validDays: Number(validDays),
            ...(only.length > 0 && { onlyCommunityIds: [...only] }),
          });
          onCreated(secret);
          await queryClient.invalidateQueries({ queryKey: ['tokens'] });
        }}
      >
        <fieldset className="choices">
          <legend>{account.access}</legend>
          {(['read', 'write'] as const).map((value) => (
            <label key={value}>
              <input type="radio" name="access" checked={access === value} onChange={() => setAccess(value)} />{' '}
              {account.accesses[value]}
            </label>
          ))}
        </fieldset>
        <fieldset className="choices">
          <legend>{account.only}</legend>
          <p className="muted">{only.length === 0 ? account.allCommunities : account.chosenCommunities}</p>
          {communities.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={only.includes(id!)}
                onChange={({ currentTarget: { checked } }) =>
                  setOnly((before) => (checked ? [...before, id!] : before.filter((other) => other !== id)))
                }
              />{' '}
              {name}
            </label>
          ))}
        </fieldset>
      </InlineForm>
    </div>
  );
}
