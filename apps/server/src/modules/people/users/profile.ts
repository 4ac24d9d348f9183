/** Parts of a directory profile outside the person's row: their manager and their employees. */
import type { User } from '@portico/contract';
import type { Scope } from '../../../kernel/scope.ts';
import type { ProfileContext } from './people.presenter.ts';
import type { UserRow } from './users.repository.ts';
import { loadUserViews, presentUser, type UserViewRow, userViewColumns } from './views.ts';

interface ProfileRelations {
  managers: ReadonlyMap<number, User>;
  /** Employees by manager, without deleted users, by last name, first name and id. */
  employees: ReadonlyMap<number, User[]>;
}

/** Loads managers and employees of any number of users, in two statements. */
export async function loadProfileRelations(scope: Scope, users: readonly UserRow[]): Promise<ProfileRelations> {
  const { db } = scope;
  if (users.length === 0) return { managers: new Map(), employees: new Map() };
  const managers = await loadUserViews(
    scope,
    db,
    users.flatMap((user) => user.managerId ?? []),
  );
  const rows = await db.query<UserViewRow & { managerId: number }>(
    `SELECT ${userViewColumns('u')}, u.manager_id AS "managerId" FROM users u
      WHERE u.tenant_id = $1 AND u.manager_id = ANY ($2::bigint[]) AND u.deleted_at IS NULL
      ORDER BY u.last_key, (u.first_key = ''), u.first_key, u.id`,
    [db.tenantId, users.map((user) => user.id)],
  );
  const employees = new Map<number, User[]>();
  for (const row of rows) {
    const list = employees.get(row.managerId) ?? [];
    list.push(presentUser(row, scope));
    employees.set(row.managerId, list);
  }
  return { managers, employees };
}

/** Returns the context in which one user's profile is presented. */
export function profileContext(
  user: UserRow,
  relations: ProfileRelations,
  may: { editProfile: boolean; photo: boolean },
  scope: Scope,
): ProfileContext {
  return {
    manager: user.managerId === null ? undefined : relations.managers.get(user.managerId),
    employees: relations.employees.get(user.id) ?? [],
    editProfile: may.editProfile,
    canManageProfilePhoto: may.photo,
    scope,
  };
}
