import { parseDelta, serialiseDelta } from './delta.ts';
import { RichTextError } from './errors.ts';
import { extractHashtags, extractMentions } from './extract.ts';
import { deltaToPlainText, plainTextToDelta } from './plain.ts';
import type { DeltaOp } from './types.ts';

/** A rich text in every form that is stored. */
export interface RichText {
  /** Bare array of operations as JSON text. */
  delta: string;
  /** See {@link deltaToPlainText}. */
  plain: string;
  /** User ids, unchecked. */
  readonly mentions: number[];
  /** Names without `#`, unchecked. */
  readonly hashtags: string[];
}

/** Every stored form of a delta that was parsed or made here. Names are looked for when they are asked for. */
export function describeDelta(ops: readonly DeltaOp[]): RichText {
  return {
    delta: serialiseDelta(ops),
    plain: deltaToPlainText(ops),
    get mentions() {
      return extractMentions(ops);
    },
    get hashtags() {
      return extractHashtags(ops);
    },
  };
}

/**
 * Reads a rich text as clients write it.
 * @param form how it is written: as a Quill delta in JSON, or as plain text
 * @throws RichTextError also for a value of the wrong type
 */
export function readRichText(value: unknown, form: 'delta' | 'plain'): RichText {
  if (form === 'delta') return describeDelta(parseDelta(value));
  if (typeof value !== 'string') {
    throw new RichTextError('INVALID_DELTA', 'with the format 2 the value must be a string of plain text');
  }
  return describeDelta(plainTextToDelta(value));
}
