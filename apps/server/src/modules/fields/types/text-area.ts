import type { TextType } from './shared/field-type.ts';
import { MAX_TEXT_LENGTH, parseText, texts } from './shared/texts.ts';

/** Text of several lines. */
export const textArea: TextType = {
  ...texts,
  parse: (value) => parseText(value, MAX_TEXT_LENGTH),
  readsAlone: true,
  sample: ({ random, sentences }) => random.some(sentences, 2).join('\n'),
};
