/** Input of leaveUser: the successor, and the tasks, fields and roles to hand over. */
import type { LeaveUserRequest } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { loadActor } from '../../../kernel/access/index.ts';
import { FieldErrors, unknownElements } from '../../../kernel/errors.ts';
import type { Actor, Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { type AccountState, listPeopleFields, type PeopleField } from '../../people/index.ts';
import { type ChosenRoles, communitiesInUse, type HandOver, unknownPlaces } from './leaving.repository.ts';

const users = sqlColumns('users');

/** Resulting state of the account, by the value in the request. */
const ends: Readonly<Record<NonNullable<LeaveUserRequest['account']>, AccountState>> = {
  keep: 'active',
  block: 'blocked',
  delete: 'deleted',
  erase: 'erased',
};

/** A checked request. */
export interface LeavingPlan {
  readonly userId: number;
  readonly end: AccountState;
  /** Absent without a successor. */
  readonly successor?: { readonly handOver: HandOver; readonly roles: ChosenRoles };
}

/**
 * Reads a request. The write checks the right to give roles.
 * @throws ValidationError with every error
 */
export async function readLeaving(scope: Scope, userId: number, body: LeaveUserRequest): Promise<LeavingPlan> {
  const { account, successorUserId, tasks, everywhere = false } = body;
  const [fieldIds, communityIds, workspaceIds] = [body.fieldIds, body.communityIds, body.workspaceIds].map((ids) => [
    ...new Set(ids ?? []),
  ]) as [number[], number[], number[]];
  const errors = new FieldErrors(scope.missing);
  const chosen = { communityIds, workspaceIds, everywhere };
  const asks = tasks === true || everywhere || fieldIds.length + communityIds.length + workspaceIds.length > 0;
  const successor = await readSuccessor(scope, userId, successorUserId, asks, errors);
  const fields = await readFields(scope, fieldIds, errors);
  const unknown = await unknownPlaces(scope.db, chosen);
  errors.push(
    ...unknownElements('communityIds', communityIds, unknown.communities, 'There is no such community.'),
    ...unknownElements('workspaceIds', workspaceIds, unknown.workspaces, 'There is no such workspace.'),
  );
  errors.throwIfAny();
  const end = ends[account!];
  if (!successor) return { userId, end };
  const sees = await communitiesInUse(scope.db, [...successor.roles.keys()], userId, chosen);
  const handOver = { from: userId, to: successor.userId, tasks: tasks ?? true, fields, communityIds: sees };
  return { userId, end, successor: { handOver, roles: chosen } };
}

async function readSuccessor(
  { db }: Scope,
  userId: number,
  id: number | undefined,
  asks: boolean,
  errors: FieldErrors,
): Promise<Actor | undefined> {
  const field = 'successorUserId';
  if (id === undefined) {
    const defaultMessage = 'Name the user who takes over.';
    if (asks) errors.add(field, 'REQUIRED_FIELD', defaultMessage);
    return undefined;
  }
  if (id === userId) {
    errors.add(field, 'INVALID_VALUE', 'Nobody takes over from themselves.');
    return undefined;
  }
  const successor = await activeUser(db, id);
  const defaultMessage = 'There is no such user, or the account is blocked, deleted or kept by the portal.';
  if (!successor) errors.add(field, 'UNKNOWN_REFERENCE', defaultMessage);
  return successor;
}

/** Returns the user unless the account is deleted, blocked or a system account. */
export async function activeUser(db: TenantExecutor, userId: number): Promise<Actor | undefined> {
  const kept = await db.query(
    `SELECT FROM users WHERE tenant_id = $1 AND ${users.id} = $2 AND (${users.system_account} OR ${users.break_glass})`,
    [db.tenantId, userId],
  );
  return kept.length > 0 ? undefined : loadActor(db, userId);
}

async function readFields({ db }: Scope, fieldIds: readonly number[], errors: FieldErrors): Promise<PeopleField[]> {
  if (fieldIds.length === 0) return [];
  const fields = await listPeopleFields(db, fieldIds);
  const unknown = fieldIds.filter((id) => !fields.some(({ fieldId }) => fieldId === id));
  errors.push(...unknownElements('fieldIds', fieldIds, new Set(unknown), 'There is no such field of people.'));
  for (const [index, id] of fieldIds.entries())
    if (fields.some(({ fieldId, evidence }) => fieldId === id && evidence))
      errors.add(
        `fieldIds[${index}]`,
        'INVALID_VALUE',
        'This field says who did something: nobody takes the place of that person.',
      );
  return fields;
}
