/** An authenticator in software: makes passkeys (ES256) and signs with them, as a browser hands both on. */
import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Changes that tests make to an answer. */
export interface AnswerOptions {
  /** Origin of the page; default that of the passkey's site. */
  origin?: string;
  /** Whether the owner was verified; default true. */
  verified?: boolean;
  /** Counter to sign instead of the next one. */
  counter?: number;
  userHandle?: string;
  /** Format of the proof of the authenticator; default none. */
  format?: string;
  /** Whether a certificate proves the authenticator. */
  certified?: boolean;
}

/** Key and certificate of makers of authenticators that nobody trusts. */
const MAKER_KEY = Buffer.from(
  [
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzfAek33NVzZI+tSfUiqApikQiwqh6/b8/RpwopNQ82',
    '2hRANCAATuSGvXYIJSm0AIy4qnY+02dPUKGhB/llrijmfx+WywJCViwNPX1gQClZt73x9cEIzUT0NCoiI4AYXYgDpO',
    'ApjS',
  ].join(''),
  'base64',
);
const MAKER_CERTIFICATE = Buffer.from(
  [
    'MIIBxDCCAWqgAwIBAgIBATAKBggqhkjOPQQDAjBSMQswCQYDVQQGEwJJVDEQMA4GA1UECgwHUG9ydGljbzEiMCAGA1',
    'UECwwZQXV0aGVudGljYXRvciBBdHRlc3RhdGlvbjENMAsGA1UEAwwEVGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTI1',
    'MDEwMTAwMDAwMFowUjELMAkGA1UEBhMCSVQxEDAOBgNVBAoMB1BvcnRpY28xIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3',
    'IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATuSGvXYIJSm0AIy4qn',
    'Y+02dPUKGhB/llrijmfx+WywJCViwNPX1gQClZt73x9cEIzUT0NCoiI4AYXYgDpOApjSoy8wLTAMBgNVHRMBAf8EAj',
    'AAMB0GA1UdDgQWBBTn+e7gK2rgCtS/RJEnNWU8ZlaXLjAKBggqhkjOPQQDAgNIADBFAiEA7OHm0xYsASQhB+pG5UFs',
    '+5k+8a1SJExfmCBBJVYlQSoCIG7bjxFuPFoFjumHDSgK0g0uxYoQ8LUcrN0DhDbZmXhJ',
  ].join(''),
  'base64',
);

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');

/** CBOR of 24 bytes or more. */
const bytes = (data: Buffer) =>
  Buffer.concat([
    data.length < 256 ? Buffer.of(0x58, data.length) : Buffer.of(0x59, data.length >> 8, data.length & 255),
    data,
  ]);
const word = (text: string) => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)]);

export class SoftPasskey {
  readonly id = randomBytes(32);
  readonly #address: string;
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  #counter = 0;
  #userHandle = '';

  /** @param address of the site, without trailing slash */
  constructor(address: string) {
    this.#address = address;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}.
    this.#publicKey = Buffer.concat([
      Buffer.from('a5010203262001', 'hex'),
      Buffer.of(0x21),
      bytes(Buffer.from(x as string, 'base64url')),
      Buffer.of(0x22),
      bytes(Buffer.from(y as string, 'base64url')),
    ]);
  }

  /** Answers creation options. @param options JSON @returns the credential in JSON */
  make(options: string, changes: AnswerOptions = {}): string {
    const { challenge, user } = JSON.parse(options);
    this.#userHandle = user.id;
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.of(0, this.id.length), this.id, this.#publicKey]);
    const data = Buffer.concat([this.#data(HAS_CREDENTIAL, changes), credential]);
    const attestationObject = Buffer.concat([
      Buffer.of(0xa3),
      ...[word('fmt'), word(changes.format ?? 'none'), word('attStmt'), this.#proof(data, challenge, changes)],
      ...[word('authData'), bytes(data)],
    ]);
    return this.#credential({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge, changes)),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    });
  }

  /** A statement about the authenticator: a signature of its new key, or of its maker's. */
  #proof(data: Buffer, challenge: string, changes: AnswerOptions): Buffer {
    const { format = 'none', certified = false } = changes;
    if (format === 'none') return Buffer.of(0xa0);
    const clientData = this.#clientData('webauthn.create', challenge, changes);
    const key = certified ? createPrivateKey({ key: MAKER_KEY, format: 'der', type: 'pkcs8' }) : this.#key;
    const members = [
      ...[word('alg'), Buffer.of(0x26)],
      ...[word('sig'), bytes(sign('sha256', Buffer.concat([data, sha256(clientData)]), key))],
    ];
    if (certified) members.push(word('x5c'), Buffer.of(0x81), bytes(MAKER_CERTIFICATE));
    return Buffer.concat([Buffer.of(certified ? 0xa3 : 0xa2), ...members]);
  }

  /** Answers request options. @param options JSON @returns the credential in JSON */
  use(options: string, changes: AnswerOptions = {}): string {
    const { challenge } = JSON.parse(options);
    const clientData = this.#clientData('webauthn.get', challenge, changes);
    this.#counter = changes.counter ?? this.#counter + 1;
    const data = this.#data(0, changes);
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#key)),
      userHandle: changes.userHandle ?? this.#userHandle,
    });
  }

  #data(flags: number, { verified = true }: AnswerOptions): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const site = sha256(new URL(this.#address).hostname);
    return Buffer.concat([site, Buffer.of(flags | PRESENT | (verified ? VERIFIED : 0)), counter]);
  }

  #clientData(type: string, challenge: string, { origin = this.#address }: AnswerOptions): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false });
  }

  #credential(response: object): string {
    const id = base64url(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }
}
