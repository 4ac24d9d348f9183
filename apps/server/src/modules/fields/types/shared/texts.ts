/** Common parts of the types of text. */

import { isLongerThan, sortKeyWithTies, storableText } from '@portico/platform/text';
import type { StoredValue } from './field-type.ts';
import { ValueError, wrongForm } from './value-error.ts';

/**
 * Maximum lengths of STRING and LINK, and of TEXT_AREA, in code points. Rich text: the limits of
 * platform/richtext.
 */
export const MAX_STRING_LENGTH = 4_000;
export const MAX_TEXT_LENGTH = 250_000;

export const texts = {
  filter: 'text',
  column: 'txt',
  plainText: (value: StoredValue) => String(value),
  plainTextSql: (stored: string) => `(${stored})`,
  columnValues: (value: StoredValue) => [sortKeyWithTies(String(value))],
  words: String,
} as const;

/** Reads a text. @param maxLength in code points @throws ValueError */
export function parseText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') throw wrongForm('a text');
  if (isLongerThan(value, maxLength)) {
    throw new ValueError('TEXT_TOO_LONG', `send at most ${maxLength} characters (code points).`, [maxLength]);
  }
  // Reject characters that PostgreSQL cannot store.
  if (storableText(value) !== value) {
    throw new ValueError('INVALID_TEXT', 'the text holds a NUL character or half of a surrogate pair; remove it.');
  }
  return value;
}
