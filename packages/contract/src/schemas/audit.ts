/** The audit log. */
import { auditActions, auditObjects } from '../filters.ts';
import { count, ids, int64, list, orderDesc, page, pageInputs, text, time, type, wordList } from './fields.ts';

export const auditTypes = {
  AuditChange: type('What an entry of the audit log says of one field.', {
    field: text('Name of the field, as forms have it.'),
    before: text(
      'The value before, as JSON; of a list, what was removed. Absent where there was none. `"secret"` stands for a secret.',
    ),
    after: text('The value afterwards, as JSON; of a list, what was added. Absent where there is none.'),
  }),
  AuditEntry: type('An entry of the audit log.', {
    id: int64('Id of the entry.'),
    timestamp: time('When it happened. For failed sign-ins: the begin of the minute.'),
    action: text(`What happened. One of: ${auditActions.join(', ')}.`),
    operation: text('The operation of the interface; absent for work that came another way.'),
    actorId: int64('The account that did it; absent where none was signed in.'),
    actorName: text('Name of that account.'),
    operator: text('Account on the host of who ran a command of the operator; its account here is the system account.'),
    objectType: text(`Kind of object. One of: ${auditObjects.join(', ')}.`),
    objectId: int64('Id of the object; absent for failed sign-ins that named no account.'),
    objectName: text('Name of the object; absent where there is no such object any more.'),
    changes: list('AuditChange', 'What was changed, field by field; of a new object, what it holds.'),
    address: text(
      'Address of the client, as trusted proxies name it. For failed sign-ins with IPv6: the network, with 64 bits.',
    ),
    requestId: text('Value of `X-Request-Id` of the answer.'),
    count: count('How many times it happened: more than 1 for failed sign-ins only.'),
  }),
  ListAuditEntriesRequest: type('Filters and paging of the audit log.', {
    ...pageInputs,
    from: time('Only entries of this moment or later.'),
    to: time('Only entries before this moment.'),
    actions: wordList(auditActions, 'Only entries of these kinds.'),
    actorIds: ids('Only what these accounts did.'),
    objectTypes: wordList(auditObjects, 'Only entries of these kinds of objects.'),
    objectIds: ids('Only entries of objects with these ids.'),
    orderDesc: orderDesc(true),
  }),
  ListAuditEntriesResponse: page('AuditEntry', 'A page of the audit log.'),
};
