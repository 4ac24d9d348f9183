/**
 * Trial sign-ins by an identity provider. The screen is opened in a tab of its own: it leads to the
 * provider, which leads back to it with its answer in the fragment of the address.
 */
import { Button } from '@mantine/core';
import { type Output, ResponseError } from '@portico/sdk';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Secret } from '../../account/secret.tsx';
import { Failed, Loading } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { AdminScreenPage, AdminTable, Facts } from '../screen.tsx';
import { useProvidersTexts } from './texts.ts';

type Trial = Output<'finishIdentityProviderTest'>;
type Refusal = NonNullable<Trial['refusal']>;

/** Returns the answer of the provider, as the server put it into the fragment. */
function readAnswer(hash: string): string | undefined {
  const encoded = /^#answer=([\w-]+)$/.exec(hash)?.[1];
  return encoded === undefined ? undefined : atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
}

/** A trial: asked for, refused before it began, finished, or not to be finished here. */
type State =
  | { readonly kind: 'pending' }
  | { readonly kind: 'noBegin'; readonly refusal: Refusal; readonly redirectUri: string }
  | { readonly kind: 'finished'; readonly trial: Trial }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'failed'; readonly error: unknown };

async function begin(identityProviderId: number): Promise<State> {
  const { authorizationUrl, refusal, redirectUri } = await portal.identityProviders.test({ identityProviderId });
  if (refusal) return { kind: 'noBegin', refusal, redirectUri };
  // Replaced, so that the way back does not begin another trial.
  if (authorizationUrl !== undefined) location.replace(authorizationUrl);
  return { kind: 'pending' };
}

async function finish(answer: string): Promise<State> {
  // An answer counts once: a page that is loaded again has none.
  history.replaceState(history.state, '', location.pathname);
  return { kind: 'finished', trial: await portal.identityProviders.finishTest({ answer }) };
}

export function TrialScreen() {
  const words = useProvidersTexts();
  const { provider } = useSearch({ strict: false }) as { provider?: number };
  const [answer] = useState(() => readAnswer(location.hash));
  const [state, setState] = useState<State>({ kind: 'pending' });
  const asked = useRef(false);
  const nothing = answer === undefined && provider === undefined;
  useEffect(() => {
    if (asked.current || nothing) return;
    asked.current = true;
    const step = answer === undefined ? begin(provider!) : finish(answer);
    step.then(setState, (error: unknown) => {
      const foreign = answer !== undefined && error instanceof ResponseError && error.status === 400;
      setState(foreign ? { kind: 'foreign' } : { kind: 'failed', error });
    });
  }, [answer, provider, nothing]);
  const { trial } = state.kind === 'finished' ? state : {};
  const again = trial?.identityProviderId ?? provider;
  return (
    <AdminScreenPage
      title={trial ? words.trialOf(trial.name) : words.trial}
      actions={
        <>
          {state.kind !== 'pending' && again !== undefined && (
            <Button component="a" variant="default" href={`/portal/admin/providers/trial?provider=${again}`}>
              {words.tryAgain}
            </Button>
          )}
          <Button component={Link} variant="default" to="/admin/providers">
            {words.backToProviders}
          </Button>
        </>
      }
    >
      {nothing ? <p>{words.noTrial}</p> : <Content state={state} answer={answer} />}
    </AdminScreenPage>
  );
}

function Content({ state, answer }: { state: State; answer: string | undefined }) {
  const words = useProvidersTexts();
  switch (state.kind) {
    case 'pending':
      return <Loading />;
    case 'failed':
      return <Failed query={{ error: state.error, refetch: () => location.reload() }} />;
    case 'noBegin':
      return (
        <>
          <Refused refusal={state.refusal} />
          <Facts facts={[[words.redirectUri, state.redirectUri]]} />
        </>
      );
    case 'foreign':
      return (
        <>
          <p role="alert">{words.foreignTrial}</p>
          <p className="muted">{words.foreignTrialHint}</p>
          <Secret label={words.trialAnswer} text={answer ?? ''} />
        </>
      );
    default:
      return <Finished trial={state.trial} />;
  }
}

function Refused({ refusal: { code, reason }, children }: { refusal: Refusal; children?: ReactNode }) {
  const words = useProvidersTexts();
  return (
    <section className="admin-note" role="alert">
      <p>
        <strong>{words.refused}</strong> {words.refusals[code as keyof typeof words.refusals]}
      </p>
      <p className="muted" lang="en">
        {reason}
      </p>
      {children}
    </section>
  );
}

function Finished({ trial }: { trial: Trial }) {
  const words = useProvidersTexts();
  const { refusal, enabled, claims } = trial;
  const facts = useFacts(trial);
  const effect = (
    <p className="muted">
      {words.nothingHappened} {!enabled && words.stillOff}
    </p>
  );
  return (
    <>
      {refusal ? (
        <Refused refusal={refusal}>{effect}</Refused>
      ) : (
        <section className="admin-note" role="status">
          <p>
            <strong>{words.outcomes[trial.outcome as keyof typeof words.outcomes]}</strong>
          </p>
          {effect}
        </section>
      )}
      {facts.length > 0 && <Facts facts={facts} />}
      {claims.length > 0 ? (
        <AdminTable
          label={words.claims}
          rows={claims}
          keyOf={({ name }) => name}
          columns={[
            { key: 'name', label: words.claim, cell: ({ name }) => name },
            {
              key: 'value',
              label: words.claimValue,
              cell: ({ value }) => (
                <span dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  {value}
                </span>
              ),
            },
          ]}
        />
      ) : (
        <p>{words.noClaims}</p>
      )}
    </>
  );
}

/** The account and its groups, as far as the trial tells them. */
function useFacts({ userId, userName, newAccount, ...trial }: Trial) {
  const words = useProvidersTexts();
  const names = (groups: Trial['joinedGroups'] = []) => groups.map(({ name }) => name).join(', ');
  const facts: (readonly [name: string, value: ReactNode])[] = [
    [words.joined, names(trial.joinedGroups)],
    [words.left, names(trial.leftGroups)],
    [words.unmapped, (trial.unmappedGroups ?? []).join(', ')],
    [words.groups, trial.groupsElsewhere ? words.groupsElsewhere : ''],
  ];
  if (newAccount) {
    const { firstname, lastname, contactEmail = words.noVerifiedAddress } = newAccount;
    facts.unshift([words.account, `${firstname} ${lastname}`.trim()], [words.verifiedAddress, contactEmail]);
  }
  if (userId !== undefined)
    facts.unshift([
      words.account,
      <Link key="account" to="/admin/user/$personId" params={{ personId: String(userId) }}>
        {userName}
      </Link>,
    ]);
  return facts.filter(([, value]) => value !== '');
}
