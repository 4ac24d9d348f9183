/**
 * Rich text for display: blocks of inline pieces, read from a delta of the interface. Nothing in a
 * delta becomes markup; unknown inserts are shown as plain text, and only addresses of the web,
 * mail and telephone become links.
 */

import { pictureName } from './pictures.ts';

export interface Inline {
  text: string;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  strike: boolean;
  code: boolean;
  script: 'sub' | 'super' | undefined;
  /** An http, https, mailto or tel address. */
  link: string | undefined;
  /** For `picture`, the text is the name of an attached file. */
  kind: 'text' | 'mention' | 'hashtag' | 'formula' | 'picture';
}

type BlockKind = 'paragraph' | 'heading' | 'quote' | 'code' | 'list' | 'divider' | 'rest';

export interface Block {
  kind: BlockKind;
  inlines: Inline[];
  /** Level of a heading: 1 to 6. */
  level: number;
  /** Indent of a line in a list: 0 to {@link MAX_INDENT}. */
  indent: number;
  /** Mark of a line in a list. */
  mark: 'bullet' | 'ordered' | 'checked' | 'unchecked';
}

/**
 * Maximum number of blocks of a text: a text of one megabyte can consist of line breaks alone, and
 * would block the page for minutes.
 */
export const MAX_BLOCKS = 5_000;
/** Deepest indent of a list; the editor has the same limit. */
const MAX_INDENT = 8;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns texts and numbers as text; an empty text for other values */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/**
 * @param json a delta as the interface sends it: a list of operations, or an object that holds one
 * @returns no blocks if the text is no delta. The lines after the first {@link MAX_BLOCKS} are the
 *   text of one block `rest`.
 */
export function readDelta(json: string | undefined): Block[] {
  const blocks: Block[] = [];
  const rest: string[] = [];
  let line: Inline[] = [];
  const add = (block: Block) => {
    if (blocks.length < MAX_BLOCKS) blocks.push(block);
    else rest.push(block.inlines.map(({ text }) => text).join(''));
  };
  const end = (attributes: Json) => {
    add(blockOf(attributes, line));
    line = [];
  };
  for (const op of opsOf(json)) {
    if (!isObject(op)) continue;
    const attributes = isObject(op['attributes']) ? op['attributes'] : {};
    const { insert } = op;
    if (typeof insert === 'string') {
      const [first = '', ...others] = insert.split('\n');
      if (first !== '') line.push(inlineOf(first, attributes));
      for (const text of others) {
        end(attributes);
        if (text !== '') line.push(inlineOf(text, attributes));
      }
    } else if (isObject(insert)) {
      if ('divider' in insert) {
        if (line.length > 0) end({});
        add({ ...blockOf({}, []), kind: 'divider' });
      } else line.push(embedOf(insert, attributes));
    }
  }
  if (line.length > 0) end({});
  if (rest.length > 0) blocks.push({ ...blockOf({}, [inlineOf(rest.join('\n'), {})]), kind: 'rest' });
  while (blocks.at(-1)?.kind === 'paragraph' && blocks.at(-1)?.inlines.length === 0) blocks.pop();
  return blocks;
}

/** The lines of a delta joined into a single line; returns any other text unchanged. */
export const plainTextOf = (json: string): string =>
  opsOf(json).length === 0
    ? json
    : readDelta(json)
        .map(({ inlines }) => inlines.map(({ text }) => text).join(''))
        .join(' ');

function opsOf(json: string | undefined): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(json ?? '');
  } catch {
    return []; // not JSON: nothing to show
  }
  const ops = isObject(value) ? value['ops'] : value;
  return Array.isArray(ops) ? ops : [];
}

function blockOf(attributes: Json, inlines: Inline[]): Block {
  const { list } = attributes;
  return {
    kind: kindOf(attributes),
    inlines,
    level: between(1, attributes['header'], 6),
    indent: between(0, attributes['indent'], MAX_INDENT),
    mark: list === 'ordered' || list === 'checked' || list === 'unchecked' ? list : 'bullet',
  };
}

function kindOf(attributes: Json): BlockKind {
  if (attributes['header']) return 'heading';
  if (attributes['blockquote']) return 'quote';
  if (attributes['code-block']) return 'code';
  return attributes['list'] ? 'list' : 'paragraph';
}

/** Limits a value to a range of whole numbers; returns the minimum if the value is no number. */
function between(least: number, value: unknown, most: number): number {
  const number = Math.trunc(Number(textOf(value)));
  return number > least ? Math.min(number, most) : least;
}

function inlineOf(text: string, attributes: Json): Inline {
  const { script } = attributes;
  return {
    text,
    bold: Boolean(attributes['bold']),
    italic: Boolean(attributes['italic']),
    underline: Boolean(attributes['underline']),
    strike: Boolean(attributes['strike']),
    code: Boolean(attributes['code']),
    script: script === 'sub' || script === 'super' ? script : undefined,
    link: webAddress(attributes['link']),
    kind: 'text',
  };
}

function embedOf(insert: Json, attributes: Json): Inline {
  const plain = inlineOf('', attributes);
  const { mention, hashtag, formula } = insert;
  if (isObject(mention)) return { ...plain, kind: 'mention', text: `@${textOf(mention['value'])}` };
  if (isObject(hashtag))
    return { ...plain, kind: 'hashtag', text: `#${textOf(hashtag['value']).replace(/^[#＃]/, '')}` };
  if (formula !== undefined) return { ...plain, kind: 'formula', text: textOf(formula) };
  const picture = pictureName(insert['image']);
  if (picture !== undefined) return { ...plain, kind: 'picture', text: picture };
  // Other pictures, videos and inserts of other clients are named but not loaded: a writer cannot
  // make the browser of a reader send requests elsewhere.
  const [name = '', content] = Object.entries(insert)[0] ?? [];
  return { ...plain, text: `[${name}]`, link: webAddress(content) ?? plain.link };
}

/**
 * @returns the address if its scheme is http, https, mailto or tel; undefined for scripts, data and
 *   all other addresses
 */
export function webAddress(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  const url = URL.parse(address);
  return url && ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : undefined;
}
