/**
 * Raw requests, for cases that the client library and the command cannot express: wrong requests,
 * and headers. Signs assertions from the description of the interface alone (RS512, numeric kid and
 * iss); follows no redirects and repeats nothing.
 */
import { createSign, randomUUID } from 'node:crypto';

/** A service account's key file. */
export interface KeyFile {
  type: string;
  private_key_id: number;
  private_key: string;
  client_id: number;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, or undefined if there was none (or none in JSON). */
  body: Json | undefined;
}

/** An object as it came over the wire. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
export type Json = Record<string, any>;

interface Request {
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The two equivalent prefixes. */
export const PREFIXES = ['/portal/api/external/v2', '/portal/api'] as const;

/** Sends requests below one prefix. */
export class RawClient {
  readonly baseUrl: string;
  readonly prefix: string;

  constructor(baseUrl: string, prefix: string = PREFIXES[0]) {
    this.baseUrl = baseUrl.trim().replace(/\/$/, '');
    this.prefix = prefix;
  }

  /** Sends a request unchanged; callers put a token into the headers themselves. */
  async send(method: string, path: string, request: Request = {}): Promise<Answer> {
    const url = new URL(this.baseUrl + this.prefix + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        'User-Agent': 'acceptance/1',
        ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }
}

function parse(text: string): Json | undefined {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // not JSON: the test that cares looks at the text
  }
}

/**
 * The signed assertion by which a service account requests a token.
 * @param changes claims that differ, for refusals
 */
export function assertion(key: KeyFile, changes: Json = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS512', typ: 'JWT', kid: key.private_key_id };
  const claims = {
    iss: key.client_id,
    aud: 'injenia/portal-authenticator',
    iat: now,
    exp: now + 300,
    jti: randomUUID().replaceAll('-', ''),
    ...changes,
  };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = createSign('RSA-SHA512').update(signed).sign(key.private_key).toString('base64url');
  return `${signed}.${signature}`;
}
