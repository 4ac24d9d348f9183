/** Operation markNotifications: marks notifications of the caller as read or done, or removes the marks. */
import type { MarkNotificationsRequest, MarkNotificationsResponse } from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import { type FieldError, ValidationError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { unreadOf } from './count-notifications.ts';
import { updateMarks } from './notifications.repository.ts';

/** @throws ValidationError if the request selects no notifications or no mark */
export async function markNotifications(
  scope: Scope,
  { ids, untilId, read, done }: MarkNotificationsRequest,
): Promise<MarkNotificationsResponse> {
  const errors: FieldError[] = [];
  if (ids === undefined && untilId === undefined) {
    errors.push({ field: 'ids', code: 'REQUIRED_FIELD', defaultMessage: 'Send `ids` or `untilId`.' });
  }
  if (read === undefined && done === undefined) {
    errors.push({ field: 'read', code: 'REQUIRED_FIELD', defaultMessage: 'Send `read` or `done`.' });
  }
  if (done === true && read === false) {
    errors.push({ field: 'read', code: 'INVALID_VALUE', defaultMessage: 'What is done is read too.' });
  }
  if (errors.length > 0) throw new ValidationError(errors);
  return writeTransaction(scope, 'none', async (write) => ({
    marked: await updateMarks(write, { ids, untilId, read, done }),
    unread: await unreadOf(write.tx, write.actor),
  }));
}
