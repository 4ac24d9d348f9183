/** What clients are told when a unique index of communities refuses a value. */
import { registerConstraintErrors } from '../../kernel/database-errors.ts';

registerConstraintErrors({
  hashtags__name: { field: 'name', code: 'DUPLICATE_VALUE', message: 'The community has a hashtag of this name.' },
});
