/** Tables of outgoing mail. */
import { defineTables, internal } from '../../kernel/tables/define-tables.ts';

export const mailTables = defineTables({
  outgoing_mails: {
    distribution: 'distributed',
    people: { user_id: 'remove' },
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
    ),
    sealed: { row: 'message_id', columns: { sealed_content: { plain: 'content', form: 'json' } } },
  },
});
