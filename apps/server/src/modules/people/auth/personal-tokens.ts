/**
 * Personal access tokens: a program acts with one for a person, with some or all of the person's
 * roles, for some days. A token ends when it expires, when it is revoked, and with the sign-ins of
 * its account. It cannot change how its holder signs in.
 */
import { randomBytes } from 'node:crypto';
import {
  type CreatePersonalTokenRequest,
  type CreatePersonalTokenResponse,
  type ListPersonalTokensResponse,
  mostPersonalTokens,
  type Operation,
  type PersonalToken,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, invalid, notFound, PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Handlers } from '../../../kernel/operations.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import {
  type AcceptedToken,
  deleteToken,
  hashOfSecret,
  insertToken,
  listTokens,
  type NewToken,
  readToken,
} from './personal-tokens.repository.ts';

const DAY_MS = 86_400_000;
const SECRET_BYTES = 32;

/** Prefix of every token, by which secret scanners recognise it. */
export const TOKEN_PREFIX = 'ptc_';

/** Returns whether a text has the prefix of a personal access token. */
export function isPersonalToken(text: string): boolean {
  return text.startsWith(TOKEN_PREFIX);
}

/**
 * Returns the token of a request. @returns undefined for a token that is unknown, expired or
 * revoked, or whose account may not sign in
 */
export async function acceptPersonalToken(scope: TenantScope, secret: string): Promise<AcceptedToken | undefined> {
  return readToken(scope.db, secret, scope.clock.now());
}

/**
 * Requires that a token permits an operation; its actor limits the visible data.
 * @throws PorticoError PERSONAL_TOKEN_NOT_ACCEPTED, PERSONAL_TOKEN_READ_ONLY (403)
 */
export function mustPermit(
  { readOnly, communityIds }: Pick<AcceptedToken, 'readOnly' | 'communityIds'>,
  { id, kind, method, path }: Operation,
): void {
  // A token may revoke itself; the handler refuses others.
  if (id === 'revokePersonalToken') return;
  // Writes below this path change the sign-ins of the caller: passwords, factors, sessions, tokens.
  if (method !== 'GET' && path.startsWith('/core/auth/')) throw new PorticoError('PERSONAL_TOKEN_NOT_ACCEPTED');
  // A token for some communities has no access to the account of its holder, except to learn their
  // identity.
  const ownAccount = (path.startsWith('/core/auth/') && id !== 'currentUserData') || id === 'editMyProfile';
  if (communityIds !== null && ownAccount) throw new PorticoError('PERSONAL_TOKEN_NOT_ACCEPTED');
  if (readOnly && kind === 'write') throw new PorticoError('PERSONAL_TOKEN_READ_ONLY');
}

/** Operations on the caller's own tokens. */
export const personalTokenHandlers = {
  listPersonalTokens: ({ scope }) => listPersonalTokens(scope, scope.actor.userId),
  createPersonalToken: ({ scope, body }) => create(scope, body ?? {}),
  revokePersonalToken: async ({ scope, params }) => {
    if (scope.personalTokenId !== undefined && scope.personalTokenId !== params.tokenId)
      throw new PorticoError('PERSONAL_TOKEN_NOT_ACCEPTED');
    await writeTransaction(scope, 'access', async ({ tx, actor }) => {
      if (!(await deleteToken(tx, actor.userId, params.tokenId))) throw notFound();
    });
    return undefined;
  },
} satisfies Handlers;

/** Returns the accepted tokens of a person, the newest first. */
export async function listPersonalTokens(scope: Scope, userId: number): Promise<ListPersonalTokensResponse> {
  const tokens = await listTokens(scope.db, userId, scope.clock.now());
  return {
    tokens: tokens.map(
      ({ id, name, readOnly, communityIds, managesUsers, createdAt, expiresAt, lastUsedAt }): PersonalToken => ({
        id,
        name,
        access: readOnly ? 'read' : 'write',
        onlyCommunityIds: communityIds ?? undefined,
        manageUsers: managesUsers || undefined,
        creationTimestamp: createdAt,
        lastUseTimestamp: lastUsedAt ?? undefined,
        expirationTimestamp: expiresAt,
      }),
    ),
  };
}

/**
 * @throws PorticoError FORBIDDEN (403) for service accounts; CONFLICT (409) with the maximum number
 * of tokens; INVALID_AUTH_TOKEN (401) when the sign-in of the request has ended
 * @throws ValidationError for missing members, and communities without a role
 */
async function create(scope: Scope, input: CreatePersonalTokenRequest): Promise<CreatePersonalTokenResponse> {
  const { name, access, validDays } = readInput(input);
  return writeTransaction(scope, 'access', async (write) => {
    const { onlyCommunityIds } = input;
    const communityIds = onlyCommunityIds ? [...new Set(onlyCommunityIds)].sort((a, b) => a - b) : null;
    const unknown = communityIds?.filter((id) => !write.actor.roles.has(id)) ?? [];
    if (unknown.length > 0)
      throw invalid('onlyCommunityIds', 'UNKNOWN_REFERENCE', 'You have no role in these communities.', unknown);
    const secret = `${TOKEN_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const expiresAt = write.now + validDays * DAY_MS;
    const tokenId = await addToken(write, {
      name,
      readOnly: access === 'read',
      communityIds,
      managesUsers: false,
      secretHash: hashOfSecret(secret),
      expiresAt,
    });
    return { tokenId, secret, expirationTimestamp: expiresAt };
  });
}

/**
 * Adds a token of the caller, tied to the present sign-ins of the account. @returns its id
 * @throws PorticoError as {@link create}
 */
export async function addToken(
  write: WriteScope,
  token: Omit<NewToken, 'userId' | 'sessionVersion' | 'now'>,
): Promise<number> {
  const sessionVersion = await mustSignIn(write);
  const { userId } = write.actor;
  if ((await listTokens(write.tx, userId, write.now)).length >= mostPersonalTokens)
    throw new PorticoError('CONFLICT', {
      message: `A person has at most ${mostPersonalTokens} personal access tokens; revoke one first.`,
    });
  return insertToken(write.tx, { ...token, userId, sessionVersion, now: write.now });
}

/** @throws ValidationError that names each missing member */
function readInput({ name, access, validDays }: CreatePersonalTokenRequest) {
  if (name !== undefined && access !== undefined && validDays !== undefined)
    return { name: mustBeSeen(name), access, validDays };
  const missing = Object.entries({ name, access, validDays }).filter(([, value]) => value === undefined);
  throw new ValidationError(
    missing.map(([field]) => ({ field, code: 'REQUIRED_FIELD', defaultMessage: `${field} is required.` })),
  );
}

/** @returns the name, trimmed @throws ValidationError if it has no visible characters */
function mustBeSeen(name: string): string {
  const text = name.trim();
  if (text === '') throw invalid('name', 'REQUIRED_FIELD', 'name is required: a text that can be seen.');
  return text;
}

/**
 * Requires that the sign-in of the request has not ended: the token is tied to the present sign-ins
 * of the account.
 * @returns version of the present sign-ins
 */
async function mustSignIn({ tx, actor, sessionVersion }: WriteScope): Promise<number> {
  const [user] = await tx.query<{ sessionVersion: number; serviceAccount: boolean }>(
    `SELECT session_version AS "sessionVersion", service_account AS "serviceAccount" FROM users WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, actor.userId],
  );
  if (user?.serviceAccount !== false) throw forbidden('Service accounts sign in by keys.');
  if (sessionVersion !== undefined && user.sessionVersion !== sessionVersion)
    throw new PorticoError('INVALID_AUTH_TOKEN', { headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' } });
  return user.sessionVersion;
}
