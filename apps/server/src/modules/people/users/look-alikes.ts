/** Finds accounts whose user names look like other user names. */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { readAsAscii } from '@portico/platform/text';
import type { UserRow } from './users.repository.ts';

/**
 * Finds user names that look like the user names of the given accounts, because letters beyond
 * ASCII replace others. Runs no statement if no user name has such letters.
 * @returns the user name of the other account, by the id of the account that looks like it
 */
export async function loadLookAlikes(
  db: TenantExecutor,
  users: readonly Pick<UserRow, 'id' | 'customUsername' | 'deleted'>[],
): Promise<Map<number, string>> {
  const read = new Map<number, string>();
  for (const { id, customUsername, deleted } of users) {
    const folded = customUsername?.toLowerCase();
    if (folded === undefined || deleted) continue;
    const asAscii = readAsAscii(folded);
    if (asAscii !== folded) read.set(id, asAscii);
  }
  if (read.size === 0) return new Map();
  const others = await db.query<{ folded: string; username: string }>(
    `SELECT u.custom_username_folded AS folded, u.custom_username AS username FROM users u
      WHERE u.tenant_id = $1 AND u.deleted_at IS NULL AND u.custom_username_folded = ANY ($2)`,
    [db.tenantId, [...new Set(read.values())]],
  );
  const names = new Map(others.map(({ folded, username }) => [folded, username]));
  return new Map([...read].flatMap(([id, folded]) => (names.has(folded) ? [[id, names.get(folded)!] as const] : [])));
}
