import MarkdownIt from 'markdown-it';
import { checkSize, withFinalNewline } from './delta.ts';
import { RichTextError } from './errors.ts';
import { safeLink, safeMedia } from './links.ts';
import { readPlainText } from './plain.ts';
import { type Attributes, type DeltaOp, MAX_DELTA_OPS } from './types.ts';

/**
 * HTML in the source is text. A link that is not safe stays as it was written, brackets and all.
 */
const parser = new MarkdownIt({ html: false, linkify: false });
parser.validateLink = (url) => safeLink(url) !== null;

type Token = ReturnType<typeof parser.parse>[number];

const INLINE_MARKS: Readonly<Record<string, string>> = { strong: 'bold', em: 'italic', s: 'strike' };
const MAX_INDENT = 8;

/** Writes operations, joining neighbours of the same format. */
class Writer {
  readonly ops: DeltaOp[] = [];
  #lastKey = '';

  text(text: string, attributes: Attributes): void {
    if (text === '') return;
    const key = JSON.stringify(attributes);
    const last = this.ops.at(-1);
    if (last && typeof last.insert === 'string' && key === this.#lastKey) {
      last.insert += text;
    } else {
      this.#push(key === '{}' ? { insert: text } : { insert: text, attributes: { ...attributes } });
      this.#lastKey = key;
    }
  }

  embed(op: DeltaOp): void {
    this.#push(op);
    this.#lastKey = '';
  }

  /** Ends a line; its block formats are the attributes of the new line. */
  line(block: Attributes): void {
    this.text('\n', block);
  }

  #push(op: DeltaOp): void {
    if (this.ops.length >= MAX_DELTA_OPS) {
      throw new RichTextError('TOO_MANY_OPS', `the text has more than ${MAX_DELTA_OPS} pieces of different format`);
    }
    this.ops.push(op);
  }
}

interface List {
  kind: 'ordered' | 'bullet';
  /** True until the first block of the current item has been written; only that one carries the bullet. */
  itemStarts: boolean;
}

function altText(token: Token): string {
  return (token.children ?? []).map((child) => (child.children ? altText(child) : child.content)).join('');
}

function writeInline(writer: Writer, children: readonly Token[], block: Attributes): void {
  // Counted, because markup may be nested in the same markup.
  const marks = new Map<string, number>();
  const links: string[] = [];
  for (const token of children) {
    const mark = INLINE_MARKS[token.type.replace(/_(open|close)$/, '')];
    if (mark) {
      marks.set(mark, (marks.get(mark) ?? 0) + token.nesting);
    } else if (token.type === 'link_open') {
      links.push(safeLink(String(token.attrGet('href') ?? '')) ?? '');
    } else if (token.type === 'link_close') {
      links.pop();
    } else if (token.type === 'softbreak') {
      writer.text(' ', format(marks, links));
    } else if (token.type === 'hardbreak') {
      writer.line(block);
    } else if (token.type === 'code_inline') {
      writer.text(token.content, { ...format(marks, links), code: true });
    } else if (token.type === 'image') {
      const url = safeMedia(String(token.attrGet('src') ?? ''));
      const alt = altText(token);
      if (url === null) writer.text(alt, format(marks, links));
      else writer.embed(alt === '' ? { insert: { image: url } } : { insert: { image: url }, attributes: { alt } });
    } else {
      writer.text(token.content, format(marks, links));
    }
  }
}

function format(marks: ReadonlyMap<string, number>, links: readonly string[]): Attributes {
  const attributes: Attributes = {};
  for (const [mark, depth] of marks) if (depth > 0) attributes[mark] = true;
  const link = links.at(-1);
  if (link) attributes.link = link;
  return attributes;
}

function blockFormat(lists: readonly List[], quotes: number, header: number): Attributes {
  const list = lists.at(-1);
  const indent = Math.min(lists.length - 1, MAX_INDENT);
  if (header > 0) return { header };
  if (list?.itemStarts) return indent > 0 ? { indent, list: list.kind } : { list: list.kind };
  if (list) return { indent: indent + 1 };
  return quotes > 0 ? { blockquote: true } : {};
}

/**
 * A delta of Markdown (CommonMark with tables and strike-through), for imports. Headings, bold, italic, strike-through,
 * inline code, code blocks, lists with their nesting, quotes, links, images and rules become Quill's formats; cells of a
 * table are separated by tabs; HTML is text. Links and images whose address is not safe stay text. A line of the result has
 * one block format, as in Quill: a heading in a list is a heading.
 *
 * Throws {@link RichTextError} `TOO_LARGE` over 1 MiB of source or of delta, `TOO_MANY_OPS` for more than 20,000 pieces.
 */
export function markdownToDelta(text: string): DeltaOp[] {
  const writer = new Writer();
  const lists: List[] = [];
  let quotes = 0;
  let header = 0;
  /** Number of the current cell in its row of a table, from 1; 0 outside of tables. */
  let cell = 0;
  const endBlock = (block: Attributes) => {
    writer.line(block);
    const list = lists.at(-1);
    if (list) list.itemStarts = false;
  };
  for (const token of parser.parse(readPlainText(text), {})) {
    switch (token.type) {
      case 'heading_open':
        header = Number(token.tag.slice(1));
        break;
      case 'heading_close':
        header = 0;
        break;
      case 'bullet_list_open':
      case 'ordered_list_open': {
        // An item that starts with a list has no line of its own to carry the bullet.
        const outer = lists.at(-1);
        if (outer) outer.itemStarts = false;
        lists.push({ kind: token.type === 'bullet_list_open' ? 'bullet' : 'ordered', itemStarts: false });
        break;
      }
      case 'bullet_list_close':
      case 'ordered_list_close':
        lists.pop();
        break;
      case 'list_item_open':
        lists.at(-1)!.itemStarts = true;
        break;
      case 'list_item_close':
        if (lists.at(-1)!.itemStarts) endBlock(blockFormat(lists, quotes, 0));
        break;
      case 'blockquote_open':
        quotes++;
        break;
      case 'blockquote_close':
        quotes--;
        break;
      case 'th_open':
      case 'td_open':
        if (++cell > 1) writer.text('\t', {});
        break;
      case 'tr_close':
        cell = 0;
        endBlock({});
        break;
      case 'inline': {
        const block = cell > 0 ? {} : blockFormat(lists, quotes, header);
        writeInline(writer, token.children ?? [], block);
        if (cell === 0) endBlock(block);
        break;
      }
      case 'fence':
      case 'code_block':
        for (const line of token.content.replace(/\n$/, '').split('\n')) {
          writer.text(line, {});
          endBlock({ 'code-block': true });
        }
        break;
      case 'hr':
        writer.embed({ insert: { divider: true } });
        endBlock({});
        break;
      default:
        break;
    }
  }
  return checkSize(withFinalNewline(writer.ops));
}
