/**
 * Access tokens: signed JWTs with a numeric `exp`, valid on every node and across restarts. The token names the user, the
 * version of their sign-in and, for service accounts, the key they signed in with; what they may do is read per request.
 */
import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { LRUCache } from 'lru-cache';
import { recordSignIn } from '../../kernel/audit/index.ts';
import type { TenantScope } from '../../kernel/scope.ts';
import { isAtLeast } from '../../kernel/tenant-versions.ts';
import { CLOCK_SKEW_SECONDS } from './clock-skew.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Seconds that a token is valid unless the tenant or the operator says otherwise. */
const DEFAULT_TOKEN_SECONDS = 3_600;

/** No token lives longer, regardless of what it says: a day, in seconds. */
export const MAX_TOKEN_SECONDS = 86_400;

/** A sign-in: read with the statement that checked the credential, so that what ends sign-ins afterwards ends this one. */
export interface SignIn {
  userId: number;
  /** The service-account key of the sign-in; null for other sign-ins. */
  keyId: number | null;
  sessionVersion: number;
  /** True where an identity provider vouched for the person. */
  byProvider?: boolean;
  /** True for the break-glass administrator, whose every sign-in is told. */
  breakGlass?: boolean;
  /** The identity provider of the tenant that did, whose removal ends the session. */
  providerId?: number;
}

/** Who a token speaks for. */
interface TokenSubject extends SignIn {
  /** Epoch seconds. */
  expiresAt: number;
  /** Version of the tenant's signing keys that the token was checked with. */
  keysVersion: number;
}

/** Writes a line of the log for whoever watches it: the account is for emergencies. */
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

/** Issues and verifies access tokens. A verified token is remembered until it expires; revocation is read per request. */
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
    const by = keyId !== null ? { keyId } : signIn.breakGlass ? { breakGlass: true as const } : undefined;
    await recordSignIn(scope.db, userId, scope.clock.now(), by);
  }

  /** A new token for a user of the scope's tenant. */
  async issue(scope: TenantScope, { userId, keyId, sessionVersion, byProvider }: SignIn): Promise<string> {
    const key = await this.#keys.current(scope.db);
    const now = Math.floor(scope.clock.now() / 1000);
    const seconds = Math.min(scope.settings.accessTokenSeconds ?? this.#defaultSeconds, MAX_TOKEN_SECONDS);
    const claims = { ...(keyId !== null && { key: keyId }), ...(byProvider && { prv: true }) };
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
   * Reads a token.
   * @param keysVersion the keys that it is checked with are not older than this; left out: any that are cached
   * @returns undefined when the token is not one of this tenant's, has expired, lives too long, or its key was retired before
   *   it was made
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
      return undefined; // not a JWT at all
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
      () => undefined, // jose throws one kind of error per reason; the caller is told none of them
    );
    if (subject?.['tid'] !== scope.tenant.id) return undefined;
    const { iat, exp, key: keyId, ses, prv } = subject;
    if (typeof iat !== 'number' || typeof exp !== 'number') return undefined;
    // Nothing that claims to be newer than the retirement of its key is valid, nor anything that lives longer than a day: so a
    // retired key can sign nothing that is valid a day later.
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
