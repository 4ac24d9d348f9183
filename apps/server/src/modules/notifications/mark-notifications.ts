/** Operation markNotifications: marks notifications of the caller as read or done, or removes the marks. */
import type { MarkNotificationsRequest, MarkNotificationsResponse } from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { unreadOf } from './count-notifications.ts';
import { updateMarks } from './notifications.repository.ts';

/** @throws ValidationError if the request selects no notifications or no mark */
export async function markNotifications(
  scope: Scope,
  { ids, untilId, read, done }: MarkNotificationsRequest,
): Promise<MarkNotificationsResponse> {
  const errors = new FieldErrors();
  if (ids === undefined && untilId === undefined) {
    errors.add('ids', 'REQUIRED_FIELD', 'Send `ids` or `untilId`.');
  }
  if (read === undefined && done === undefined) {
    errors.add('read', 'REQUIRED_FIELD', 'Send `read` or `done`.');
  }
  if (done === true && read === false) {
    errors.add('read', 'INVALID_VALUE', 'What is done is read too.');
  }
  errors.throwIfAny();
  return writeTransaction(scope, 'none', async (write) => ({
    marked: await updateMarks(write, { ids, untilId, read, done }),
    unread: await unreadOf(write.tx, write.actor),
  }));
}
