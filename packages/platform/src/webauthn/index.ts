/**
 * Passkeys (WebAuthn): the options for browsers, and the check of the answers of authenticators.
 * User verification is required.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';

/** The site that passkeys are made for. */
export interface PasskeySite {
  /** `https://host[:port]`, without trailing slash: the origin of its pages. */
  address: string;
  name: string;
}

interface PasskeyUser {
  /** At most 64 bytes. */
  handle: string;
  name: string;
}

/** A passkey as its owner made it. */
export interface MadePasskey {
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  synced: boolean;
}

/** Stored part of a passkey, to check its answers. */
export type KeptPasskey = Pick<MadePasskey, 'credentialId' | 'publicKey' | 'counter'>;

/** A passkey that has signed a challenge. */
export type PasskeyUse = Pick<MadePasskey, 'counter' | 'synced'>;

/** Whether the signed challenge was issued for this purpose. @param challenge as it was issued */
type Accepts = (challenge: string) => boolean;

const hostOf = (site: PasskeySite) => new URL(site.address).hostname;
const TIMEOUT_MS = 300_000;
/** COSE numbers of the signatures that are accepted: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded when it is first used: it brings 300 modules, which other processes do without. */
const loadLibrary = () => import('@simplewebauthn/server');

/**
 * Whether an answer proves its authenticator by certificates. They are not asked for, and to check
 * them, the library calls addresses that they name.
 */
async function bringsCertificates(response: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const format = attestation.get('fmt');
  return format !== 'none' && (format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined);
}

/** Options of `navigator.credentials.create` in JSON. @param existing ids of credentials that are not to be made again */
export async function passkeyCreationOptions(
  site: PasskeySite,
  user: PasskeyUser,
  challenge: string,
  existing: readonly string[],
): Promise<string> {
  const library = await loadLibrary();
  const options = await library.generateRegistrationOptions({
    rpName: site.name,
    rpID: hostOf(site),
    userID: new Uint8Array(Buffer.from(user.handle)),
    userName: user.name,
    userDisplayName: user.name,
    challenge: new Uint8Array(Buffer.from(challenge)),
    timeout: TIMEOUT_MS,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return JSON.stringify(options);
}

/** Options of `navigator.credentials.get` in JSON, for any passkey of the site. */
export async function passkeyRequestOptions(site: PasskeySite, challenge: string): Promise<string> {
  const library = await loadLibrary();
  const options = await library.generateAuthenticationOptions({
    rpID: hostOf(site),
    challenge: new Uint8Array(Buffer.from(challenge)),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  });
  return JSON.stringify(options);
}

/** @param text the answer of `navigator.credentials.create` in JSON @returns undefined for any other text */
export async function verifyMadePasskey(
  site: PasskeySite,
  text: string,
  accepts: Accepts,
): Promise<MadePasskey | undefined> {
  const library = await loadLibrary();
  try {
    const response = JSON.parse(text) as RegistrationResponseJSON;
    if (await bringsCertificates(response)) return undefined;
    const { registrationInfo: made } = await library.verifyRegistrationResponse({
      response,
      expectedChallenge: (given) => accepts(textOf(given)),
      expectedOrigin: site.address,
      expectedRPID: hostOf(site),
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: true,
    });
    if (!made) return undefined;
    const { id, publicKey, counter, transports = [] } = made.credential;
    return {
      credentialId: id,
      publicKey,
      counter,
      transports: transports.filter((transport) => /^[a-z-]{1,20}$/.test(transport)).slice(0, 10),
      synced: made.credentialBackedUp,
    };
  } catch {
    return undefined; // the library and the parser throw one error per reason; callers are told none of them
  }
}

/**
 * Returns the id of the passkey that a text names as its maker, without a check. @returns undefined
 * if it names none
 */
export function namedCredential(text: string): string | undefined {
  try {
    const { id } = JSON.parse(text) as { id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined; // no JSON, or no object
  }
}

/** @param text the answer of `navigator.credentials.get` in JSON @returns undefined for any other text */
export async function verifyPasskeyUse(
  site: PasskeySite,
  passkey: KeptPasskey,
  handle: string,
  text: string,
  accepts: Accepts,
): Promise<PasskeyUse | undefined> {
  const library = await loadLibrary();
  try {
    const response = JSON.parse(text) as AuthenticationResponseJSON;
    if (textOf(response.response.userHandle ?? '') !== handle) return undefined;
    const credential: WebAuthnCredential = {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    };
    const { verified, authenticationInfo: use } = await library.verifyAuthenticationResponse({
      response,
      expectedChallenge: (given) => accepts(textOf(given)),
      expectedOrigin: site.address,
      expectedRPID: hostOf(site),
      credential,
      requireUserVerification: true,
    });
    return verified ? { counter: use.newCounter, synced: use.credentialBackedUp } : undefined;
  } catch {
    return undefined; // as for a passkey that is made
  }
}

function textOf(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString();
}
