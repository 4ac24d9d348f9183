import { storableText } from '../text/index.ts';
import { checkSize } from './delta.ts';
import { RichTextError } from './errors.ts';
import { type DeltaOp, type Embed, MAX_DELTA_BYTES } from './types.ts';

function embedText(embed: Embed): string {
  if ('mention' in embed) return `@${embed.mention.value.replace(/^@/, '')}`;
  if ('hashtag' in embed) return `#${embed.hashtag.value.replace(/^[#＃]/, '')}`;
  if ('formula' in embed) return embed.formula;
  return '';
}

/**
 * Returns the text of a delta, for the index of the search and for lists: mentions as `@name`,
 * hashtags as `#name`, formulas as their source, images, videos and dividers as nothing. The new
 * line that ends every document is not part of it.
 */
export function deltaToPlainText(ops: readonly DeltaOp[]): string {
  let text = '';
  for (const { insert } of ops) text += typeof insert === 'string' ? insert : embedText(insert);
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Refuses source text over 1 MiB and returns it storable, with every line end a `\n`. */
export function readPlainText(text: string): string {
  if (text.length > MAX_DELTA_BYTES || Buffer.byteLength(text) > MAX_DELTA_BYTES) {
    throw new RichTextError('TOO_LARGE', `the text is longer than ${MAX_DELTA_BYTES} bytes, which is the limit`);
  }
  return storableText(text).replace(/\r\n?/g, '\n');
}

/**
 * A delta of unformatted text. Nothing in it is taken for markup. A final new line of the text is the one that ends the
 * document. Throws {@link RichTextError} `TOO_LARGE` over 1 MiB of text or of delta.
 */
export function plainTextToDelta(text: string): DeltaOp[] {
  const clean = readPlainText(text);
  return checkSize([{ insert: clean.endsWith('\n') ? clean : `${clean}\n` }]);
}
