/**
 * Access tokens: signed JWTs with a numeric `exp`, valid on every node and across restarts. The
 * token contains the user, the version of their sign-in and, for service accounts, the key of the
 * sign-in. The rights of the user are read per request.
 */
import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { LRUCache } from 'lru-cache';
import { recordSignIn } from '../../../kernel/audit/index.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { isAtLeast } from '../../../kernel/tenant-versions.ts';
import { CLOCK_SKEW_SECONDS } from './clock-skew.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Lifetime of a token in seconds, unless the tenant or the operator sets another. */
const DEFAULT_TOKEN_SECONDS = 3_600;

/** Maximum lifetime of a token in seconds, whatever its `exp` says: a day. */
export const MAX_TOKEN_SECONDS = 86_400;

/**
 * A sign-in. It is read with the statement that checks the credential, so that everything that ends
 * sign-ins afterwards also ends this one.
 */
export interface SignIn {
  userId: number;
  /** The service-account key of the sign-in; null for other sign-ins. */
  keyId: number | null;
  sessionVersion: number;
  /** True if an identity provider authenticated the person. */
  byProvider?: boolean;
  /** True for the break-glass administrator; each of their sign-ins is logged. */
  breakGlass?: boolean;
  /** The identity provider that authenticated the person; its deletion ends the session. */
  providerId?: number;
}

/** Subject of a token. */
interface TokenSubject extends SignIn {
  /** Epoch seconds. */
  expiresAt: number;
  /** Version of the tenant's signing keys with which the token was checked. */
  keysVersion: number;
}

/** Logs a sign-in of the break-glass administrator as a warning: the account is for emergencies. */
export function tellBreakGlass(
  { log, tenant, db }: TenantScope,
  { breakGlass, userId }: Pick<SignIn, 'breakGlass' | 'userId'>,
): void {
  if (!breakGlass) return;
  const fields = { tenant: tenant.name, userId, address: db.caller.origin?.address };
  log.warn(fields, 'the break-glass administrator signed in');
}

interface CachedSubject extends TokenSubject {
  tenantId: number;
}

/**
 * Issues and verifies access tokens. A verified token is cached until it expires; revocation is
 * read per request.
 */
export class AccessTokens {
  readonly #keys: SigningKeys;
  readonly #defaultSeconds: number;
  readonly #verified = new LRUCache<string, CachedSubject>({ max: 10_000 });

  constructor(keys: SigningKeys, defaultSeconds = DEFAULT_TOKEN_SECONDS) {
    this.#keys = keys;
    this.#defaultSeconds = defaultSeconds;
  }

  /** Records a sign-in of a user of the scope's tenant in the audit log. @returns a new token */
  async signIn(scope: TenantScope, signIn: SignIn): Promise<string> {
    await this.record(scope, signIn);
    return this.issue(scope, signIn);
  }

  /** Records a sign-in of a user of the scope's tenant in the audit log. */
  async record(scope: TenantScope, signIn: SignIn): Promise<void> {
    const { userId, keyId } = signIn;
    tellBreakGlass(scope, signIn);
    const breakGlass = signIn.breakGlass ? { breakGlass: true as const } : undefined;
    const by = keyId === null ? breakGlass : { keyId };
    await recordSignIn(scope.db, userId, scope.clock.now(), by);
  }

  /** Returns a new token for a user of the scope's tenant. */
  async issue(scope: TenantScope, { userId, keyId, sessionVersion, byProvider }: SignIn): Promise<string> {
    const key = await this.#keys.current(scope.db);
    const now = Math.floor(scope.clock.now() / 1000);
    const seconds = Math.min(scope.settings.accessTokenSeconds ?? this.#defaultSeconds, MAX_TOKEN_SECONDS);
    const claims = { key: keyId ?? undefined, prv: byProvider ? true : undefined };
    return new SignJWT({ tid: scope.tenant.id, ses: sessionVersion, ...claims })
      .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'JWT' })
      .setIssuer('portico')
      .setSubject(String(userId))
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(key.privateKey);
  }

  /**
   * Verifies a token.
   * @param keysVersion minimum version of the signing keys; omitted: cached keys of any version
   * @returns undefined when the token is not one of this tenant's, has expired, lives too long, or
   * its key was retired before it was issued
   */
  async verify(scope: TenantScope, token: string, keysVersion?: number): Promise<TokenSubject | undefined> {
    const now = Math.floor(scope.clock.now() / 1000);
    const known = this.#verified.get(token);
    if (known && (keysVersion === undefined || isAtLeast(known.keysVersion, keysVersion))) {
      if (known.expiresAt <= now) this.#verified.delete(token);
      return known.tenantId === scope.tenant.id && known.expiresAt > now ? known : undefined;
    }
    this.#verified.delete(token);
    let kid: string | undefined;
    try {
      kid = decodeProtectedHeader(token).kid;
    } catch {
      return undefined; // not a JWT
    }
    if (typeof kid !== 'string') return undefined;
    const { key, version } = await this.#keys.byId(scope.db, kid, keysVersion);
    if (!key) return undefined;
    const subject = await jwtVerify(token, key.publicKey, {
      algorithms: [key.algorithm],
      issuer: 'portico',
      currentDate: new Date(scope.clock.now()),
    }).then(
      ({ payload }) => payload,
      () => undefined, // jose throws a different error for each reason; callers learn none of them
    );
    if (subject?.['tid'] !== scope.tenant.id) return undefined;
    const { iat, exp, key: keyId, ses, prv } = subject;
    if (typeof iat !== 'number' || typeof exp !== 'number') return undefined;
    // Reject tokens issued after the retirement of their key, and tokens that live longer than a
    // day: a day after its retirement, no token of the key is valid.
    const latest = Math.min(now, key.retiredAt ?? now) + CLOCK_SKEW_SECONDS;
    if (iat > latest || exp - iat > MAX_TOKEN_SECONDS) return undefined;
    const result: CachedSubject = {
      tenantId: scope.tenant.id,
      userId: Number(subject.sub),
      keyId: typeof keyId === 'number' ? keyId : null,
      sessionVersion: typeof ses === 'number' ? ses : 1,
      byProvider: prv === true,
      expiresAt: exp,
      keysVersion: version,
    };
    this.#verified.set(token, result);
    return result;
  }
}
