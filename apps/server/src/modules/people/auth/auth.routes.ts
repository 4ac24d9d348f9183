/** The operations of signing in, and of the caller's own account. */

import { holds } from '../../../kernel/access/index.ts';
import type { FailureLimit } from '../../../kernel/failure-limit.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Handlers } from '../../../kernel/operations.ts';
import { listMyIdentities, removeMyIdentity } from '../identity-providers/identities.ts';
import { listSignInProviders } from '../identity-providers/read-providers.ts';
import { confirmSession } from '../users/confirm-session.ts';
import { editMyProfile } from '../users/edit-my-profile.ts';
import { caller } from '../users/open-user.ts';
import {
  acceptPasskey,
  confirmPasskey,
  listPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
  startPasskeySignIn,
} from '../users/passkeys.ts';
import { countedLogin } from '../users/password-accounts.ts';
import { sendForgotten, setPassword } from '../users/password-links.ts';
import { presentCurrentUser, presentProfile } from '../users/people.presenter.ts';
import { loadProfileRelations, profileContext } from '../users/profile.ts';
import { acceptPassword, readCredentials } from '../users/sign-in.ts';
import { confirmTotp, getTotp, removeTotp, startTotp } from '../users/totp.ts';
import type { AccessTokens } from './access-tokens.ts';
import { acceptProviderToken, type IdentityProviderConfig } from './identity-provider.ts';
import { acceptAssertion } from './service-account.ts';
import { startSession } from './sessions.ts';

/** Collects the uses of accounts and keys, to be written later. */
interface Accesses {
  note(tenantId: number, userId: number, by: { keyId: number | null }, now: number): void;
}

/** @param revoked counts sign-ins with keys that are revoked or expired */
export function authHandlers(
  tokens: AccessTokens,
  provider: IdentityProviderConfig,
  revoked: FailureLimit,
  accesses: Accesses,
) {
  return {
    createAccessTokenByServiceAccount: async ({ scope, body }) => {
      const { jwtAssertion } = requireFields(scope, body);
      const { signIn, accessToken } = await acceptAssertion(scope, jwtAssertion, revoked, (by) =>
        tokens.issue(scope, by),
      );
      accesses.note(scope.tenant.id, signIn.userId, { keyId: signIn.keyId }, scope.clock.now());
      await tokens.record(scope, signIn);
      return { accessToken };
    },
    createAccessTokenByGoogleOAuth2: async ({ scope, body }) => {
      const { googleOAuth2Token } = requireFields(scope, body);
      return {
        accessToken: await tokens.signIn(scope, await acceptProviderToken(scope, provider, googleOAuth2Token)),
      };
    },
  } satisfies Handlers;
}

/** The operations of the caller's own profile. */
export const ownProfileHandlers = {
  currentUserData: async ({ scope }) => {
    const { defaultLanguage: language, defaultTimezone: timezone } = scope.settings;
    return presentCurrentUser(await caller(scope), { language, timezone }, scope);
  },
  getCurrentUserProfileInfo: async ({ scope }) => {
    const user = await caller(scope);
    const relations = await loadProfileRelations(scope, [user]);
    const manages = holds(scope.actor, 'manageUsers');
    const may = { editProfile: manages, photo: manages };
    return presentProfile(user, profileContext(user, relations, may, scope));
  },
  editMyProfile: ({ scope, body }) => editMyProfile(scope, body ?? {}),
} satisfies Handlers;

/** The operations of the caller's identities at identity providers. */
export const ownIdentityHandlers = {
  listSignInProviders: ({ scope }) => listSignInProviders(scope),
  listMyIdentities: ({ scope }) => listMyIdentities(scope),
  removeMyIdentity: async ({ scope, params }) => {
    await removeMyIdentity(scope, params.identityProviderId);
    return undefined;
  },
} satisfies Handlers;

/** @param failures counts failed sign-ins by the name that was sent; see `ACCOUNT_FAILURES` */
export function signInHandlers(tokens: AccessTokens, failures: FailureLimit) {
  return {
    createAccessTokenByCredentials: async ({ scope, body }) => ({
      accessToken: await tokens.signIn(scope, await acceptPassword(scope, readCredentials(scope, body), failures)),
    }),
    startSession: async ({ scope, body, cookie }) =>
      startSession(scope, await acceptPassword(scope, readCredentials(scope, body), failures), cookie),
    startPasskeySignIn: ({ scope }) => startPasskeySignIn(scope),
    createAccessTokenByPasskey: async ({ scope, body }) => ({
      accessToken: await tokens.signIn(
        scope,
        await acceptPasskey(scope, requireFields(scope, body).credential, failures),
      ),
    }),
    startSessionByPasskey: async ({ scope, body, cookie }) =>
      startSession(scope, await acceptPasskey(scope, requireFields(scope, body).credential, failures), cookie),
    listPasskeys: ({ scope }) => listPasskeys(scope, scope.actor.userId),
    startPasskey: ({ scope, body }) => startPasskey(scope, requireFields(scope, body).password, failures),
    confirmPasskey: ({ scope, body }) => {
      const { name, credential } = requireFields(scope, body);
      return confirmPasskey(scope, name, credential);
    },
    renamePasskey: async ({ scope, params, body }) => {
      await renamePasskey(scope, params.passkeyId, requireFields(scope, body).name);
      return undefined;
    },
    removePasskey: async ({ scope, params, body }) => {
      await removePasskey(scope, params.passkeyId, requireFields(scope, body).password, failures);
      return undefined;
    },
    getTotp: ({ scope }) => getTotp(scope, scope.actor.userId),
    startTotp: ({ scope, body }) => startTotp(scope, body?.password, failures),
    confirmTotp: ({ scope, body }) => confirmTotp(scope, requireFields(scope, body).code, failures),
    confirmSession: async ({ scope, body }) => {
      await confirmSession(scope, body ?? {}, failures);
      return undefined;
    },
    removeTotp: async ({ scope, body }) => {
      await removeTotp(scope, requireFields(scope, body).code, failures);
      return undefined;
    },
  } satisfies Handlers;
}

/**
 * Returns the handlers of link operations without sign-in.
 * @param requests counts requests by the login or link that they name; see `RESET_REQUESTS`
 */
export function passwordLinkHandlers(requests: FailureLimit) {
  return {
    requestPasswordReset: async ({ scope, body, afterAnswer }) => {
      const login = requireFields(scope, body).username.trim();
      const counted = await countedLogin(scope.db, login);
      await requests.check(counted, scope.clock.now());
      await requests.note(counted, scope.clock.now());
      // After the response, so that neither the response nor its time reveals whether the account
      // exists.
      afterAnswer(() => sendForgotten(scope, login));
      return undefined;
    },
    setPasswordByLink: async ({ scope, body }) => {
      return setPassword(scope, requireFields(scope, body));
    },
  } satisfies Handlers;
}
