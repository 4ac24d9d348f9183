/**
 * Comments that the portal writes when a field changes whose metadata has `generate_post_comment`
 * "true". Readers then find the value in the discussion of the post, not only in its form
 * (contract: CustomFieldInfoComment).
 */

import type { HistoryType, JsonValue } from '@portico/contract';
import { deltaToPlainText, describeDelta, parseDelta, type RichText } from '@portico/platform/richtext';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { typeOf, valueInWords } from '../../fields/index.ts';
import { touchPost } from '../../records/index.ts';
import { findEventOfWrite } from './comments.repository.ts';
import { addComment } from './create-post-comment.ts';

/** A changed field. */
interface FieldComment {
  field: Pick<FieldDefinition, 'id' | 'owner' | 'type' | 'label' | 'metadata' | 'enumValueById'>;
  /**
   * The value as clients read it: references as objects (docs/decisions/values.md). Undefined when
   * the field was emptied.
   */
  value: JsonValue | undefined;
}

/**
 * Returns the text of the comment: rich text as it was written; for other types the name of the
 * field and the value.
 */
function textOf(comment: FieldComment): RichText | undefined {
  const { field, value } = comment;
  if (typeOf(field).kind === 'richText') {
    const ops = parseDelta(value);
    return deltaToPlainText(ops).trim() === '' ? undefined : describeDelta(ops);
  }
  const words = valueInWords(field, value).trim();
  if (words === '') return undefined;
  return describeDelta([{ insert: `${typeOf(field).readsAlone ? words : `${field.label}: ${words}`}\n` }]);
}

/**
 * Writes the comments of the fields that require one, with their history. The caller adds the
 * change row.
 * @param post locked by the write
 * @param typeId kind of the event that the caller has recorded for the change (2, 6 or 17)
 * @returns the number of comments
 */
export async function addFieldComments(
  write: WriteScope,
  post: { id: number; communityId: number },
  typeId: HistoryType,
  changes: readonly FieldComment[],
): Promise<number> {
  const wanted = changes.filter(
    ({ field, value }) => field.metadata.generate_post_comment === 'true' && value !== undefined,
  );
  if (wanted.length === 0) return 0;
  const historyEventId = await findEventOfWrite(write, post.id, typeId);
  let count = 0;
  for (const change of wanted) {
    const text = textOf(change);
    if (!text) continue;
    const { id, owner } = change.field;
    const fieldInfo = {
      historyEventId,
      ...(owner === 'post' ? { postFieldId: id } : { screenFieldId: id }),
    };
    await addComment(write, post, text, { parentId: null, clientUid: null, fieldInfo }, 0);
    count += 1;
  }
  if (count > 0) await touchPost(write, post.id, { comments: count, active: true });
  return count;
}
