/** Identity providers (OpenID Connect): their settings, and signing in by them. */
export { createIdentityProvider } from './edit-provider.ts';
export { forgetSignInStates } from './identities.repository.ts';
export { ProviderClient } from './provider-client.ts';
export { forgetUnreadableClientSecrets } from './providers.repository.ts';
export { identityProviderHandlers } from './providers.routes.ts';
