/** Signatures of messages (Standard Webhooks 1.0.0). */
import { createHmac, sign } from 'node:crypto';
import { privateKeyOf, type Signature } from '../secrets.ts';

/** Headers of a signed message. */
interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/**
 * Signs a message.
 * @param secrets every secret that signs, the newest first
 * @param at time of the attempt; epoch milliseconds
 */
export function signedHeaders(
  signature: Signature,
  secrets: readonly Buffer[],
  { id, body }: { readonly id: string; readonly body: string },
  at: number,
): SignedHeaders {
  const timestamp = String(Math.floor(at / 1000));
  const signed = Buffer.from(`${id}.${timestamp}.${body}`);
  const signatures = secrets.map((secret) => `${signature},${signWith(signature, secret, signed).toString('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

function signWith(signature: Signature, secret: Buffer, signed: Buffer): Buffer {
  if (signature === 'v1a') return sign(null, signed, privateKeyOf(secret));
  return createHmac('sha256', secret).update(signed).digest();
}
