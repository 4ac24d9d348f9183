/** SQL of the tables of users: complete rows, inserted in batches, updated under their token. */

import { takeIds } from '@portico/platform/db/take-ids';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import { claimNames } from './uniqueness.ts';
import { endsSessions, newUser, type UserFields, userColumns, userDocuments, userKeys } from './user-fields.ts';
import { type UserViewRow, userViewColumns } from './views.ts';

/** A unit of the organisation as a row carries it. */
export interface UnitRow {
  id: number;
  name: string;
  externalId: string | null;
  description: string | null;
}

/** A user with everything that forms, profile and administrative list show. */
export interface UserRow extends UserFields, UserViewRow {
  version: number;
  credentialsVersion: number;
  hasPassword: boolean;
  termsAcceptedAt: number | null;
  createdAt: number;
  modifiedAt: number;
  modifiedBy: number | null;
  credentialsModifiedAt: number;
  credentialsModifiedBy: number | null;
  lastAccessAt: number | null;
  erasedAt: number | null;
  area: UnitRow | null;
  businessUnit: UnitRow | null;
}

const fieldNames = Object.keys(userColumns) as (keyof UserFields)[];

function unitSql(alias: string): string {
  return `CASE WHEN ${alias}.id IS NOT NULL THEN jsonb_build_object('id', ${alias}.id, 'name', ${alias}.name,
    'externalId', ${alias}.external_id, 'description', ${alias}.description) END`;
}

/** Columns of {@link UserRow}; needs {@link userRowJoins}. */
export const userRowColumns = `${userViewColumns('u')},
  ${fieldNames.map((name) => `u.${userColumns[name][0]} AS "${name}"`).join(', ')},
  u.version, u.credentials_version AS "credentialsVersion", u.password_hash IS NOT NULL AS "hasPassword",
  u.terms_accepted_at AS "termsAcceptedAt", u.created_at AS "createdAt", u.modified_at AS "modifiedAt",
  u.modified_by AS "modifiedBy", u.credentials_modified_at AS "credentialsModifiedAt",
  u.credentials_modified_by AS "credentialsModifiedBy", u.last_access_at AS "lastAccessAt",
  u.erased_at AS "erasedAt",
  ${unitSql('area')} AS area, ${unitSql('unit')} AS "businessUnit"`;

/** Joins that {@link userRowColumns} and the orders by unit need. */
export const userRowJoins = `LEFT JOIN areas area ON area.tenant_id = u.tenant_id AND area.id = u.area_id
  LEFT JOIN business_units unit ON unit.tenant_id = u.tenant_id AND unit.id = u.business_unit_id`;

/** Returns a user, also a deleted one; undefined if the tenant has no user with this id. */
export async function readUser(db: TenantExecutor, userId: number): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>(
    `SELECT ${userRowColumns} FROM users u ${userRowJoins} WHERE u.tenant_id = $1 AND u.id = $2`,
    [db.tenantId, userId],
  );
  return row;
}

/** Author and time of a write. */
export interface Writing {
  readonly tx: TenantTx;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The acting user; null when the tenant has no user yet. */
  readonly by: number | null;
}

/** New user. */
export interface NewUserRow extends UserFields {
  passwordHash?: string | null;
  /** Epoch milliseconds; default: the time of the write. */
  createdAt?: number;
}

/**
 * Inserts users, in a fixed number of statements.
 * @returns their ids, in the order given
 * @throws ValidationError for a sign-in name that belongs to another user
 */
export async function insertUsers(writing: Writing, users: readonly NewUserRow[]): Promise<number[]> {
  if (users.length === 0) return [];
  const { tx, now, by } = writing;
  await claimNames(
    tx,
    users.map((fields) => ({ id: null, fields })),
  );
  const ids = await takeIds(tx, 'users', users.length);
  const columns = [...fieldNames.map((name) => userColumns[name][0])];
  const types = fieldNames.map((name) => `"${name}" ${userColumns[name][1]}`).join(', ');
  await tx.createAs(
    'users',
    ids,
    `INSERT INTO users (tenant_id, id, ${columns.join(', ')}, password_hash,
        last_key, first_key, email_key, external_key, role_key, place_key,
        created_at, modified_at, modified_by, credentials_modified_at, credentials_modified_by, imported_at)
     SELECT a.tenant_id, r.id, ${fieldNames.map((name) => `r."${name}"`).join(', ')}, r."passwordHash",
        r."lastKey", r."firstKey", r."emailKey", r."externalKey", r."roleKey", r."placeKey",
        coalesce(to_timestamp(r."createdAt" / 1000.0), $3), $3, $4, $3, $4, CASE WHEN r.imported THEN $3 END
       FROM tenant_versions a, jsonb_to_recordset($2::jsonb) AS r(id bigint, ${types}, "passwordHash" text, "lastKey" text, "firstKey" text,
         "emailKey" text, "externalKey" text, "roleKey" text, "placeKey" text, "createdAt" bigint, imported boolean)
      WHERE a.tenant_id = $1`,
    [
      tx.tenantId,
      JSON.stringify(users.map((user, index) => ({ ...user, ...userKeys(user), id: ids[index] }))),
      new Date(now),
      by,
    ],
  );
  await saveDocuments(
    tx,
    users.map((user, index) => ({ id: ids[index]!, user })),
  );
  return ids;
}

/** Precondition of a change of a user. */
export interface Guard {
  /** Token that must be the current one, and which of the two it is; the change raises it. */
  token: 'version' | 'credentials_version';
  expected?: number;
}

/**
 * Updates a user that is not deleted, and ends their sessions if the change requires it
 * ({@link endsSessions}).
 * @param current the row as read in this transaction
 * @param passwordHash undefined keeps the password, null removes it
 * @returns the new token, or undefined when the guard's token was not the current one (or the user
 * no longer exists)
 */
export async function updateUser(
  writing: Writing,
  current: UserRow,
  patch: Partial<UserFields>,
  guard: Guard,
  passwordHash?: string | null,
): Promise<number | undefined> {
  const { tx, now, by } = writing;
  const renamed = (['contactEmail', 'customUsername'] as const).filter(
    (name) => name in patch && patch[name] !== current[name],
  );
  await claimNames(tx, [{ id: current.id, fields: Object.fromEntries(renamed.map((name) => [name, patch[name]])) }]);
  const next: UserFields = { ...current, ...patch };
  const keys = userKeys(next);
  const values: unknown[] = [tx.tenantId, current.id, new Date(now), by, guard.expected ?? null];
  const set = (column: string, value: unknown) => `${column} = $${values.push(value)}`;
  const assignments = (Object.keys(patch) as (keyof UserFields)[]).map((name) =>
    set(userColumns[name][0], patch[name]),
  );
  if (passwordHash !== undefined) assignments.push(set('password_hash', passwordHash));
  if (endsSessions(current, patch, passwordHash !== undefined))
    assignments.push('session_version = session_version + 1');
  assignments.push(
    set('last_key', keys.lastKey),
    set('first_key', keys.firstKey),
    set('email_key', keys.emailKey),
    set('external_key', keys.externalKey),
    set('role_key', keys.roleKey),
    set('place_key', keys.placeKey),
  );
  const stamp = guard.token === 'version' ? 'modified' : 'credentials_modified';
  const [row] = await tx.changeRows<{ token: number }>(
    'users',
    [current.id],
    `UPDATE users SET ${assignments.join(', ')}, ${stamp}_at = $3, ${stamp}_by = $4, ${guard.token} = ${guard.token} + 1
      WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL AND ($5::bigint IS NULL OR ${guard.token} = $5)
      RETURNING ${guard.token} AS token`,
    values,
  );
  if (row) await saveDocuments(tx, [{ id: current.id, user: next }]);
  return row?.token;
}

/**
 * Removes the personal data of a user, also of a deleted one: names, addresses, accounts, password,
 * photo, profile. Ends all sessions.
 */
export async function eraseProfile({ tx, now, by }: Writing, userId: number): Promise<void> {
  const nobody = newUser('Erased', 'user');
  const keys = userKeys(nobody);
  const values: unknown[] = [tx.tenantId, userId, new Date(now), by];
  const set = (column: string, value: unknown) => `${column} = $${values.push(value)}`;
  await tx.sendChange(
    'users',
    [userId],
    `UPDATE users SET ${fieldNames.map((name) => set(userColumns[name][0], nobody[name])).join(', ')},
        ${set('last_key', keys.lastKey)}, ${set('first_key', keys.firstKey)},
        email_key = NULL, external_key = NULL, role_key = NULL, place_key = NULL, password_hash = NULL,
        google_photo_url = NULL, microsoft_photo_url = NULL, terms_accepted_at = NULL, last_access_at = NULL,
        deleted_at = coalesce(deleted_at, $3), erased_at = $3, erasure_pending = true,
        version = version + 1, credentials_version = credentials_version + 1, session_version = session_version + 1,
        modified_at = $3, modified_by = $4, credentials_modified_at = $3, credentials_modified_by = $4
      WHERE tenant_id = $1 AND id = $2`,
    values,
  );
  await saveDocuments(tx, [{ id: userId, user: nobody }]);
}

/** Erased people whose rows are still to be removed. */
export const erasureDue: DueWork = { waiting: 'SELECT FROM users WHERE tenant_id = $1 AND erasure_pending' };

/** Records that no rows of an erased person are left to remove. */
export async function finishErasure(tx: TenantTx, userId: number): Promise<void> {
  await tx.send('UPDATE users SET erasure_pending = false WHERE tenant_id = $1 AND id = $2', [tx.tenantId, userId]);
}

async function saveDocuments(tx: TenantExecutor, users: readonly { id: number; user: UserFields }[]): Promise<void> {
  await tx.execute(
    `INSERT INTO user_search (tenant_id, user_id, doc, role_doc, place_doc, external_doc, personal_doc, provider_doc,
       caption_doc)
     SELECT a.tenant_id, r.id, r."doc", r."roleDoc", r."placeDoc", r."externalDoc", r."personalDoc", r."providerDoc",
            r."captionDoc"
       FROM tenant_versions a, jsonb_to_recordset($2::jsonb) AS r(id bigint, "doc" text, "roleDoc" text, "placeDoc" text, "externalDoc" text,
         "personalDoc" text, "providerDoc" text, "captionDoc" text)
      WHERE a.tenant_id = $1
     ON CONFLICT (tenant_id, user_id) DO UPDATE SET doc = excluded.doc, role_doc = excluded.role_doc,
       place_doc = excluded.place_doc, external_doc = excluded.external_doc, personal_doc = excluded.personal_doc,
       provider_doc = excluded.provider_doc, caption_doc = excluded.caption_doc`,
    [tx.tenantId, JSON.stringify(users.map(({ id, user }) => ({ id, ...userDocuments(user) })))],
  );
}

/** Ends every sign-in of users, on every node: their tokens are refused from the next request on. */
export async function endSessions(tx: TenantTx, userIds: readonly number[]): Promise<void> {
  await tx.sendChange(
    'users',
    userIds,
    'UPDATE users SET session_version = session_version + 1 WHERE tenant_id = $1 AND id = ANY ($2::bigint[])',
    [tx.tenantId, userIds],
  );
}

/**
 * Blocks users and ends their sessions, or unblocks them.
 * @param userIds users in the other state
 * @returns the new tokens of their forms, by id
 */
export async function updateBlocked(
  { tx, now, by }: Writing,
  userIds: readonly number[],
  blocked: boolean,
): Promise<Map<number, number>> {
  const rows = await tx.changeRows<{ id: number; token: number }>(
    'users',
    userIds,
    `UPDATE users SET blocked = $3, modified_at = $4, modified_by = $5, version = version + 1,
            session_version = session_version + CASE WHEN $3 THEN 1 ELSE 0 END
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL RETURNING id, version AS token`,
    [tx.tenantId, userIds, blocked, new Date(now), by],
  );
  return new Map(rows.map(({ id, token }) => [id, token]));
}

/** The facts about an account that bulk changes read. */
export interface AccountState {
  version: number;
  blocked: boolean;
  systemAccount: boolean;
  breakGlass: boolean;
}

/** Returns the users that are not deleted, by id. */
export async function readAccounts(tx: TenantExecutor, ids: readonly number[]): Promise<Map<number, AccountState>> {
  const rows = await tx.query<AccountState & { id: number }>(
    `SELECT id, version, blocked, system_account AS "systemAccount", break_glass AS "breakGlass" FROM users
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL`,
    [tx.tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the ids of existing users who are not deleted. */
export async function existingUsers(tx: TenantExecutor, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: number }>(
    `SELECT id FROM users WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND deleted_at IS NULL`,
    [tx.tenantId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

/** Returns whether the tenant has this area or business unit. */
export async function unitExists(tx: TenantExecutor, table: 'areas' | 'business_units', id: number): Promise<boolean> {
  const rows = await tx.query(`SELECT FROM ${table} WHERE tenant_id = $1 AND id = $2`, [tx.tenantId, id]);
  return rows.length === 1;
}

/** Returns whether a user exists and is not deleted. */
export async function userExists(tx: TenantExecutor, id: number): Promise<boolean> {
  const rows = await tx.query('SELECT FROM users WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL', [
    tx.tenantId,
    id,
  ]);
  return rows.length === 1;
}
