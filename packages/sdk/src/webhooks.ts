/** Verifies messages of webhooks (Standard Webhooks 1.0.0), with Web Crypto. */
import { PorticoClientError } from './errors.ts';

/** A message of a webhook. */
export interface WebhookMessage {
  /** Event, such as `post.created`. */
  readonly type: string;
  /** Time of the change, ISO 8601. */
  readonly timestamp: string;
  /** The change; empty for a test. */
  readonly data: {
    /** Number of the change in the stream, by which messages are put in order. */
    readonly number?: number;
    readonly generation?: number;
    readonly postId?: number;
    readonly communityId?: number;
    /** `tooLarge`: the message is thin, since the post exceeds the limit. */
    readonly contents?: 'thin' | 'whole' | 'tooLarge';
    /** The post as lists show it; in whole messages only. */
    readonly post?: Readonly<Record<string, unknown>>;
  };
}

/** A message that is not signed by one of the keys, or too old. Answer it with 401 and ignore it. */
export class WebhookVerificationError extends PorticoClientError {
  override name = 'WebhookVerificationError';
}

/** Headers of a request: of `fetch`, of Node.js, or plain. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options of {@link verify}. */
export interface WebhookOptions {
  /** How far the timestamp may be from the present. Seconds; default 300. */
  readonly toleranceSeconds?: number;
  /** The present in epoch milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

const encoder = new TextEncoder();

/**
 * Verifies a message.
 * @param body of the request exactly as it arrived, before any parser
 * @param keys secrets (`whsec_…`) and public keys (`whpk_…`); one of them must have signed
 * @returns the message
 * @throws WebhookVerificationError
 */
async function verify(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  keys: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now }: WebhookOptions = {},
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('A header of the message is missing.');
  const age = Math.abs(now() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError('The timestamp of the message is too far from the present.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = encoder.encode(`${id}.${timestamp}.${text}`);
  for (const key of Array.isArray(keys) ? (keys as readonly string[]) : [keys as string])
    for (const signature of signatures.split(' ')) if (await isSigned(signed, signature, key)) return JSON.parse(text);
  throw new WebhookVerificationError('No signature of the message fits a key.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const values = Object.entries(headers as Readonly<Record<string, unknown>>);
  const [, value] = values.find(([other]) => other.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : undefined;
}

/** Kinds of signature by the prefix of their keys. */
const KINDS = {
  whsec: { version: 'v1', algorithm: { name: 'HMAC', hash: 'SHA-256' } },
  whpk: { version: 'v1a', algorithm: { name: 'Ed25519' } },
} as const;

async function isSigned(signed: Uint8Array<ArrayBuffer>, signature: string, key: string): Promise<boolean> {
  // Files and terminals leave a line's end after a secret.
  const [prefix, encoded] = key.trim().split('_');
  const kind = KINDS[prefix as keyof typeof KINDS] as (typeof KINDS)[keyof typeof KINDS] | undefined;
  const bytes = kind && encoded !== undefined ? bytesOf(encoded) : undefined;
  if (!kind || !bytes) throw new WebhookVerificationError('A key of a webhook begins with whsec_ or whpk_, in base64.');
  const [version, given] = signature.split(',');
  const proof = given === undefined ? undefined : bytesOf(given);
  if (version !== kind.version || !proof) return false;
  const { subtle } = globalThis.crypto;
  return subtle.verify(
    kind.algorithm,
    await subtle.importKey('raw', bytes, kind.algorithm, false, ['verify']),
    proof,
    signed,
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Verification of messages of webhooks: `await webhooks.verify(body, headers, secret)`. */
export const webhooks = { verify };
