/** Tables of the import. */
import { CREATED, defineTables, internal, OWN } from '../../kernel/tables/define-tables.ts';

export const importTables = defineTables({
  import_records: {
    distribution: 'distributed',
    parent: { table: 'posts', column: 'post_id' },
    analyze: true,
    columns: internal('tenant_id', 'source', 'external_id', 'fingerprint', 'post_id', 'import_id', 'edited'),
  },
  import_files: {
    distribution: 'distributed',
    columns: internal('tenant_id', 'source', 'prefix', 'suffix', 'digest'),
  },
  imports: {
    distribution: 'distributed',
    entity: 'import',
    files: ['content_ref', 'changes_content_ref'],
    columns: {
      ...OWN,
      ...CREATED,
      ...internal(
        'content_ref',
        'changes_content_ref',
        'with_history',
        'with_people',
        'claimed_at',
        'attempts',
        'archived_people',
      ),
      community_id: 'communityId',
      file_name: 'fileName',
      changes_file_name: 'changesFileName',
      mapping: 'mapping',
      trial: 'trial',
      state: 'state',
      phase: 'phase',
      rows_read: 'readRows',
      rows_total: 'rows',
      report: { each: '' },
      notes: 'notes',
      problem: 'problem',
      undoes: 'undoesImportId',
      cancelled_by: null,
      started_at: 'startTimestamp',
      finished_at: 'endTimestamp',
    },
  },
  import_made: {
    distribution: 'distributed',
    parent: { table: 'imports', column: 'import_id' },
    columns: internal('tenant_id', 'import_id', 'kind', 'object_id'),
  },
  import_refusals: {
    distribution: 'distributed',
    parent: { table: 'imports', column: 'import_id' },
    columns: internal('tenant_id', 'import_id', 'position', 'file', 'line', 'column_name', 'value', 'reason', 'lost'),
  },
});
