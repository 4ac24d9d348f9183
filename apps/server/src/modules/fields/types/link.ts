import type { TextType } from './shared/field-type.ts';
import { MAX_STRING_LENGTH, parseText, texts } from './shared/texts.ts';
import { wrongForm } from './shared/value-error.ts';

function parse(value: unknown): string {
  const text = parseText(value, MAX_STRING_LENGTH).trim();
  const address = URL.parse(text);
  if (!address || (address.protocol !== 'http:' && address.protocol !== 'https:')) {
    throw wrongForm('an absolute http or https address');
  }
  return text;
}

/** The address of a web page. */
export const link: TextType = {
  ...texts,
  parse,
  readonlyByDefault: true,
  sample: ({ random, site }) => `${site}/${random.int(1000, 9999)}`,
};
