/** Creation and use of passkeys in the browser. Only the server checks the browser's answers. */

/** Older browsers know passkeys, but not the JSON form of the server's options. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/**
 * @param options from the response of `startPasskey`
 * @returns the input of `confirmPasskey`
 * @throws DOMException if no passkey was created
 */
export async function makePasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
  return JSON.stringify(await navigator.credentials.create({ publicKey }));
}

/**
 * @param options from the response of `startPasskeySignIn`
 * @returns the input of `startSessionByPasskey`
 * @throws DOMException if no passkey was used
 */
export async function answerByPasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
  return JSON.stringify(await navigator.credentials.get({ publicKey }));
}
