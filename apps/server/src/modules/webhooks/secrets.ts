/** Secrets of webhooks: the address, and the keys that sign messages (Standard Webhooks 1.0.0). */
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { webhookSignatures } from '@portico/contract';
import type { SealedPlace } from '@portico/platform/sealing';

/** Kind of signature. */
export type Signature = (typeof webhookSignatures)[number];

/** Length of a new secret, and of the seed of a new ed25519 key. Bytes. */
const SECRET_BYTES = 32;
/** Prefix of the seed in the PKCS #8 form of an ed25519 key (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns a new secret: the key of HMAC-SHA256, or the seed of an ed25519 key. */
export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Returns the ed25519 key of a seed. */
export function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** Secret as its receiver gets it. */
export interface ShownSecret {
  /** With the prefix `whsec_`; absent with `v1a`, of which the receiver needs the public key alone. */
  readonly secret?: string;
  /** With the prefix `whpk_`. */
  readonly publicKey?: string;
}

/** Returns a secret in the form of Standard Webhooks. */
export function shownSecret(signature: Signature, secret: Buffer): ShownSecret {
  if (signature === 'v1') return { secret: `whsec_${secret.toString('base64')}` };
  const { x } = createPublicKey(privateKeyOf(secret)).export({ format: 'jwk' });
  return { publicKey: `whpk_${Buffer.from(x as string, 'base64url').toString('base64')}` };
}

/** Returns the encryption context of the address of a webhook. */
export function placeOfAddress(tenantId: number, webhookId: number): SealedPlace {
  return { tenantId, table: 'webhooks', column: 'sealed_address', row: webhookId };
}

/** Returns the encryption context of a secret. */
export function placeOfSecret(tenantId: number, secretId: string): SealedPlace {
  return { tenantId, table: 'webhook_secrets', column: 'sealed_secret', row: secretId };
}
