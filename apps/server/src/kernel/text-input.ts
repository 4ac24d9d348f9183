/** Texts of forms. Lengths are in code points. */
import { isLongerThan } from '../platform/text/index.ts';
import type { FieldError } from './errors.ts';

export function checkLength(field: string, text: string, most: number, errors: FieldError[]): void {
  if (isLongerThan(text, most)) errors.push({ field, code: 'TEXT_TOO_LONG', args: [most] });
}

/** A text that must be there. @returns it trimmed */
export function requiredText(field: string, value: string | undefined, most: number, errors: FieldError[]): string {
  const text = value?.trim() ?? '';
  if (text === '') errors.push({ field, code: 'REQUIRED_FIELD' });
  else checkLength(field, text, most, errors);
  return text;
}

/** A text that may be left out. @returns it trimmed; null for a blank one */
export function optionalText(
  field: string,
  value: string | undefined,
  most: number,
  errors: FieldError[],
): string | null {
  const text = value?.trim() || null;
  if (text !== null) checkLength(field, text, most, errors);
  return text;
}
