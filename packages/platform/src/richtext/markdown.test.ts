import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deltaToPlainText, markdownToDelta, parseDelta, RichTextError, serialiseDelta } from './index.ts';
import { MAX_DELTA_BYTES } from './types.ts';

describe('markdownToDelta', () => {
  it('converts inline formats', () => {
    expect(markdownToDelta('a **b *c*** ~~d~~ `e` [f](https://example.org "t") <https://g.example>')).toEqual([
      { insert: 'a ' },
      { insert: 'b ', attributes: { bold: true } },
      { insert: 'c', attributes: { bold: true, italic: true } },
      { insert: ' ' },
      { insert: 'd', attributes: { strike: true } },
      { insert: ' ' },
      { insert: 'e', attributes: { code: true } },
      { insert: ' ' },
      { insert: 'f', attributes: { link: 'https://example.org' } },
      { insert: ' ' },
      { insert: 'https://g.example', attributes: { link: 'https://g.example' } },
      { insert: '\n' },
    ]);
    expect(markdownToDelta('**a __b__ c**')).toEqual([
      { insert: 'a b c', attributes: { bold: true } },
      { insert: '\n' },
    ]);
  });

  it('converts headings, quotes and code', () => {
    expect(markdownToDelta('## Title\n\ntext\nmore  \nnext\n\n> quote\n\n```js\na\n\nb\n```\n\n---')).toEqual([
      { insert: 'Title' },
      { insert: '\n', attributes: { header: 2 } },
      { insert: 'text more\nnext\nquote' },
      { insert: '\n', attributes: { blockquote: true } },
      { insert: 'a' },
      { insert: '\n\n', attributes: { 'code-block': true } },
      { insert: 'b' },
      { insert: '\n', attributes: { 'code-block': true } },
      { insert: { divider: true } },
      { insert: '\n' },
    ]);
  });

  it('converts nested lists', () => {
    expect(markdownToDelta('1. one\n\n   more\n2. two\n   - in\n-\n- x')).toEqual([
      { insert: 'one' },
      { insert: '\n', attributes: { list: 'ordered' } },
      { insert: 'more' },
      { insert: '\n', attributes: { indent: 1 } },
      { insert: 'two' },
      { insert: '\n', attributes: { list: 'ordered' } },
      { insert: 'in' },
      { insert: '\n', attributes: { indent: 1, list: 'bullet' } },
      { insert: '\n', attributes: { list: 'bullet' } },
      { insert: 'x' },
      { insert: '\n', attributes: { list: 'bullet' } },
    ]);
  });

  it('writes tables as lines of cells and images as embeds', () => {
    expect(deltaToPlainText(markdownToDelta('| a | b |\n|---|---|\n| 1 | 2 |'))).toBe('a\tb\n1\t2');
    expect(markdownToDelta('![alt *text*](/i.png)')).toEqual([
      { insert: { image: '/i.png' }, attributes: { alt: 'alt text' } },
      { insert: '\n' },
    ]);
  });

  it('leaves HTML and unsafe addresses as text', () => {
    for (const source of [
      '[x](javascript:alert(1))',
      '<script>alert(1)</script>',
      '![x](data:text/html,x)',
      '<javascript:x>',
    ]) {
      expect(markdownToDelta(source)).toEqual([{ insert: `${source}\n` }]);
    }
    expect(markdownToDelta('![x](mailto:a@b.c)')).toEqual([{ insert: 'x\n' }]);
  });

  it('makes the empty document of nothing', () => {
    expect(markdownToDelta('')).toEqual([{ insert: '\n' }]);
    expect(markdownToDelta(' \n\n')).toEqual([{ insert: '\n' }]);
  });

  it('gives a delta that is taken as it is, for any text', () => {
    const piece = fc.constantFrom(
      '# ',
      '- ',
      '1. ',
      '> ',
      '```\n',
      '**',
      '_',
      '`',
      '[a](b)',
      '![a](c:d)',
      '\n',
      '\n\n',
      '    ',
      'x',
      '|',
      '---',
      '<b>',
      '\\',
      '\0',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 40 }).map((list) => list.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const delta = markdownToDelta(text);
          expect(parseDelta(serialiseDelta(delta))).toEqual(delta);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuses too long a text', () => {
    expect(() => markdownToDelta('a'.repeat(MAX_DELTA_BYTES + 1))).toThrow(RichTextError);
    expect(() => markdownToDelta('*a* b '.repeat(20_000))).toThrow(/pieces/);
  });
});
