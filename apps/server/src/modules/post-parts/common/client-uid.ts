import { isLongerThan, storableText } from '@portico/platform/text';
import type { FieldErrors } from '../../../kernel/errors.ts';

/** Maximum length of `clientUid`, in code points. */
export const MAX_CLIENT_UID_LENGTH = 255;

/**
 * Reads the `clientUid` of a body, in the same way for posts, comments and tasks; returns null when
 * it is absent.
 */
export function readClientUid(value: string | undefined, errors: FieldErrors): string | null {
  if (value === undefined || value === '') return null;
  if (isLongerThan(value, MAX_CLIENT_UID_LENGTH)) {
    errors.add('clientUid', 'TEXT_TOO_LONG', undefined, [MAX_CLIENT_UID_LENGTH]);
    return null;
  }
  if (storableText(value) !== value) {
    errors.add('clientUid', 'INVALID_TEXT');
    return null;
  }
  return value;
}
