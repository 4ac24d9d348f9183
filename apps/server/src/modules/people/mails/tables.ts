/** Tables of outgoing mail. */
import { defineTables, internal } from '../../../kernel/tables/define-tables.ts';

export const mailTables = defineTables({
  outgoing_mails: {
    distribution: 'distributed',
    parent: { table: 'users', column: 'user_id' },
    field: `'mails'`,
    people: { user_id: 'remove' },
    // Without columns that the sender changes meanwhile. Test messages alone are kept as discarded.
    auditList: {
      of: 'users',
      column: 'user_id',
      field: 'mails',
      value: `jsonb_build_object('id', l.id, 'template', l.template, 'retries', l.retries)
        || CASE WHEN l.state = 'discarded' THEN '{"discarded": true}'::jsonb ELSE '{}' END`,
    },
    columns: internal(
      'tenant_id',
      'id',
      'user_id',
      'message_id',
      'recipient',
      'template',
      'language',
      'content',
      'sealed_content',
      'expires_at',
      'state',
      'attempts',
      'created_at',
      'due_at',
      'attempted_at',
      'finished_at',
      'error',
      'retries',
    ),
    sealed: { row: 'message_id', column: 'sealed_content', words: 'the link of a mail' },
  },
});
