import { describe, expect, test } from 'vitest';
import { en } from './en.ts';
import { languageOf } from './index.ts';
import { it } from './it.ts';

describe('the Italian texts', () => {
  test('are those of the English page, each of the same form, and none is empty', () => {
    expect(Object.keys(it).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [key, text] of Object.entries(en)) {
      const other: unknown = it[key as keyof typeof it];
      expect(typeof other, key).toBe(typeof text);
      expect(other, key).not.toBe('');
      if (typeof text === 'object') expect(Object.keys(other as object), key).toEqual(Object.keys(text));
    }
  });
});

test('the language is the first with texts that is a language tag', () => {
  expect(languageOf(['de-DE', 'en-US@posix', 'it-IT', 'en-GB'])).toEqual({ tag: 'it-IT', texts: it });
  expect(languageOf(['en-US@posix'])).toEqual({ tag: 'en', texts: en });
});
