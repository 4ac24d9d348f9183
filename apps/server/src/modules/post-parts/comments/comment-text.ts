/** Text of a comment in a request body. */

import { describeDelta, type RichText } from '@portico/platform/richtext';
import type { FieldErrors } from '../../../kernel/errors.ts';
import { readText } from '../common/text-input.ts';

const EMPTY = describeDelta([{ insert: '\n' }]);

/**
 * Reads the text of a comment.
 * @param hasFiles whether the comment has attachments, so that it needs no text
 * @param errors receives the errors
 */
export function readCommentText(
  { comment, commentFormat }: { comment?: string | undefined; commentFormat?: number | undefined },
  hasFiles: boolean,
  errors: FieldErrors,
): RichText {
  const read = readText('comment', comment ?? '', commentFormat === 2 ? 2 : 1);
  if (read.error) errors.push(read.error);
  else if (isBlank(read.text) && !hasFiles) {
    errors.add('comment', 'REQUIRED_FIELD', 'A comment needs a text or an attachment.');
  }
  return read.text ?? EMPTY;
}

/** Returns whether a text has neither words nor embedded objects. */
function isBlank(text: RichText): boolean {
  return text.plain.trim() === '' && !/"insert":\{/.test(text.delta);
}
