import { describe, expect, test } from 'vitest';
import { differences, mergeTexts, overlapsOf, resolved, type Side, textOfWords } from './merge-texts.ts';
import { type MergeKind, mergeValues } from './merge-values.ts';

const merged = (base: string, mine: string, theirs: string, sides: readonly Side[] = []) => {
  const merge = mergeTexts(base, mine, theirs, false);
  return {
    text: textOfWords(resolved(merge, sides), false),
    apart: merge.apart,
    overlaps: overlapsOf(merge).length,
  };
};
const delta = (...ops: object[]) => JSON.stringify(ops);
const marked = (base: string, other: string) =>
  differences(base, other, false)
    .map(({ kind, words }) => {
      const text = textOfWords(words, false);
      return kind === 'same' ? text : `${kind === 'added' ? '+' : '-'}[${text}]`;
    })
    .join('');

describe('texts', () => {
  test('changes of different lines are merged and apart', () => {
    expect(merged('One\nTwo\nThree\nFour', 'One!\nTwo\nThree\nFour', 'One\nTwo\nThree\nFour, five')).toEqual({
      text: 'One!\nTwo\nThree\nFour, five',
      apart: true,
      overlaps: 0,
    });
  });

  test('changes of different words of a line are merged, but not apart', () => {
    expect(merged('It squeaks', 'Listen: it squeaks', 'It squeaks loudly')).toEqual({
      text: 'Listen: it squeaks loudly',
      apart: false,
      overlaps: 0,
    });
  });

  test('the same words have a side that is chosen', () => {
    const texts = ['It squeaks a lot', 'It creaks a lot', 'It shrieks a lot'] as const;
    expect(merged(...texts)).toEqual({ text: 'It creaks a lot', apart: false, overlaps: 1 });
    expect(merged(...texts, ['theirs']).text).toBe('It shrieks a lot');
    expect(merged(...texts, ['both']).text).toBe('It creaksshrieks a lot');
  });

  test('equal changes of both are one change', () => {
    expect(merged('a b', 'a c', 'a c')).toEqual({ text: 'a c', apart: true, overlaps: 0 });
  });

  test('signs without blanks between them are words', () => {
    expect(merged('今日は雨', '今日は晴', '明日は雨').text).toBe('明日は晴');
  });

  test('formats, embeds and formats of lines are merged', () => {
    const mention = { insert: { mention: { id: 1, value: 'Bo' } } };
    const base = delta({ insert: 'Ask ' }, mention, { insert: '\nThen wait\nEnd\n' });
    const mine = delta({ insert: 'Ask ' }, mention, { insert: ' today\nThen wait\nEnd\n' });
    const theirs = delta(
      { insert: 'Ask ' },
      mention,
      { insert: '\nThen wait\n' },
      { insert: 'End', attributes: { bold: true } },
      { insert: '\n', attributes: { header: 1 } },
    );
    const merge = mergeTexts(base, mine, theirs, true);
    expect(merge.apart).toBe(true);
    expect(JSON.parse(textOfWords(resolved(merge, []), true))).toEqual([
      { insert: 'Ask ' },
      mention,
      { insert: ' today\nThen wait\n' },
      { insert: 'End', attributes: { bold: true } },
      { insert: '\n', attributes: { header: 1 } },
    ]);
  });

  test('every text comes back as it was', () => {
    for (const text of ['', 'a', 'a\n', '\n\n', ' a  b\t\nc', '👩‍👩‍👧 ä̈ "quoted" \\n'])
      expect(merged(text, text, text).text).toBe(text);
    const text = delta({ insert: 'a\n\n b' }, { insert: { divider: true } }, { insert: '\n' });
    expect(textOfWords(resolved(mergeTexts(text, text, text, true), []), true)).toBe(text);
  });

  test('texts that are too long to compare are a choice between wholes', () => {
    // Neither the first nor the last word is the same.
    const lines = (word: string) => Array.from({ length: 2_500 }, (_, line) => `${word} ${line} ${word}`).join('\n');
    const [base, mine, theirs] = [lines('a'), lines('b'), lines('c')];
    expect(merged(base, mine, theirs)).toEqual({ text: mine, apart: false, overlaps: 1 });
    expect(marked(base, mine)).toBe(`-[${base}]+[${mine}]`);
  });

  test('differences are marked word by word', () => {
    expect(marked('One\nIt squeaks\nEnd', 'One\nIt creaks loudly\nEnd')).toBe(
      'One\nIt -[squeaks]+[creaks loudly]\nEnd',
    );
    expect(marked('One\nTwo\n', 'One\n')).toBe('One\n-[Two\n]');
    expect(marked('One\n', 'Zero\nOne\n')).toBe('+[Zero\n]One\n');
  });
});

describe('values', () => {
  const merge = (kind: MergeKind, base: unknown, mine: unknown, theirs: unknown) => {
    const { value, settled } = mergeValues(kind, { base, mine, theirs });
    return settled ? value : 'open';
  };
  const choices = (...ids: number[]) => ids.map((id) => ({ id, label: `${id}` }));

  test('a value that only one side changed is that one', () => {
    expect(merge('value', 1, 2, 1)).toBe(2);
    expect(merge('value', 1, 1, 3)).toBe(3);
    expect(merge('value', 1, 2, 2)).toBe(2);
    expect(merge('value', 1, 2, 3)).toBe('open');
  });

  test('choices that each added and removed are merged', () => {
    expect(merge('choices', choices(1, 2), choices(2, 3), choices(1, 2, 4))).toEqual(choices(2, 3, 4));
    expect(merge('choices', undefined, choices(1), choices(2))).toEqual(choices(1, 2));
  });

  test('items are merged by their places', () => {
    expect(merge('items', ['a', 'b'], ['A', 'b', 'c'], ['a', 'B', 'd'])).toEqual(['A', 'B', 'c', 'd']);
    expect(merge('items', ['a', 'b'], ['A', 'b'], ['b'])).toBe('open');
    expect(merge('items', ['a'], ['A'], ['Ä'])).toBe('open');
  });

  test('texts of one line are open, though they fit together', () => {
    expect(mergeValues('text', { base: 'a b', mine: 'A b', theirs: 'a B' })).toMatchObject({
      value: 'A B',
      settled: false,
    });
  });
});
