/** The audit log. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const auditOperations = defineOperations('audit', {
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
      ],
      examples: ['--actions signInFailed --limit 50', '--object-types user --object-ids 17 --all --output ndjson'],
    },
  },
});
