/** The text of HTML as mails have it. */
import { type Markup, markupText } from './markup.ts';

const BLOCKS = new Set('p br div tr li h1 h2 h3 h4 h5 h6 blockquote pre'.split(' '));
const HTML: Omit<Markup, 'decode'> = {
  lines: BLOCKS,
  opening: BLOCKS,
  spaces: new Set(['td', 'th']),
  skipped: new Set(['head', 'style', 'script', 'template']),
  nameOf: (written) => written.toLowerCase(),
};

/** Returns the text of HTML, a line for each block. */
export async function htmlText(html: string): Promise<string> {
  const { decodeHTML } = await import('entities');
  return markupText(html.replaceAll(/\r?\n/g, ' '), { ...HTML, decode: decodeHTML });
}
