/** SQL of the import of people. Each statement is about all rows of a file. */
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { normaliseText } from '@portico/platform/text';
import type { UnitTable } from './units.repository.ts';

/** Existing user with the texts that identify them; address and user name in lower case. */
export interface PresentUser {
  id: number;
  externalId: string | null;
  email: string | null;
  username: string | null;
}

/** Users that have one of these; addresses and user names in lower case. */
export async function presentUsers(
  tx: TenantExecutor,
  known: { externalIds: readonly string[]; emails: readonly string[]; usernames: readonly string[] },
): Promise<PresentUser[]> {
  const by = (column: string, parameter: number) =>
    `SELECT id FROM users WHERE tenant_id = $1 AND deleted_at IS NULL AND ${column} = ANY ($${parameter}::text[])`;
  return tx.query<PresentUser>(
    `SELECT id, external_id AS "externalId", contact_email_folded AS email, custom_username_folded AS username
       FROM users WHERE tenant_id = $1 AND id IN (
         ${by('external_id', 2)} UNION ${by('contact_email_folded', 3)} UNION ${by('custom_username_folded', 4)})`,
    [tx.tenantId, known.externalIds, known.emails, known.usernames],
  );
}

/**
 * Returns units by their external id and by their normalised name: all units with one of these
 * texts as either.
 */
export async function knownUnits(
  tx: TenantExecutor,
  table: UnitTable,
  texts: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: number; key: string; externalId: string | null }>(
    `SELECT id, name_key AS key, external_id AS "externalId" FROM ${table}
      WHERE tenant_id = $1 AND (name_key = ANY ($2::text[]) OR external_id = ANY ($3::text[])) ORDER BY id DESC FOR SHARE`,
    [tx.tenantId, texts.map((text) => normaliseText(text).trim()), texts],
  );
  return new Map([
    ...rows.map(({ key, id }) => [key, id] as const),
    ...rows.flatMap(({ externalId, id }) => (externalId === null ? [] : [[externalId, id] as const])),
  ]);
}

/** Sets the managers of users created in this transaction. */
export async function setManagers(
  tx: TenantTx,
  reports: readonly { userId: number; managerId: number }[],
): Promise<void> {
  if (reports.length === 0) return;
  await tx.send(
    `UPDATE users u SET manager_id = r.manager
       FROM (SELECT m.user_id, m.manager FROM unnest($2::bigint[], $3::bigint[]) AS m (user_id, manager)) r
      WHERE u.tenant_id = $1 AND u.id = r.user_id`,
    [tx.tenantId, reports.map(({ userId }) => userId), reports.map(({ managerId }) => managerId)],
  );
}
