/** Rich texts in the file of a community: plain text where they have no formats. */
import {
  deltaToPlainText,
  parseDelta,
  plainTextToDelta,
  RichTextError,
  serialiseDelta,
} from '@portico/platform/richtext';

/** Returns plain text if a stored text has no formats, else the delta. */
export function describeText(delta: string): string {
  const ops = parseDelta(delta);
  const plain = deltaToPlainText(ops);
  return serialiseDelta(plainTextToDelta(plain)) === serialiseDelta(ops) ? plain.replace(/\n$/, '') : delta;
}

/** Returns a text of a file as a delta: a delta in JSON stays, other texts are plain. */
export function deltaOf(text: string): string {
  try {
    if (text.trimStart().startsWith('[')) return serialiseDelta(parseDelta(text));
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
  }
  return serialiseDelta(plainTextToDelta(text));
}

/** Returns a text of a file in the form in which exports have it. */
export const normaliseText = (text: string) => (text.trim() === '' ? '' : describeText(deltaOf(text)));
