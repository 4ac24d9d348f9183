import { expect, test } from 'vitest';
import { textWords } from './words.ts';

const words = (text: string, most?: number) => [...textWords(text, most)].map(({ word }) => word);

test('words of scripts without spaces are pairs of characters, and the last character', () => {
  expect([...textWords('x 東京都', 3)]).toEqual([
    { word: 'x', place: 0, start: 0, end: 1 },
    { word: '東京', place: 1, start: 2, end: 4 },
    { word: '京都', place: 2, start: 3, end: 5 },
  ]);
  expect(words('𠮷野家')).toEqual(['𠮷野', '野家', '家']);
});

test('a long run without spaces ends at the number of words, and has no more than its beginning', () => {
  expect(words('東'.repeat(300_000), 2)).toEqual(['東東', '東東']);
  expect(words('ﷺ'.repeat(300_000)).length).toBeLessThan(5_000);
  expect(words('½ x'.repeat(2))).toEqual(['1', '2', 'x1', '2', 'x']);
});
