/** Why a sign-in by a provider failed: a code in the address of the sign-in page. */
type SignInFailureCode =
  /** The provider does not answer, or its answer is not one of OpenID Connect. */
  | 'provider-unavailable'
  /** No provider of this key is enabled. */
  | 'unknown-provider'
  /** The sign-in was begun in another browser, too long ago, or ended before. */
  | 'sign-in-expired'
  /** The person, or the provider, ended it. */
  | 'sign-in-cancelled'
  /** The provider's answer failed a check, or the address of the person is not verified or is of another domain. */
  | 'sign-in-refused'
  /** No account is linked to the identity, and none is made. */
  | 'unknown-account'
  /** Another account has the contact address of the person. */
  | 'account-exists'
  /** The account may not sign in. */
  | 'account-blocked';

export class SignInFailure extends Error {
  override name = 'SignInFailure';
  readonly code: SignInFailureCode;
  /** The account that was to be signed in, where it is known. */
  readonly account: number | undefined;

  /** @param message for the log: never a token */
  constructor(code: SignInFailureCode, message: string, options: ErrorOptions & { account?: number | undefined } = {}) {
    super(message, options);
    this.code = code;
    this.account = options.account;
  }
}
