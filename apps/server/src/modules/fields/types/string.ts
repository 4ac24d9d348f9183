import type { TextType } from './shared/field-type.ts';
import { MAX_STRING_LENGTH, parseText, texts } from './shared/texts.ts';

/** A single line of text. */
export const string: TextType = {
  ...texts,
  parse: (value) => parseText(value, MAX_STRING_LENGTH),
  readsAlone: true,
  sample: ({ random, sentences }) => random.pick(sentences),
};
