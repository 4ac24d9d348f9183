/** The audit log. */
import { AdminCapability } from '../../codes/codes.ts';
import { communityPermissions } from '../../codes/permissions.ts';
import { auditActions, auditObjects } from '../../filters.ts';
import { auditLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const rightsOf = (value: string) =>
  `Rights, permissions, roles or members that \`${value}\` names, at most ${auditLimits.rights}; absent for other fields.`;

export const auditTypes = {
  AuditRight: t.type('A right, a permission, a role or a member that a change names.', {
    adminCapability: t.word(Object.values(AdminCapability), 'Administrative right of the object.'),
    permission: t.word(
      communityPermissions.map(({ name }) => name),
      'Permission of the role.',
    ),
    roleId: t.int64('Id of the role; absent for a plain member.'),
    roleName: t.text('Name of the role; absent for a role that was deleted.'),
    userId: t.int64('Person who holds the role, or is the member.'),
    groupId: t.int64('Group that holds the role.'),
    holderName: t.text('Name of the person or group; absent if there is none any more.'),
  }),
  AuditChange: t.type('Change of one field in an entry of the audit log.', {
    field: t.text('Name of the field, as forms have it.'),
    before: t.text(
      'The value before, as JSON; for a list, the removed elements. Absent if there was no ' +
        'value. `"secret"` stands for a secret.',
    ),
    after: t.text('The value afterwards, as JSON; for a list, the added elements. Absent if there is no value.'),
    beforeRights: t.list('AuditRight', rightsOf('before')),
    afterRights: t.list('AuditRight', rightsOf('after')),
  }),
  AuditEntry: t.type('An entry of the audit log.', {
    id: t.int64('Id of the entry.'),
    timestamp: t.time('Time at which it happened. For failed sign-ins: the start of the minute.'),
    action: t.text(`Kind of event. Possible values: ${auditActions.join(', ')}.`),
    operation: t.text('The operation of the interface; absent for work that came another way.'),
    actorId: t.int64('The account that did it; absent where none was signed in.'),
    actorName: t.text('Name of that account.'),
    operator: t.text('Account on the host that ran a command of the operator; its account here is the system account.'),
    objectType: t.text(`Kind of object. Possible values: ${auditObjects.join(', ')}.`),
    objectId: t.int64('Id of the object; absent for failed sign-ins that named no account.'),
    objectName: t.text('Name of the object; absent if the object no longer exists.'),
    changes: t.list('AuditChange', 'Changes, field by field; for a new object, its content.'),
    address: t.text(
      'Address of the client, as trusted proxies name it. For failed sign-ins with IPv6: the network, with 64 bits.',
    ),
    requestId: t.text('Value of `X-Request-Id` of the answer.'),
    count: t.count('Number of occurrences: more than 1 for failed sign-ins only.'),
  }),
  ListAuditEntriesRequest: t.type('Filters and paging of the audit log.', {
    ...t.pageInputs,
    from: t.time('Only entries of this moment or later.'),
    to: t.time('Only entries before this moment.'),
    actions: t.wordList(auditActions, 'Only entries of these kinds.'),
    actorIds: t.filterIds('Only actions of these accounts.'),
    objectTypes: t.wordList(auditObjects, 'Only entries of these kinds of objects.'),
    objectIds: t.filterIds('Only entries of objects with these ids.'),
    orderDesc: t.orderDesc(true),
  }),
  VerifyAuditLogResponse: t.type('Outcome of a verification of the audit log.', {
    verifiedCount: t.bigCount('Number of entries that this request verified.'),
    position: t.int64('Position that the verification reached; 0 for an empty log.'),
    hash: t.text('Hash of that position, which covers every entry up to it; empty for an empty log.'),
    complete: t.flag('Whether the end of the log was reached, or a fault.'),
    waitingCount: t.bigCount('Number of entries that are not chained yet; present once the end was reached.'),
    fault: t.ref('AuditFault', 'The first fault; absent if the verified entries are whole.'),
  }),
  AuditFault: t.type('A fault in the chain of the audit log.', {
    position: t.int64('Position in the chain; absent for an entry without one.'),
    entryId: t.int64('Id of the entry; absent if the entry is missing.'),
    problem: t.text('The fault, in a sentence, in English.'),
  }),
  ListAuditEntriesResponse: t.page('AuditEntry', 'A page of the audit log.'),
};
