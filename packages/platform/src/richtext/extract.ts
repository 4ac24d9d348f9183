/**
 * Mentions and hashtags that a rich text holds. Whether they exist is for the caller to find out
 * (docs/decisions/writes.md).
 */
import { unicodeForm } from '../text/index.ts';
import type { DeltaOp } from './types.ts';

/** Longest hashtag that is looked for, in code points. */
const MAX_HASHTAG_LENGTH = 100;

/** Most hashtags of a text that are looked for, each spelling once: the first ones. The others remain text. */
export const MAX_HASHTAGS = 1_000;

/** An address in running text; a `#` in it is a fragment. */
const ADDRESS = /(?:\b[a-z][a-z0-9+.-]{0,30}:\/\/|\bwww\.)\S+/giu;
/**
 * `#` (or the full-width one that Japanese keyboards type) where a word could start, then letters, digits, marks, `_` and
 * `-`. Not after `&`, where it is a character reference, nor after `/` or another `#`.
 */
const HASHTAG = /(?<![\p{L}\p{N}\p{M}_&/#＃])[#＃]([\p{L}\p{N}_][\p{L}\p{N}\p{M}_-]*)/gu;

/** Ids of the mentioned users, each once, in order of appearance. */
export function extractMentions(ops: readonly DeltaOp[]): number[] {
  const ids = new Set<number>();
  for (const { insert } of ops) {
    if (typeof insert === 'object' && 'mention' in insert) ids.add(Number(insert.mention.id));
  }
  return [...ids];
}

function* tagsOf(text: string): Generator<string> {
  const seen = new Set<string>();
  for (const match of text.replace(ADDRESS, ' ').matchAll(HASHTAG)) {
    const found = match[1]!;
    if (seen.has(found)) continue;
    seen.add(found);
    // By hand: the expression /-+$/ takes quadratic time on hyphens that are not at the end.
    let end = found.length;
    while (found[end - 1] === '-') end--;
    const name = unicodeForm(found.slice(0, end), 'NFC');
    if (name.length <= MAX_HASHTAG_LENGTH || [...name].length <= MAX_HASHTAG_LENGTH) yield name;
  }
}

/**
 * Names of the hashtags, without `#`, each spelling once, in order of appearance: of hashtag embeds, and of `#word` in text
 * (Unicode letters, digits, `_` and `-`); the first {@link MAX_HASHTAGS}. Code and addresses are left alone. Text formats inside a word do not end it.
 */
export function extractHashtags(ops: readonly DeltaOp[]): string[] {
  // The lines that are not code are searched as one text: a text of a megabyte may have half a million of them, and a search
  // of each by itself takes a second.
  const lines: string[] = [];
  const embedded: { at: number; name: string }[] = [];
  // A line is looked at when it ends, because whether it is code is an attribute of its new line.
  let line = '';
  let lineAt = 0;
  let ofLine: { at: number; name: string }[] = [];
  const endLine = (isCode: boolean) => {
    for (const { at, name } of ofLine) embedded.push({ at: isCode ? lineAt : lineAt + at, name });
    if (!isCode) {
      lines.push(line);
      lineAt += line.length + 1;
    }
    line = '';
    ofLine = [];
  };
  for (const { insert, attributes } of ops) {
    if (typeof insert === 'object') {
      line += ' ';
      if ('hashtag' in insert) {
        const name = unicodeForm(insert.hashtag.value.replace(/^[#＃]/, '').trim(), 'NFC');
        ofLine.push({ at: line.length, name });
      }
      continue;
    }
    const pieces = insert.split('\n');
    pieces.forEach((piece, index) => {
      if (index > 0) endLine(Boolean(attributes?.['code-block']));
      line += attributes?.code ? '\ufffc' : piece;
    });
  }
  endLine(false);
  return inOrder(lines.join('\n'), embedded);
}

/**
 * Returns the first hashtags of a text and the embedded ones, each once, in order of appearance.
 */
function inOrder(text: string, embedded: readonly { at: number; name: string }[]): string[] {
  const names = new Set<string>();
  for (const name of allInOrder(text, embedded)) {
    names.add(name);
    if (names.size === MAX_HASHTAGS) break;
  }
  return [...names];
}

function* allInOrder(text: string, embedded: readonly { at: number; name: string }[]): Generator<string> {
  let from = 0;
  for (const { at, name } of embedded) {
    yield* tagsOf(text.slice(from, at));
    yield name;
    from = at;
  }
  yield* tagsOf(text.slice(from));
}
