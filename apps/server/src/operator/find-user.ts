/** Finds the accounts that an operator names, and lists the accounts of a tenant. */
import { heldRightsSql } from '../kernel/access/index.ts';
import { fullNameSql } from '../kernel/full-name.ts';
import type { AdministrativeRight, Scope } from '../kernel/scope.ts';
import { OperatorError } from './operator-error.ts';

/**
 * Finds the account that an operator names.
 * @param who its id, or user name or contact address in any case
 * @throws OperatorError when no account matches that is not deleted, or the text names several
 */
export async function findUser(scope: Scope, who: string): Promise<number> {
  const id = /^\d{1,15}$/.test(who) ? Number(who) : null;
  const users = await scope.db.query<{ id: number }>(
    `SELECT id FROM users WHERE tenant_id = $1 AND deleted_at IS NULL
        AND (id = $2 OR contact_email_folded = lower($3) OR custom_username_folded = lower($3)) ORDER BY id`,
    [scope.tenant.id, id, who],
  );
  const [user, ...others] = users;
  if (!user)
    throw new OperatorError(
      `The tenant ${scope.tenant.name} has no account with the id, user name or e-mail address "${who}"; run "portico admin user list --tenant ${scope.tenant.name}".`,
    );
  if (others.length > 0)
    throw new OperatorError(
      `"${who}" names several accounts: ${users.map((one) => one.id).join(', ')}. Name one by its id.`,
    );
  return user.id;
}

/** An account as `portico admin user list` shows it. */
export interface ListedAccount {
  id: number;
  name: string;
  username: string | null;
  email: string | null;
  /** Administrative rights, including rights given by groups. */
  rights: AdministrativeRight[];
  kind: 'person' | 'service account' | 'break-glass';
  blocked: boolean;
  /** Epoch milliseconds; null for an account that was never used. */
  lastAccessAt: number | null;
}

/**
 * Lists the accounts of a tenant that are not deleted, by name; the system account is left out.
 * @param admin whether only holders of an administrative right are listed
 */
export async function listAccounts(scope: Scope, { admin }: { admin: boolean }): Promise<ListedAccount[]> {
  return scope.db.query<ListedAccount>(
    `SELECT id, name, username, email, rights, kind, blocked, "lastAccessAt" FROM (
       SELECT u.id, ${fullNameSql('u')} AS name, u.custom_username AS username, u.contact_email AS email,
              ${heldRightsSql('u')} AS rights, u.blocked, u.last_access_at AS "lastAccessAt", u.last_key, u.first_key,
              CASE WHEN u.break_glass THEN 'break-glass' WHEN u.service_account THEN 'service account' ELSE 'person' END AS kind
         FROM users u WHERE u.tenant_id = $1 AND u.deleted_at IS NULL AND NOT u.system_account) listed
      WHERE NOT $2::boolean OR cardinality(rights) > 0 ORDER BY last_key, first_key, id`,
    [scope.tenant.id, admin],
  );
}
