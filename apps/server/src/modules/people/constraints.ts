/** What clients are told when a unique index of users or groups refuses a value. */
import { type ConstraintError, registerConstraintErrors } from '../../kernel/database-errors.ts';

export const constraintErrors: Readonly<Record<string, ConstraintError>> = {
  users__tenant_contact_email: {
    field: 'contactEmail',
    code: 'DUPLICATE_VALUE',
    message: 'Another user has this e-mail address.',
  },
  users__tenant_external_id: {
    field: 'externalId',
    code: 'DUPLICATE_VALUE',
    message: 'Another user has this external id.',
  },
  users__tenant_google_account: {
    field: 'userCredentialsConfiguration.google.googleAccountId',
    code: 'DUPLICATE_VALUE',
    message: 'This account is linked to another user.',
  },
  users__tenant_microsoft_account: {
    field: 'userCredentialsConfiguration.microsoft.microsoftAccountId',
    code: 'DUPLICATE_VALUE',
    message: 'This account is linked to another user.',
  },
  users__tenant_custom_username: {
    field: 'userCredentialsConfiguration.custom.username',
    code: 'DUPLICATE_VALUE',
    message: 'Another user has this user name.',
  },
  groups__tenant_external_id: {
    field: 'externalId',
    code: 'DUPLICATE_VALUE',
    message: 'Another group has this external id.',
  },
  groups__tenant_email: { field: 'email', code: 'DUPLICATE_VALUE', message: 'Another group has this e-mail address.' },
};

registerConstraintErrors(constraintErrors);
