/**
 * Authenticates the caller. The token names the user; whether that user may still sign in is read from the database with the request's
 * first statement, so that blocking or signing out a user, and revoking a key, count from the next request on, on every node.
 */
import type { Operation } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ActorCache, limitActor, readActorState } from '../kernel/access/index.ts';
import { PorticoError } from '../kernel/errors.ts';
import type { SessionCookie } from '../kernel/operations.ts';
import type { Actor, Scope, TenantScope } from '../kernel/scope.ts';
import { isAtLeast } from '../kernel/tenant-versions.ts';
import {
  type AccessTokens,
  acceptPersonalToken,
  acceptSession,
  hasRequiredProvider,
  isPersonalToken,
  mustHaveSecondFactor,
  mustPermit,
  readOpenSession,
  requiresSecondFactor,
} from '../modules/people/index.ts';
import { mustBeSameOrigin, sessionCookie } from './session-cookie.ts';

/** Every refusal of a token carries this header with exactly this value. */
const REFUSAL = { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' };

interface Authenticated {
  actor: Actor;
  definitionsVersion: number;
  /** The tenant's database, for this caller. */
  db: TenantDb;
  /** The service-account key of the sign-in; null for other sign-ins. */
  keyId: number | null;
  /** The session of a browser, and whether it uses the newest secret; undefined for other callers. */
  session: { id: number; settled: boolean } | undefined;
  /** Id of the personal access token of the request; undefined for other callers. */
  personalTokenId: number | undefined;
  /** Version of the sign-ins of the account that the request came with. */
  sessionVersion: number;
}

/**
 * @throws PorticoError UNAUTHENTICATED or INVALID_AUTH_TOKEN (401); CROSS_SITE_REQUEST (403) for a
 *   session that a page of another origin uses; SECOND_FACTOR_SETUP_REQUIRED,
 *   SECOND_FACTOR_CONFIRMATION_REQUIRED (403); PERSONAL_TOKEN_READ_ONLY or
 *   PERSONAL_TOKEN_NOT_ACCEPTED (403) for a request that a personal access token does not permit
 */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: TenantScope,
  tokens: AccessTokens,
  actors: ActorCache,
): Promise<Authenticated> {
  const cookie = sessionCookie(request, reply, scope);
  const { operation } = request.routeOptions.config;
  if (request.headers.authorization === undefined && cookie.value !== undefined)
    return authenticateSession(request, reply, scope, cookie, actors);
  const token = tokenOf(request.headers.authorization);
  if (!token) throw new PorticoError('UNAUTHENTICATED', { headers: REFUSAL });
  if (isPersonalToken(token)) return authenticatePersonalToken(operation, scope, token, actors);
  const subject = await tokens.verify(scope, token);
  if (!subject) throw new PorticoError('INVALID_AUTH_TOKEN', { headers: REFUSAL });
  const db = scope.db.boundTo({ ...scope.db.caller, userId: subject.userId });
  const state = await readActorState(db, subject.userId, subject.keyId);
  if (!state || state.blocked || state.deleted || state.keyRevoked || subject.sessionVersion !== state.sessionVersion) {
    throw new PorticoError('INVALID_AUTH_TOKEN', { headers: REFUSAL });
  }
  // Signing keys have changed since the token was verified, perhaps on another node: the cached result is void.
  if (!isAtLeast(subject.keysVersion, state.keysVersion) && !(await tokens.verify(scope, token, state.keysVersion)))
    throw new PorticoError('INVALID_AUTH_TOKEN', { headers: REFUSAL });
  const actor = await actors.get(db, subject.userId, state.accessVersion);
  if (!actor) throw new PorticoError('INVALID_AUTH_TOKEN', { headers: REFUSAL });
  mustBeAcceptedSignIn(scope, actor, subject.byProvider === true);
  mustHaveSecondFactor(scope, actor, operation, subject.byProvider === true);
  return {
    actor,
    definitionsVersion: state.definitionsVersion,
    db,
    keyId: subject.keyId,
    session: undefined,
    personalTokenId: undefined,
    sessionVersion: state.sessionVersion,
  };
}

/** @throws PorticoError INVALID_AUTH_TOKEN (401) for a password or passkey where the tenant requires an identity provider */
function mustBeAcceptedSignIn(scope: TenantScope, actor: Actor, byProvider: boolean): void {
  if (hasRequiredProvider(scope, actor, byProvider)) return;
  const message = 'Sign in again, by an identity provider: passwords and passkeys are not accepted here.';
  throw new PorticoError('INVALID_AUTH_TOKEN', { headers: REFUSAL, message });
}

async function authenticatePersonalToken(
  operation: Operation | undefined,
  scope: TenantScope,
  secret: string,
  actors: ActorCache,
): Promise<Authenticated> {
  const token = await acceptPersonalToken(scope, secret);
  const db = token && scope.db.boundTo({ ...scope.db.caller, userId: token.userId });
  const actor = token && db && (await actors.get(db, token.userId, token.accessVersion));
  if (!actor) throw new PorticoError('INVALID_AUTH_TOKEN', { headers: REFUSAL });
  if (operation) mustPermit(token, operation);
  mustHaveSecondFactor(scope, actor, operation, false);
  return {
    actor: limitActor(actor, { communityIds: token.communityIds, managesUsers: token.managesUsers }),
    definitionsVersion: token.definitionsVersion,
    db,
    keyId: null,
    session: undefined,
    personalTokenId: token.id,
    sessionVersion: token.sessionVersion,
  };
}

async function authenticateSession(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: TenantScope,
  cookie: SessionCookie,
  actors: ActorCache,
): Promise<Authenticated> {
  mustBeSameOrigin(request, scope);
  // Caches keep no answers to requests with an Authorization header, but know nothing of cookies.
  reply.header('Cache-Control', 'no-store');
  const accepted = await acceptSession(scope, cookie);
  const session = accepted?.session;
  const db = session && scope.db.boundTo({ ...scope.db.caller, userId: session.userId });
  const actor = session && db && (await actors.get(db, session.userId, session.accessVersion));
  if (!actor) {
    cookie.clear();
    throw new PorticoError('INVALID_AUTH_TOKEN', { headers: REFUSAL });
  }
  mustBeAcceptedSignIn(scope, actor, session.byProvider);
  mustHaveSecondFactor(scope, actor, request.routeOptions.config.operation, session.unconfirmed);
  return {
    actor,
    definitionsVersion: session.definitionsVersion,
    db,
    keyId: null,
    session: { id: session.id, settled: accepted.settled },
    personalTokenId: undefined,
    sessionVersion: session.sessionVersion,
  };
}

/**
 * Whether a sign-in that was accepted still is, for a connection that lasts. It renews no secret of a session, as the headers of
 * the answer were sent.
 * @returns the actor as they are now, or undefined when the sign-in has ended
 */
export async function checkSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope,
  tokens: AccessTokens,
  actors: ActorCache,
): Promise<Actor | undefined> {
  if (scope.sessionId !== undefined) {
    const state = await readOpenSession(scope, scope.sessionId);
    const actor = state && (await actors.get(scope.db, scope.actor.userId, state.accessVersion));
    // A provider or a second factor may have been required since, or the factor removed.
    const accepted =
      actor &&
      hasRequiredProvider(scope, actor, state.byProvider) &&
      hasRequiredFactor(scope, actor, state.unconfirmed);
    return accepted ? actor : undefined;
  }
  try {
    return (await authenticate(request, reply, scope, tokens, actors)).actor;
  } catch (error) {
    if (error instanceof PorticoError && (error.status === 401 || error.status === 403)) return undefined;
    throw error;
  }
}

function hasRequiredFactor(scope: Scope, actor: Actor, unconfirmed: boolean): boolean {
  return !requiresSecondFactor(scope, actor) || (actor.secondFactor && !unconfirmed);
}

/** Clients send `Bearer TOKEN` or, configured without a scheme, the token alone. */
function tokenOf(header: string | undefined): string | undefined {
  if (!header) return undefined;
  const [first, second, ...rest] = header.trim().split(/\s+/);
  if (rest.length > 0) return undefined;
  if (second === undefined)
    return first !== undefined && (first.includes('.') || isPersonalToken(first)) ? first : undefined;
  return first?.toLowerCase() === 'bearer' ? second : undefined;
}
