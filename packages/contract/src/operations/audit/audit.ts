/** The audit log. */
import { auditLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const auditOperations = defineOperations('audit', {
  verifyAuditLog: {
    method: 'GET',
    path: '/admin/data/audit-verification',
    query: {
      afterPosition: {
        type: 'integer',
        description: 'Position that an earlier answer reached, with its hash. Default: the beginning of the log.',
      },
      afterHash: { type: 'string', description: 'Hash of that position, as the earlier answer returned it.' },
    },
    responses: { 200: 'VerifyAuditLogResponse', 400: 'ValidationErrorResponse', 403: null },
    permission: 'manageUsers',
    extension: true,
    summary: 'Verify the audit log',
    description: `Checks that no entry of the log was changed or removed since it was chained. One request checks at most ${auditLimits.verified.toLocaleString('en')} entries; if the answer is not complete, send its position and hash for the next part. Entries wait a short time before they are chained.`,
    clientMethod: 'verify',
    command: { examples: ['', '--output json'] },
  },
  listAuditEntries: {
    method: 'POST',
    path: '/admin/data/audit-entries',
    body: 'ListAuditEntriesRequest',
    responses: { 200: 'ListAuditEntriesResponse', 403: null },
    permission: 'manageUsers',
    paging: 'page',
    extension: true,
    summary: 'List entries of the audit log',
    description:
      'Changes of users, groups, workspaces, roles in communities, keys and settings, and sign-ins, the newest first unless `orderDesc` is false. Filters combine by AND. Secrets are never recorded, only that they changed. Failed sign-ins are counted by account, address and minute; a minute is listed when it is over.',
    requestExamples: examples<'ListAuditEntriesRequest'>({
      user: {
        summary: 'Changes to one user',
        value: { objectTypes: ['user'], objectIds: [17], pageSize: 50 },
      },
    }),
    clientMethod: 'list',
    command: {
      columns: [
        'id',
        'timestamp',
        'action',
        'objectType',
        'objectId',
        'objectName',
        'actorName',
        'operation',
        'address',
        'changes',
      ],
      examples: ['--actions signInFailed --limit 50', '--object-types user --object-ids 17 --all --output ndjson'],
    },
  },
});
