/** Signing in as a client does. */
import { randomUUID, sign } from 'node:crypto';

export interface KeyFile {
  private_key_id: number;
  private_key: string;
  client_id: number;
}

/** Body of the token exchange: an assertion that was never used before. */
export function assertionBody(key: KeyFile): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const unsigned = `${encode({ alg: 'RS512', typ: 'JWT', kid: key.private_key_id })}.${encode({ iss: key.client_id, aud: 'portico/portal-authenticator', iat: now, exp: now + 300, jti: randomUUID().replaceAll('-', '') })}`;
  const jwtAssertion = `${unsigned}.${sign('RSA-SHA512', Buffer.from(unsigned), key.private_key).toString('base64url')}`;
  return JSON.stringify({ jwtAssertion });
}

/** Path of the token exchange. */
export const TOKEN_PATH = '/portal/api/core/auth/create-access-token-by-service-account';
