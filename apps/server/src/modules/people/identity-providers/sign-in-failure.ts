/** Reason of a failed sign-in by a provider: a code in the address of the sign-in page. */
type SignInFailureCode =
  /** The provider does not respond, or its response violates OpenID Connect. */
  | 'provider-unavailable'
  /** No enabled provider has this key. */
  | 'unknown-provider'
  /** The sign-in was begun in another browser or too long ago, or has ended before. */
  | 'sign-in-expired'
  /** The person, or the provider, cancelled it. */
  | 'sign-in-cancelled'
  /**
   * The provider's response failed a check, or the person's address is not verified or is outside
   * the allowed domains.
   */
  | 'sign-in-refused'
  /** No account is linked to the identity, and none may be created. */
  | 'unknown-account'
  /** Another account has the contact address of the person. */
  | 'account-exists'
  /** The account may not sign in. */
  | 'account-blocked';

export class SignInFailure extends Error {
  override name = 'SignInFailure';
  readonly code: SignInFailureCode;
  /** Account of the sign-in, if known. */
  readonly account: number | undefined;

  /** @param message for the log; must not contain tokens */
  constructor(code: SignInFailureCode, message: string, options: ErrorOptions & { account?: number | undefined } = {}) {
    super(message, options);
    this.code = code;
    this.account = options.account;
  }
}
