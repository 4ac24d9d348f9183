/** What clients are told when a unique index of catalogs refuses a value. */
import { registerConstraintErrors } from '../../kernel/database-errors.ts';

registerConstraintErrors({
  catalog_entries__external_id: {
    field: 'externalId',
    code: 'DUPLICATE_VALUE',
    message: 'Another entry of this catalog has this external id.',
  },
});
