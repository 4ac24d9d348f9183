/** The operations about service accounts. */
import type { Handlers } from '../../../kernel/operations.ts';
import { giveServiceAccountKey, withdrawServiceAccountKey } from '../../people/index.ts';
import { addServiceAccount, editServiceAccount } from './edit-service-account.ts';
import { getServiceAccountForEdit, listServiceAccounts } from './read-service-accounts.ts';

export const serviceAccountHandlers = {
  listServiceAccounts: ({ scope, body }) => listServiceAccounts(scope, body ?? {}),
  getServiceAccountForEdit: ({ scope, params }) => getServiceAccountForEdit(scope, params.serviceAccountId),
  createServiceAccount: ({ scope, body }) => addServiceAccount(scope, body ?? {}),
  editServiceAccount: ({ scope, params, body }) => editServiceAccount(scope, params.serviceAccountId, body ?? {}),
  createServiceAccountKey: async ({ scope, params, body }) => {
    const keyFile = await giveServiceAccountKey(scope, params.serviceAccountId, body ?? {});
    return { keyId: keyFile.private_key_id, keyFile };
  },
  revokeServiceAccountKey: async ({ scope, params: { serviceAccountId: userId, keyId } }) => {
    await withdrawServiceAccountKey(scope, keyId, { userId });
    return { userId, keyId };
  },
} satisfies Handlers;
