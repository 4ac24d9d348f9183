/**
 * Addresses, account ids and external ids that belong to another user: checked before the write, so that all of them
 * are reported at once with the other errors. The unique indexes decide between two writes at the same moment.
 */
import type { ConstraintError } from '../../kernel/database-errors.ts';
import type { TenantExecutor } from '../../platform/db/tenant-db.ts';
import type { FieldErrors } from './people.policy.ts';
import { peopleTables } from './tables.ts';
import type { UserFields } from './user-fields.ts';

/**
 * Unique index → the comparison of its column (`@` is the value), beside `deleted_at IS NULL`. Plain `=` on a stored column:
 * a function of one would never be looked up in an index under row security.
 */
const USER_INDEXES: Readonly<Record<string, { same: string; value: keyof UserFields }>> = {
  users__tenant_contact_email: { same: 'contact_email_folded = lower(@)', value: 'contactEmail' },
  users__tenant_external_id: { same: 'external_id = @', value: 'externalId' },
  users__tenant_google_account: { same: 'google_account_folded = lower(@)', value: 'googleAccountId' },
  users__tenant_microsoft_account: { same: 'microsoft_account_folded = lower(@)', value: 'microsoftAccountId' },
  users__tenant_custom_username: { same: 'custom_username_folded = lower(@)', value: 'customUsername' },
};

const GROUP_INDEXES: Readonly<Record<string, { same: string; value: 'email' | 'externalId' }>> = {
  groups__tenant_email: { same: 'email_folded = lower(@)', value: 'email' },
  groups__tenant_external_id: { same: 'external_id = @', value: 'externalId' },
};

/**
 * Adds an error (DUPLICATE_VALUE) for each value of a user that another one, not deleted, has.
 * @param userId the user themselves; null for a new one
 */
export function checkUserTaken(
  tx: TenantExecutor,
  user: Partial<UserFields>,
  userId: number | null,
  errors: FieldErrors,
): Promise<void> {
  return check(tx, 'users', USER_INDEXES, user, userId, errors);
}

/** The same for a group's address and external id. */
export function checkGroupTaken(
  tx: TenantExecutor,
  group: { email: string | null; externalId: string | null },
  groupId: number | null,
  errors: FieldErrors,
): Promise<void> {
  return check(tx, 'groups', GROUP_INDEXES, group, groupId, errors);
}

async function check<V extends object>(
  tx: TenantExecutor,
  table: 'users' | 'groups',
  indexes: Readonly<Record<string, { same: string; value: keyof V }>>,
  values: V,
  ownId: number | null,
  errors: FieldErrors,
): Promise<void> {
  const asked = Object.entries(indexes).filter(([, { value }]) => (values[value] ?? null) !== null);
  if (asked.length === 0) return;
  const found = await tx.query<{ index: string }>(
    asked
      .map(
        ([index, { same }], at) =>
          `SELECT '${index}' AS index WHERE EXISTS (SELECT FROM ${table}
             WHERE tenant_id = $1 AND deleted_at IS NULL AND id <> $2 AND ${same.replace('@', `$${at + 3}::text`)})`,
      )
      .join(' UNION ALL '),
    [tx.tenantId, ownId ?? 0, ...asked.map(([, { value }]) => values[value])],
  );
  const constraints: Readonly<Record<string, ConstraintError>> = peopleTables[table].constraints;
  for (const { index } of found) {
    const { field, code, message } = constraints[index]!;
    errors.add(field, code, message);
  }
}
