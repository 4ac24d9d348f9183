/** Puts titles and rich texts together from the pieces of the content. */

import type { Random } from '../platform/random.ts';
import type { TextSpec } from './content.ts';

/** A person whom a text can mention. */
export interface Named {
  id: number;
  name: string;
}

/** A title from one of the patterns. */
export function titleOf(random: Random, texts: TextSpec): string {
  return random
    .pick(texts.titles)
    .replaceAll(/\{(\d)\}/g, (_, slot: string) => random.pick(texts.slots[Number(slot)] ?? ['']));
}

/**
 * A rich text of a few sentences: a delta as JSON text, some of them with a list, a link, a mention
 * or a hashtag.
 * @param mention person whom the text names, if any
 */
export function richText(
  random: Random,
  sentences: readonly string[],
  options: { mention?: Named | undefined; hashtag?: string | undefined } = {},
): string {
  const chosen = random.some(sentences, random.int(2, 4));
  const ops: object[] = [{ insert: `${chosen[0]} ` }];
  const [, second, third, fourth] = chosen;
  if (second !== undefined) ops.push({ insert: second, attributes: { bold: true } });
  ops.push({ insert: '\n' });
  if (third !== undefined && random.chance(0.5)) {
    ops.push({ insert: third }, { insert: '\n', attributes: { list: 'bullet' } });
    if (fourth !== undefined) ops.push({ insert: fourth }, { insert: '\n', attributes: { list: 'bullet' } });
  } else if (third !== undefined) {
    ops.push({ insert: `${third}\n` });
  }
  if (random.chance(0.15)) {
    ops.push(
      { insert: 'intranet', attributes: { link: `https://intranet.alveria.example/p/${random.int(100, 999)}` } },
      { insert: '\n' },
    );
  }
  if (options.mention) {
    ops.push(
      { insert: { mention: { id: String(options.mention.id), value: options.mention.name } } },
      { insert: '\n' },
    );
  }
  if (options.hashtag !== undefined) ops.push({ insert: `#${options.hashtag}\n` });
  return JSON.stringify(ops);
}

/** Returns one or two sentences, as a comment. */
export function remark(random: Random, remarks: readonly string[], mention?: Named): string {
  const text = random.pick(remarks);
  if (!mention) return JSON.stringify([{ insert: `${text}\n` }]);
  return JSON.stringify([
    { insert: { mention: { id: String(mention.id), value: mention.name } } },
    { insert: ` ${text}\n` },
  ]);
}
