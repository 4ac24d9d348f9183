import type { FieldError } from '../../../kernel/errors.ts';
import { isLongerThan, storableText } from '../../../platform/text/index.ts';

/** Longest `clientUid`, in code points. */
export const MAX_CLIENT_UID_LENGTH = 255;

/** The `clientUid` of a body, the same for posts, comments and tasks; an absent one is none. */
export function readClientUid(value: string | undefined, errors: FieldError[]): string | null {
  if (value === undefined || value === '') return null;
  if (isLongerThan(value, MAX_CLIENT_UID_LENGTH)) {
    errors.push({ field: 'clientUid', code: 'TEXT_TOO_LONG', args: [MAX_CLIENT_UID_LENGTH] });
    return null;
  }
  if (storableText(value) !== value) {
    errors.push({ field: 'clientUid', code: 'INVALID_TEXT' });
    return null;
  }
  return value;
}
