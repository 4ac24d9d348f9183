/** Reads rich text of a body, so that its errors join the other errors of the body. */
import { TextFormat } from '@portico/contract';
import { type RichText, RichTextError, readRichText } from '@portico/platform/richtext';
import type { FieldError } from '../../../kernel/errors.ts';

/** A rich text, or its error. */
type TextInput = { text: RichText; error?: undefined } | { text?: undefined; error: FieldError };

/**
 * Reads a rich text that a client wrote.
 * @param field JSON path of the input, for the error
 * @param format format of the text
 * @param plainField the field for plain text, if it is another one
 */
export function readText(field: string, value: unknown, format: TextFormat, plainField?: string): TextInput {
  try {
    return { text: readRichText(value, format === TextFormat.PLAIN_TEXT ? 'plain' : 'delta') };
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    if (error.code === 'INVALID_JSON' && plainField) {
      const defaultMessage = `Send a Quill delta in JSON such as [{"insert":"text\\n"}], or plain text as ${plainField}.`;
      return { error: { field, code: 'INVALID_DELTA', defaultMessage } };
    }
    const tooLong = error.code === 'TOO_LARGE' || error.code === 'TOO_MANY_OPS';
    return { error: { field, code: tooLong ? 'TEXT_TOO_LONG' : 'INVALID_DELTA', defaultMessage: `${error.message}.` } };
  }
}
