/** Passkeys as browsers make and use them. What they answer is checked by the server alone. */

/** Older browsers know passkeys, but not the form in which the server sends their options. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** @param options as `startPasskey` answers  @returns what `confirmPasskey` takes  @throws DOMException where nothing was made */
export async function makePasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
  return JSON.stringify(await navigator.credentials.create({ publicKey }));
}

/** @param options as `startPasskeySignIn` answers  @returns what `startSessionByPasskey` takes  @throws DOMException where none was used */
export async function answerByPasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
  return JSON.stringify(await navigator.credentials.get({ publicKey }));
}
