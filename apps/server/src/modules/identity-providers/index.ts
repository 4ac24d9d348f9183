/** Identity providers (OpenID Connect): their settings, and signing in by them. */
export { createIdentityProvider } from './edit-provider.ts';
export { forgetSignInStates, signInStatesDue } from './identities.repository.ts';
export { loadProviderClient } from './load-provider-client.ts';
export type { ProviderClient } from './provider-client.ts';
export { forgetUnreadableClientSecrets } from './providers.repository.ts';
export { identityProviderHandlers } from './providers.routes.ts';
export { PROVIDERS_PATH } from './redirect-uri.ts';
export { beginSignIn, finishSignIn, SIGN_IN_MS, START_PAGE } from './sign-in.ts';
export { SignInFailure } from './sign-in-failure.ts';
