/**
 * Trials of identity providers: an administrator signs in at the provider, and learns its claims and
 * the effect of a sign-in. A trial links, creates and signs in nobody: it rehearses the sign-in and
 * undoes it.
 *
 * The state of a trial is sealed and names the administrator, their session and an end, so that no
 * table holds it and no other caller can finish the trial. Trials share the redirect URI of sign-ins,
 * since providers know no other; the prefix of the state tells both apart.
 */
import {
  type FinishIdentityProviderTestRequest,
  type FinishIdentityProviderTestResponse,
  type IdentityProviderRefusal,
  type TestIdentityProviderResponse,
  trialLimits,
} from '@portico/contract';
import { SealingError } from '@portico/platform/sealing';
import { cutCodePoints, storableText } from '@portico/platform/text';
import { joining, rehearseWrites } from '../../../kernel/access/index.ts';
import { recordTrial } from '../../../kernel/audit/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import { fullNameSql } from '../../../kernel/full-name.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import { takeState } from './identities.repository.ts';
import { type Identity, identityOf } from './identity.ts';
import { takeAccount } from './linked-accounts.ts';
import type { ProviderClaims, ProviderClient } from './provider-client.ts';
import { mustManageProviders } from './providers.policy.ts';
import { type ProviderRow, readGroupMappings, readProvider } from './providers.repository.ts';
import { redirectUriOf } from './redirect-uri.ts';
import { claimsOf, connectionOf, SIGN_IN_MS } from './sign-in.ts';
import { SignInFailure } from './sign-in-failure.ts';

/** Begin of the states of trials. States of sign-ins are in base64url, which has no dot. */
const PREFIX = 'trial.';
/** Claims that verify the answer only. */
const PROTOCOL_CLAIMS: ReadonlySet<string> = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'jti', 'sid']);

/** Returns whether a callback with this state ends a trial, not a sign-in. */
export const isTrialState = (state: unknown): boolean => typeof state === 'string' && state.startsWith(PREFIX);

interface PendingTrial {
  readonly providerId: number;
  readonly nonce: string;
  readonly verifier: string;
  /** The administrator, and the session or token of the request. */
  readonly caller: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const callerOf = ({ actor, sessionId, personalTokenId, sessionVersion }: Scope): string =>
  [actor.userId, sessionId ?? '', personalTokenId ?? '', sessionVersion ?? ''].join(' ');

/** Returns the encryption context of a state; no table holds it. */
const placeOfTrial = ({ tenant }: TenantScope) => ({
  tenantId: tenant.id,
  table: 'states',
  column: 'trial',
  row: 'identity-provider',
});

/**
 * Begins a trial (operation testIdentityProvider).
 * @throws PorticoError 403 without every administrative right, 404
 */
export async function testIdentityProvider(
  scope: Scope,
  id: number,
  client: ProviderClient,
): Promise<TestIdentityProviderResponse> {
  mustManageProviders(scope.actor);
  const provider = await readProvider(scope.db, id);
  const { nonce, verifier } = client.newSecrets();
  const expiresAt = scope.clock.now() + SIGN_IN_MS;
  const pending: PendingTrial = { providerId: id, nonce, verifier, caller: callerOf(scope), expiresAt };
  const sealed = scope.sealer.seal(Buffer.from(JSON.stringify(pending)), placeOfTrial(scope));
  const state = `${PREFIX}${sealed.toString('base64url')}`;
  const redirectUri = redirectUriOf(scope, provider.key);
  try {
    const secrets = { state, nonce, verifier };
    const authorizationUrl = await client.authorizationUrl(connectionOf(scope, provider), secrets);
    return { redirectUri, authorizationUrl, expiryTimestamp: expiresAt };
  } catch (error) {
    return { redirectUri, refusal: refusalOf(error) };
  }
}

/**
 * Finishes a trial, once (operation finishIdentityProviderTest).
 * @param system creates the scope of the tenant's system account
 * @throws PorticoError 403 without every administrative right, 404 for a provider that was deleted
 * meanwhile; ValidationError for an answer that belongs to no trial of this caller and session
 */
export async function finishIdentityProviderTest(
  scope: Scope,
  input: FinishIdentityProviderTestRequest,
  client: ProviderClient,
  system: (scope: TenantScope) => Promise<Scope>,
): Promise<FinishIdentityProviderTestResponse> {
  mustManageProviders(scope.actor);
  const { answer } = requireFields(scope, input);
  const query = answer.includes('?') ? answer.slice(answer.indexOf('?')) : `?${answer}`;
  const state = new URLSearchParams(query).get('state') ?? '';
  const pending = openTrial(scope, state);
  if (!(await takeState(scope.db, state, pending.expiresAt))) throw noTrial('This answer was used before.');
  const provider = await readProvider(scope.db, pending.providerId);
  const tried = await tryOut(scope, client, provider, { query, pending: { ...pending, state } }, system);
  const { outcome, refusal } = tried;
  await recordTrial(scope.db, provider.id, { outcome, ...(refusal && { reason: refusal.code }) });
  const { id, key, name, enabled } = provider;
  return { identityProviderId: id, key, name, enabled, ...tried };
}

const noTrial = (reason: string) => invalid('answer', 'INVALID_VALUE', `${reason} Begin the trial again.`);

function openTrial(scope: Scope, state: string): PendingTrial {
  if (!isTrialState(state)) throw noTrial('This is no answer to a trial.');
  let pending: PendingTrial;
  try {
    const sealed = Buffer.from(state.slice(PREFIX.length), 'base64url');
    pending = JSON.parse(scope.sealer.open(sealed, placeOfTrial(scope)).toString()) as PendingTrial;
  } catch (error) {
    if (!(error instanceof SealingError)) throw error;
    throw noTrial('This is no answer to a trial.');
  }
  if (pending.caller !== callerOf(scope)) throw noTrial('The trial was begun in another session.');
  if (pending.expiresAt <= scope.clock.now()) throw noTrial('The trial took too long.');
  return pending;
}

type Tried = Omit<FinishIdentityProviderTestResponse, 'identityProviderId' | 'key' | 'name' | 'enabled'>;
interface Answered {
  readonly query: string;
  readonly pending: PendingTrial & { readonly state: string };
}

async function tryOut(
  scope: Scope,
  client: ProviderClient,
  provider: ProviderRow,
  { query, pending }: Answered,
  system: (scope: TenantScope) => Promise<Scope>,
): Promise<Tried> {
  let claims: ProviderClaims | undefined;
  try {
    claims = await claimsOf(scope, client, provider, query, pending);
    const identity = identityOf(claims, provider);
    return { claims: shown(claims), ...(await rehearse(await system(scope), provider, identity)) };
  } catch (error) {
    const refusal = refusalOf(error);
    const account = (error as SignInFailure).account;
    return {
      outcome: 'refuse',
      refusal,
      claims: claims ? shown(claims) : [],
      ...(account !== undefined && (await personOf(scope, account))),
    };
  }
}

/** Runs the sign-in up to the session, and undoes it. @throws SignInFailure */
async function rehearse(system: Scope, provider: ProviderRow, identity: Identity): Promise<Tried> {
  const { account, by, groups } = await rehearseWrites(system, (write) =>
    takeAccount(joining(write), provider, identity, { disabled: true }),
  );
  const { firstName, lastName, verifiedEmail } = identity;
  const created = { firstname: firstName, lastname: lastName, contactEmail: verifiedEmail ?? undefined };
  return {
    outcome: ({ link: 'signIn', address: 'link', creation: 'create' } as const)[by],
    ...(by === 'creation' ? { newAccount: created } : await personOf(system, account.userId)),
    joinedGroups: groups?.join.map(({ id, name }) => ({ groupId: id, name })) ?? [],
    leftGroups: groups?.leave.map(({ id, name }) => ({ groupId: id, name })) ?? [],
    unmappedGroups: await unmappedOf(system, provider, identity),
    groupsElsewhere: identity.groups === null,
  };
}

async function personOf({ db }: TenantScope, userId: number): Promise<Pick<Tried, 'userId' | 'userName'>> {
  const [row] = await db.query<{ name: string }>(
    `SELECT ${fullNameSql('u')} AS name FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
    [db.tenantId, userId],
  );
  return { userId, userName: row?.name ?? '' };
}

/** Returns values of the groups claim that the settings map to no group. */
async function unmappedOf({ db }: Scope, { id, groupsClaim }: ProviderRow, { groups }: Identity): Promise<string[]> {
  if (groupsClaim === null || groups === null) return [];
  const mapped = new Set((await readGroupMappings(db, id)).map(({ value }) => value));
  return [...groups]
    .filter((value) => !mapped.has(value))
    .slice(0, trialLimits.claims)
    .map(cut);
}

const cut = (text: string): string => cutCodePoints(storableText(text), trialLimits.claimLength);

/** Returns claims as texts; values other than texts are JSON. */
function shown(claims: ProviderClaims): { name: string; value: string }[] {
  return Object.entries(claims)
    .filter(([name, value]) => value !== undefined && !PROTOCOL_CLAIMS.has(name))
    .slice(0, trialLimits.claims)
    .map(([name, value]) => ({
      name: cut(name),
      value: cut(typeof value === 'string' ? value : JSON.stringify(value)),
    }));
}

/** @throws any error but a SignInFailure */
function refusalOf(error: unknown): IdentityProviderRefusal {
  if (!(error instanceof SignInFailure)) throw error;
  return { code: error.code, reason: cut(error.message) };
}
