/**
 * Browser sessions. A cookie contains the id of a session and its secret, which is renewed from
 * time to time. A session ends after some days without use, at its absolute end, when it is
 * revoked, and whenever the sign-ins of its account end.
 */

import { randomBytes } from 'node:crypto';
import type { ListSessionsResponse, StartSessionResponse, UserSession } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { recordSignIn } from '../../../kernel/audit/index.ts';
import type { DueWork } from '../../../kernel/due-work.ts';
import { notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Handlers, SessionCookie } from '../../../kernel/operations.ts';
import type { Scope, TenantScope, TenantSettings } from '../../../kernel/scope.ts';
import { type SignIn, tellBreakGlass } from './access-tokens.ts';
import { factorStateOf } from './required-second-factor.ts';
import {
  deleteEndedSessions,
  deleteSessionOf,
  deleteSessions,
  insertSession,
  listOpenSessions,
  type OpenSession,
  readSession,
  readSessionState,
  renewSecret,
  type SessionState,
} from './sessions.repository.ts';

const DAY = 86_400;

/** Seconds without use after which a session ends, unless the tenant sets another time. */
const SESSION_IDLE_SECONDS = 7 * DAY;
/** Absolute lifetime of a session in seconds, unless the tenant sets another time. */
const SESSION_SECONDS = 30 * DAY;
/**
 * Maximum number of sessions of a person; a further one replaces the session that was unused for
 * longest.
 */
const MAX_SESSIONS = 50;

/** Age in milliseconds at which the secret is renewed. */
const RENEW_MS = 3_600_000;
/**
 * Time after a renewal during which requests with the former secret are expected, because they were
 * sent before its response arrived. Milliseconds.
 */
const OVERLAP_MS = 60_000;
const SECRET_BYTES = 32;
const MAX_USER_AGENT = 300;

const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url');

/** Lifetimes set by a tenant. */
type Lifetimes = Pick<TenantSettings, 'sessionIdleSeconds' | 'sessionSeconds'>;
const idleMs = ({ sessionIdleSeconds }: Lifetimes) => (sessionIdleSeconds ?? SESSION_IDLE_SECONDS) * 1000;
const lifeMs = ({ sessionSeconds }: Lifetimes) => (sessionSeconds ?? SESSION_SECONDS) * 1000;
/**
 * Returns the earliest times of last use and of creation of a live session. @param now epoch
 * milliseconds
 */
const limitsOf = (settings: Lifetimes, now: number) => [now - idleMs(settings), now - lifeMs(settings)] as const;

/** @returns undefined for a text that is not a session cookie */
function readCookie(value: string | undefined): { id: number; secret: string } | undefined {
  const [, id, secret] = /^(\d{1,15})\.([\w-]{43})$/.exec(value ?? '') ?? [];
  return secret === undefined ? undefined : { id: Number(id), secret };
}

/**
 * Signs a browser in: every way to sign in ends here or in `AccessTokens.signIn`. Ends the
 * browser's former session.
 * @throws PorticoError INVALID_CREDENTIALS (401) when the sign-ins of the account have ended
 * meanwhile
 */
export async function startSession(
  scope: TenantScope,
  { userId, sessionVersion, byProvider = false, providerId, breakGlass }: SignIn,
  cookie: SessionCookie,
): Promise<StartSessionResponse> {
  const now = scope.clock.now();
  await leaveSession(scope, cookie);
  const secret = newSecret();
  const session = {
    userId,
    sessionVersion,
    secret,
    userAgent: cookie.userAgent?.slice(0, MAX_USER_AGENT).toWellFormed(),
    address: scope.db.caller.origin?.address,
    unconfirmed: byProvider,
    providerId,
    now,
  };
  const id = await insertSession(scope.db, session, MAX_SESSIONS);
  if (id === undefined) throw new PorticoError('INVALID_CREDENTIALS', { account: userId });
  tellBreakGlass(scope, { breakGlass, userId });
  await recordSignIn(scope.db, userId, now, breakGlass ? { breakGlass: true } : undefined);
  cookie.set(`${id}.${secret}`, lifeMs(scope.settings) / 1000);
  const factor = await factorStateOf(scope, userId);
  return {
    userId,
    sessionId: id,
    expirationTimestamp: now + lifeMs(scope.settings),
    secondFactorSetupRequired: factor.required && !factor.present ? true : undefined,
  };
}

async function leaveSession(scope: TenantScope, cookie: SessionCookie): Promise<void> {
  const held = readCookie(cookie.value);
  if (held) await deleteSessionOf(scope.db, held.id, held.secret);
}

/** The session of a request, with its secret renewed if it was old. */
interface AcceptedSession {
  session: OpenSession;
  /** True when the browser has had the newest secret for a while. */
  settled: boolean;
}

/** @returns undefined for an invalid cookie, or a session that has ended */
export async function acceptSession(scope: TenantScope, cookie: SessionCookie): Promise<AcceptedSession | undefined> {
  const held = readCookie(cookie.value);
  if (!held) return undefined;
  const now = scope.clock.now();
  const session = await readSession(scope.db, held.id, held.secret, ...limitsOf(scope.settings, now));
  if (!session) return undefined;
  const age = now - session.renewedAt;
  // A browser that still sends the former secret did not receive the response with the new one.
  if (age > (session.current ? RENEW_MS : OVERLAP_MS)) {
    const secret = newSecret();
    if (await renewSecret(scope.db, session, held.secret, secret, now))
      cookie.set(`${session.id}.${secret}`, Math.ceil((session.createdAt + lifeMs(scope.settings) - now) / 1000));
    return { session, settled: false };
  }
  return { session, settled: session.current && age > OVERLAP_MS };
}

/**
 * Reads a session by id, for a connection that was accepted with it. @returns undefined when it has
 * ended
 */
export function readOpenSession({ db, clock, settings }: TenantScope, id: number): Promise<SessionState | undefined> {
  return readSessionState(db, id, ...limitsOf(settings, clock.now()));
}

/** Operations on the caller's own sessions. */
export const sessionHandlers = {
  endSession: async ({ scope, cookie }) => {
    await leaveSession(scope, cookie);
    cookie.clear();
    return undefined;
  },
  listSessions: ({ scope }) => listSessions(scope, scope.actor.userId),
  revokeSession: async ({ scope, params }) => {
    const { userId } = scope.actor;
    await writeTransaction(scope, 'access', async ({ tx }) => {
      if ((await deleteSessions(tx, userId, { only: params.sessionId })) === 0) throw notFound();
    });
    return undefined;
  },
  revokeOtherSessions: async ({ scope }) => {
    const revokedCount = await writeTransaction(scope, 'access', ({ tx }) =>
      deleteSessions(tx, scope.actor.userId, { except: scope.sessionId ?? null }),
    );
    return { revokedCount };
  },
} satisfies Handlers;

/** Returns the sessions of a person, the last used first. */
export async function listSessions(scope: Scope, userId: number): Promise<ListSessionsResponse> {
  const now = scope.clock.now();
  const sessions = await listOpenSessions(scope.db, userId, ...limitsOf(scope.settings, now));
  return {
    sessions: sessions.map(
      ({ id, createdAt, lastUsedAt, userAgent, address }): UserSession => ({
        id,
        creationTimestamp: createdAt,
        lastUseTimestamp: lastUsedAt,
        expirationTimestamp: Math.min(createdAt + lifeMs(scope.settings), lastUsedAt + idleMs(scope.settings)),
        userAgent: userAgent ?? undefined,
        address: address ?? undefined,
        current: id === scope.sessionId,
      }),
    ),
  };
}

/** Time at which unused sessions end. */
export const idleSessionsDue: DueWork = {
  earliest: 'SELECT min(last_used_at) FROM user_sessions WHERE tenant_id = $1',
  afterMs: ({ settings }) => idleMs(settings),
};

/** Time at which sessions end, used or not. */
export const sessionsDue: DueWork = {
  earliest: 'SELECT min(created_at) FROM user_sessions WHERE tenant_id = $1',
  afterMs: ({ settings }) => lifeMs(settings),
};

/** Deletes sessions that have ended. @param now epoch milliseconds */
export async function forgetSessions(db: TenantExecutor, settings: Lifetimes, now: number): Promise<void> {
  await deleteEndedSessions(db, ...limitsOf(settings, now));
}
