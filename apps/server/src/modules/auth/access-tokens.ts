/**
 * Access tokens: signed JWTs with a numeric `exp`, valid on every node and across restarts (behaviour §3.2). The token
 * names the user and, for service accounts, the key they signed in with; what they may do is read per request.
 */
import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { TenantScope } from '../../platform/scope.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Seconds that a token is valid unless the tenant or the operator says otherwise. */
export const DEFAULT_TOKEN_SECONDS = 3_600;

/** Who a token speaks for. */
export interface TokenSubject {
  userId: number;
  /** The service-account key of the sign-in; null for other sign-ins. */
  keyId: number | null;
  /** Epoch seconds. */
  expiresAt: number;
}

interface CachedSubject extends TokenSubject {
  tenantId: number;
}

/** Issues and verifies access tokens. A verified token is remembered until it expires; revocation is read per request. */
export class AccessTokens {
  readonly #keys: SigningKeys;
  readonly #defaultSeconds: number;
  readonly #verified = new Map<string, CachedSubject>();

  constructor(keys: SigningKeys, defaultSeconds = DEFAULT_TOKEN_SECONDS) {
    this.#keys = keys;
    this.#defaultSeconds = defaultSeconds;
  }

  /** A new token for a user of the scope's tenant. */
  async issue(scope: TenantScope, userId: number, keyId: number | null): Promise<string> {
    const key = await this.#keys.current(scope.db);
    const now = Math.floor(scope.clock.now() / 1000);
    const seconds = scope.settings.accessTokenSeconds ?? this.#defaultSeconds;
    return new SignJWT({ tid: scope.tenant.id, ...(keyId !== null && { key: keyId }) })
      .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'JWT' })
      .setIssuer('portico')
      .setSubject(String(userId))
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .sign(key.privateKey);
  }

  /** @returns undefined when the token is not one of this tenant's, or has expired */
  async verify(scope: TenantScope, token: string): Promise<TokenSubject | undefined> {
    const now = Math.floor(scope.clock.now() / 1000);
    const known = this.#verified.get(token);
    if (known) {
      if (known.expiresAt <= now) this.#verified.delete(token);
      return known.tenantId === scope.tenant.id && known.expiresAt > now ? known : undefined;
    }
    let kid: string | undefined;
    try {
      kid = decodeProtectedHeader(token).kid;
    } catch {
      return undefined; // not a JWT at all
    }
    const key = typeof kid === 'string' ? await this.#keys.byId(scope.db, kid) : undefined;
    if (!key) return undefined;
    const subject = await jwtVerify(token, key.publicKey, {
      algorithms: [key.algorithm],
      issuer: 'portico',
      currentDate: new Date(scope.clock.now()),
    }).then(
      ({ payload }) => payload,
      () => undefined, // jose throws one kind of error per reason; the caller is told none of them
    );
    if (subject?.['tid'] !== scope.tenant.id || typeof subject.exp !== 'number') return undefined;
    const result: CachedSubject = {
      tenantId: scope.tenant.id,
      userId: Number(subject.sub),
      keyId: typeof subject['key'] === 'number' ? subject['key'] : null,
      expiresAt: subject.exp,
    };
    if (this.#verified.size >= 10_000) this.#verified.delete(this.#verified.keys().next().value as string);
    this.#verified.set(token, result);
    return result;
  }
}
