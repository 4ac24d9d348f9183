/**
 * Checks for addresses, account ids and external ids that belong to another user. The check
 * precedes the write, so that all of them are reported at once with other errors. The unique
 * indexes decide between two concurrent writes; between a user name and an equal address,
 * {@link claimNames} does.
 */

import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { ConstraintError } from '../../../kernel/database-errors.ts';
import { type FieldErrors, ValidationError } from '../../../kernel/errors.ts';
import { peopleTables } from './tables.ts';
import type { UserFields } from './user-fields.ts';

/** Sign-in names: each field, and the column in which no other user may have the same text. */
const NAMES = [
  {
    value: 'contactEmail',
    own: 'contact_email_folded',
    others: 'custom_username_folded',
    error: {
      field: 'contactEmail',
      code: 'DUPLICATE_VALUE',
      message: 'Another user has this e-mail address as user name.',
    },
  },
  {
    value: 'customUsername',
    own: 'custom_username_folded',
    others: 'contact_email_folded',
    error: {
      field: 'userCredentialsConfiguration.custom.username',
      code: 'DUPLICATE_VALUE',
      message: 'This is the e-mail address of another user.',
    },
  },
] as const satisfies readonly { error: ConstraintError; [name: string]: unknown }[];

/**
 * Unique index → the comparison of its column (`@` is the value), in addition to `deleted_at IS
 * NULL`. Compares a stored column by `=`: under row security, PostgreSQL does not use an index for
 * a function of a column.
 */
const USER_INDEXES: Readonly<Record<string, { same: string; value: keyof UserFields }>> = {
  users__tenant_contact_email: { same: 'contact_email_folded = lower(@)', value: 'contactEmail' },
  users__tenant_external_id: { same: 'external_id = @', value: 'externalId' },
  users__tenant_google_account: { same: 'google_account_folded = lower(@)', value: 'googleAccountId' },
  users__tenant_microsoft_account: { same: 'microsoft_account_folded = lower(@)', value: 'microsoftAccountId' },
  users__tenant_custom_username: { same: 'custom_username_folded = lower(@)', value: 'customUsername' },
};

/**
 * Like `USER_INDEXES` for names, whose index is on the other kind's column; `$2` is the user
 * themselves.
 */
const OTHER_NAMES = Object.fromEntries(
  NAMES.map(({ value, own, others, error }) => [
    `name:${value}`,
    {
      same: `${others} = lower(@) AND NOT EXISTS (SELECT FROM users o WHERE o.tenant_id = $1 AND o.id = $2 AND o.${own} = lower(@))`,
      value,
      error,
    },
  ]),
);

const GROUP_INDEXES: Readonly<Record<string, { same: string; value: 'email' | 'externalId' }>> = {
  groups__tenant_email: { same: 'email_folded = lower(@)', value: 'email' },
  groups__tenant_external_id: { same: 'external_id = @', value: 'externalId' },
};

type Named = Partial<Pick<UserFields, 'contactEmail' | 'customUsername'>>;

/**
 * Finds names that cannot be assigned: a user name that is another user's address, or an address
 * that is another user's user name. A name that its holder already has stays, even if an earlier
 * version should have rejected it.
 * @param users with their ids; null for a new one
 * @returns the error of each such name
 */
async function namesTaken(
  tx: TenantExecutor,
  users: readonly { id: number | null; fields: Named }[],
): Promise<ConstraintError[]> {
  const taken: ConstraintError[] = [];
  for (const { value, own, others, error } of NAMES) {
    const asked = users.flatMap(({ id, fields }) => {
      const name = fields[value];
      return name ? [{ id: id ?? 0, name }] : [];
    });
    if (asked.length === 0) continue;
    const rows = await tx.query(
      `SELECT FROM unnest($2::bigint[], $3::text[]) AS a (id, name)
        WHERE EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND u.${others} = lower(a.name) AND u.deleted_at IS NULL AND u.id <> a.id)
          AND NOT EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND u.id = a.id AND u.${own} = lower(a.name))`,
      [tx.tenantId, asked.map(({ id }) => id), asked.map(({ name }) => name)],
    );
    taken.push(...rows.map(() => error));
  }
  return taken;
}

/**
 * Decides between concurrent writes that give a user name to one user and the same text as address
 * to another. Call it before the rows are written; holds a lock of the tenant until the transaction
 * ends.
 * @throws ValidationError (DUPLICATE_VALUE)
 */
export async function claimNames(tx: TenantTx, users: readonly { id: number | null; fields: Named }[]): Promise<void> {
  if (!users.some(({ fields }) => fields.contactEmail || fields.customUsername)) return;
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.names.' || $1, 0))`, [tx.tenantId]);
  const faults = [...(await namesTaken(tx, users)), ...sharedNames(users)];
  if (faults.length > 0)
    throw new ValidationError(faults.map(({ field, code, message }) => ({ field, code, defaultMessage: message })));
}

/** Finds equal names among the users that one write creates. */
function sharedNames(users: readonly { fields: Named }[]): ConstraintError[] {
  const addresses = new Map(users.map(({ fields }, at) => [fields.contactEmail?.toLowerCase(), at]));
  const shared = users.some(({ fields }, at) => {
    const holder = fields.customUsername ? addresses.get(fields.customUsername.toLowerCase()) : undefined;
    return holder !== undefined && holder !== at;
  });
  return shared ? [NAMES[1].error] : [];
}

/**
 * Adds an error (DUPLICATE_VALUE) for each value that another user has, deleted users aside.
 * @param userId the user themselves; null for a new one
 */
export async function checkUserTaken(
  tx: TenantExecutor,
  user: Partial<UserFields>,
  userId: number | null,
  errors: FieldErrors,
): Promise<void> {
  await check(tx, 'users', { ...USER_INDEXES, ...OTHER_NAMES }, user, userId, errors);
}

/** Like `checkUserTaken`, for a group's address and external id. */
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
  indexes: Readonly<Record<string, { same: string; value: keyof V; error?: ConstraintError }>>,
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
             WHERE tenant_id = $1 AND deleted_at IS NULL AND id <> $2 AND ${same.replaceAll('@', `$${at + 3}::text`)})`,
      )
      .join(' UNION ALL '),
    [tx.tenantId, ownId ?? 0, ...asked.map(([, { value }]) => values[value])],
  );
  const constraints: Readonly<Record<string, ConstraintError>> = peopleTables[table].constraints;
  for (const { index } of found) {
    const { field, code, message } = indexes[index]!.error ?? constraints[index]!;
    errors.add(field, code, message);
  }
}
