/**
 * Sign-in of service accounts: exchanges an RS512 assertion for an access token. `kid` is a JSON
 * number and `iss` may be one. Most JWT libraries reject that, so this module checks the claims
 * itself.
 */

import { createPublicKey, verify as verifySignature } from 'node:crypto';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { storableText } from '@portico/platform/text';
import type { DueWork } from '../../../kernel/due-work.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import type { SignIn } from './access-tokens.ts';
import { CLOCK_SKEW_SECONDS } from './clock-skew.ts';
import { openToken, type Sent, sealToken } from './repeated-assertion.ts';
import { activeKeySql } from './service-account-keys.ts';

/** Maximum lifetime of an assertion, in seconds. */
const MAX_ASSERTION_SECONDS = 600;

/**
 * Time after its first use during which an assertion of the older line returns the same token, in
 * seconds.
 */
const REPEAT_SECONDS = 2;

interface Assertion {
  keyId: number;
  clientId: number;
  /** Whether `iss` is a text, as sent by the older line of clients (0.4). */
  ofOlderLine: boolean;
  jti: string;
  /** Epoch seconds; both may have a fraction. */
  issuedAt: number;
  expiresAt: number;
  signed: Buffer;
  signature: Buffer;
}

/** @param account the account that signed, if known */
function refused(reason: string, account?: number): PorticoError {
  return new PorticoError('INVALID_ASSERTION', {
    message: `The assertion was refused: ${reason}.`,
    account,
    headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' },
  });
}

/**
 * Checks an assertion and marks it as used. An assertion is accepted once; its key, `jti`, `iat`
 * and `exp` together identify it, because some clients keep their `jti` for the life of a process
 * and sign anew. The older line signs the same assertion within a second: from the same address it
 * gets the token of the first use again for two seconds, on every node
 * (docs/adr/0019-repeated-sign-ins.md).
 * A failure counts against a key only if the signature is the key's and the key is revoked or
 * expired. Without the key nobody can therefore block its account, and a program that repeats its
 * requests with a revoked key is refused before its signature is checked.
 * @param revoked counts these failures
 * @param issue creates a token for a sign-in
 * @returns the sign-in of the account by the key, and its token
 * @throws PorticoError RATE_LIMITED (429) after too many of these failures
 * @throws PorticoError INVALID_ASSERTION (401) for anything that is not acceptable
 */
export async function acceptAssertion(
  scope: TenantScope,
  jwt: string,
  revoked: FailureLimit,
  issue: (signIn: SignIn) => Promise<string>,
): Promise<{ signIn: SignIn; accessToken: string }> {
  const now = scope.clock.now() / 1000;
  const assertion = readAssertion(jwt, scope.settings.audiences, now);
  const counted = `${scope.tenant.id} ${assertion.clientId} ${assertion.keyId}`;
  await revoked.check(counted, scope.clock.now());
  const [key] = await scope.db.query<{ publicKey: string; active: boolean; sessionVersion: number }>(
    `SELECT k.public_key AS "publicKey", ${activeKeySql('k')} AND u.deleted_at IS NULL AND NOT u.blocked AS active,
            u.session_version AS "sessionVersion"
       FROM service_account_keys k JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.user_id
      WHERE k.tenant_id = $1 AND k.id = $2 AND k.user_id = $3`,
    [scope.tenant.id, assertion.keyId, assertion.clientId],
  );
  const signed =
    key !== undefined &&
    verifySignature('RSA-SHA512', assertion.signed, createPublicKey(key.publicKey), assertion.signature);
  // An unknown key, a wrong signature and a revoked key get the same response, so that it does not
  // disclose the reason.
  if (!signed || !key.active) {
    if (signed) await revoked.note(counted, scope.clock.now());
    const account = key && assertion.clientId;
    throw refused('its key is unknown, revoked, expired or does not match, or the account is not active', account);
  }
  const signIn = { userId: assertion.clientId, keyId: assertion.keyId, sessionVersion: key.sessionVersion };
  const { address } = scope.db.caller.origin ?? {};
  if (!assertion.ofOlderLine || address === undefined) {
    if (!(await noteUse(scope, assertion, null))) throw usedBefore(assertion);
    return { signIn, accessToken: await issue(signIn) };
  }
  // The row of the used assertion has the token from the start, for a simultaneous repeat.
  const sent = { assertion: jwt, address };
  const accessToken = await issue(signIn);
  if (await noteUse(scope, assertion, sealToken(accessToken, sent))) return { signIn, accessToken };
  const first = await tokenOfFirstUse(scope, assertion, sent);
  if (first === undefined) throw usedBefore(assertion);
  return { signIn, accessToken: first };
}

function usedBefore({ clientId }: Assertion): PorticoError {
  return refused('it was used before; sign a new one, with a jti of its own, for each sign-in', clientId);
}

/**
 * Marks an assertion as used. @param sealed the token, for repeats; null if repeats are refused
 * @returns false when it was used before
 */
async function noteUse(scope: TenantScope, assertion: Assertion, sealed: Buffer | null): Promise<boolean> {
  const used = await scope.db.execute(
    // Zeros: written by a node of the previous version, which identified an assertion by its jti
    // alone.
    `INSERT INTO used_assertions (tenant_id, key_id, jti, iat, exp, expires_at, used_at, sealed_token)
     SELECT a.tenant_id, $2, $3, $4, $5, $6, clock_timestamp(), $7::bytea FROM tenant_versions a
      WHERE a.tenant_id = $1 AND NOT EXISTS (SELECT FROM used_assertions WHERE tenant_id = $1 AND key_id = $2 AND jti = $3 AND iat = 0 AND exp = 0)
     ON CONFLICT DO NOTHING`,
    [
      scope.tenant.id,
      assertion.keyId,
      assertion.jti,
      assertion.issuedAt,
      assertion.expiresAt,
      // Round a fraction of a millisecond up: the row must last at least as long as the assertion
      // is valid.
      new Date(Math.ceil((assertion.expiresAt + CLOCK_SKEW_SECONDS) * 1000)),
      sealed,
    ],
  );
  return used > 0;
}

/**
 * @returns the token of the first use of an assertion; undefined after two seconds by the clock of
 * the database, and for another assertion or address
 */
async function tokenOfFirstUse(scope: TenantScope, assertion: Assertion, sent: Sent): Promise<string | undefined> {
  const [row] = await scope.db.query<{ sealed: Buffer }>(
    `SELECT sealed_token AS sealed FROM used_assertions
      WHERE tenant_id = $1 AND key_id = $2 AND jti = $3 AND iat = $4 AND exp = $5 AND sealed_token IS NOT NULL
        AND used_at > clock_timestamp() - make_interval(secs => $6)`,
    [scope.tenant.id, assertion.keyId, assertion.jti, assertion.issuedAt, assertion.expiresAt, REPEAT_SECONDS],
  );
  return row && openToken(row.sealed, sent);
}

/** Time at which used assertions expire. */
export const assertionsDue: DueWork = { earliest: 'SELECT min(expires_at) FROM used_assertions WHERE tenant_id = $1' };

/** Deletes expired assertions, which can no longer be used. @returns the number */
export async function forgetExpiredAssertions(db: TenantExecutor, now: number): Promise<number> {
  return db.execute('DELETE FROM used_assertions WHERE tenant_id = $1 AND expires_at < $2', [
    db.tenantId,
    new Date(now),
  ]);
}

/**
 * Returns whether an audience is one of a tenant's; `*` before the slash of a tenant's audience
 * matches any vendor.
 */
function isAccepted(audience: string, audiences: readonly string[]): boolean {
  if (audiences.includes(audience)) return true;
  const [vendor, ...rest] = audience.split('/');
  return vendor !== '' && rest.length === 1 && audiences.includes(`*/${rest[0]}`);
}

function readAssertion(jwt: string, audiences: readonly string[], now: number): Assertion {
  const parts = jwt.split('.');
  if (parts.length !== 3) throw refused('it is not a signed JWT');
  const [header, claims] = [parseJson(parts[0]!), parseJson(parts[1]!)];
  if (!header || !claims) throw refused('it is not a signed JWT');
  if (header['alg'] !== 'RS512') throw refused('its alg must be RS512');
  const keyId = header['kid'];
  if (typeof keyId !== 'number' || !Number.isSafeInteger(keyId))
    throw refused('its kid must be private_key_id as a JSON number');
  const clientId = clientIdOf(claims['iss']);
  if (clientId === undefined) throw refused('its iss must be client_id as a JSON number or a string of digits');
  const { iat, exp, jti, aud } = claims;
  if (typeof iat !== 'number' || typeof exp !== 'number') throw refused('iat and exp must be epoch seconds');
  if (exp - iat > MAX_ASSERTION_SECONDS || exp <= iat)
    throw refused(`exp − iat must be between 1 and ${MAX_ASSERTION_SECONDS} seconds`);
  if (iat > now + CLOCK_SKEW_SECONDS) throw refused('its iat lies in the future; check the clock');
  if (exp <= now - CLOCK_SKEW_SECONDS) throw refused('it has expired; check the clock');
  if (typeof claims['nbf'] === 'number' && claims['nbf'] > now + CLOCK_SKEW_SECONDS)
    throw refused('its nbf lies in the future');
  const named = Array.isArray(aud) ? aud : [aud];
  if (!named.some((audience) => typeof audience === 'string' && isAccepted(audience, audiences))) {
    throw refused('its aud is not one of this tenant');
  }
  // Text that the database cannot store would cause a 400, but every invalid assertion returns 401.
  if (typeof jti !== 'string' || jti.length < 8 || jti.length > 128 || storableText(jti) !== jti)
    throw refused('its jti must be a unique text of 8 to 128 characters');
  return {
    keyId,
    clientId,
    ofOlderLine: typeof claims['iss'] === 'string',
    jti,
    issuedAt: iat,
    expiresAt: exp,
    signed: Buffer.from(`${parts[0]}.${parts[1]}`),
    signature: Buffer.from(parts[2]!, 'base64url'),
  };
}

/** @returns the id in `iss`, from a number or its digits; undefined for anything else */
function clientIdOf(iss: unknown): number | undefined {
  const id = typeof iss === 'string' && /^-?(?:0|[1-9]\d{0,15})$/.test(iss) ? Number(iss) : iss;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : undefined;
}

function parseJson(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // not JSON: the caller rejects it
  }
}
