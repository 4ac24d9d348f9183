/** One-time codes by time (RFC 6238) as authenticator apps show them: SHA-1, six digits, a new one every 30 seconds. */
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** Steps before and after the present one whose codes are accepted: clocks differ, and people type. */
const WINDOW = 1;
/** RFC 4226 recommends 160 bits. Bytes. */
const SECRET_BYTES = 20;

/** @returns a new secret */
export function newTotpSecret(): Buffer {
  return Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);
}

function totpOf(secret: Uint8Array, label = '', issuer = ''): TOTP {
  const buffer = new Uint8Array(secret).buffer;
  return new TOTP({ issuer, label, secret: new Secret({ buffer }), period: PERIOD_SECONDS });
}

/** The secret as people type it into an authenticator app (base32), and the address that its QR code holds. */
export function presentTotpSecret(secret: Uint8Array, label: string, issuer: string): { secret: string; uri: string } {
  const totp = totpOf(secret, label, issuer);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/**
 * @param now epoch milliseconds
 * @returns the number of the step of 30 seconds that a code belongs to, or undefined for a wrong code
 */
export function totpStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}
