/**
 * Comments that the portal adds after an edit of custom fields (metadata `generate_post_comment`).
 */
import { HistoryType } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { addFieldComments } from '../../post-parts/index.ts';
import { loadReferences, presentValues, Wanted } from '../reading/references.ts';

/**
 * Adds the comments. Call it after the edit's own history was recorded: the comments name that
 * event as their cause.
 */
export async function commentOnFields(
  write: WriteScope,
  post: { id: number; communityId: number },
  fields: readonly FieldDefinition[],
  changedFieldIds: readonly number[],
  stored: Readonly<Record<string, unknown>>,
): Promise<void> {
  const asked = fields.filter(
    (field) => changedFieldIds.includes(field.id) && field.metadata.generate_post_comment === 'true',
  );
  if (asked.length === 0) return;
  const wanted = new Wanted();
  wanted.addValues(asked, stored);
  const shown = presentValues(asked, stored, await loadReferences(write, write.tx, wanted));
  await addFieldComments(
    write,
    post,
    HistoryType.POST_MODIFIED,
    asked.map((field) => ({ field, value: shown[String(field.id)] })),
  );
}
