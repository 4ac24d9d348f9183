import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finishAtOnce } from '../parts.ts';
import { decompose } from './fold.ts';
import {
  compareSortKeys,
  likePattern,
  normaliseParts,
  normaliseText,
  searchDocument,
  searchTerms,
  sortKey,
  sortKeyWithTies,
  storableText,
  unicodeForm,
} from './index.ts';
import { matchesSearch } from './search.fixture.ts';
import { cutCodePoints, SORT_KEY_LENGTH } from './sort-key.ts';

/** Any code units at all, half surrogate pairs and NUL included. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);
/** Letters of several scripts, no marks that could join what comes before them. */
const letters = fc.string({ unit: fc.constantFrom(...'abcçdeéÈiİıoøsßtuzжЖёЁσΣάλ0179'), minLength: 1, maxLength: 12 });

describe('normaliseText', () => {
  it('removes accents and folds case in several scripts', () => {
    expect(normaliseText('Éclair à la CRÈME')).toBe('eclair a la creme');
    expect(normaliseText('Straße STRASSE ẞ')).toBe('strasse strasse ss');
    expect(normaliseText('ΟΔΟΣ Οδός')).toBe('οδοσ οδοσ');
    expect(normaliseText('İSTANBUL Istanbul ıstanbul istanbul')).toBe('istanbul istanbul istanbul istanbul');
    expect(normaliseText('Łódź Ærø Đà Nẵng')).toBe('lodz aero da nang');
    expect(normaliseText('ﬁne ＡＢＣ Ⅷ ｶﾞ')).toBe('fine abc viii カ');
    expect(normaliseText('Ёжик')).toBe('ежик');
    expect(normaliseText('مُحَمَّد שָׁלוֹם')).toBe('محمد שלום');
  });

  it('keeps vowel signs, which spell the word, and whole Hangul syllables', () => {
    expect(normaliseText('किताब')).toBe('किताब');
    expect(normaliseText('한국어'.normalize('NFD'))).toBe('한국어');
  });

  it('makes every run of white space and control characters one space and drops what is invisible', () => {
    expect(normaliseText(' a \t\n\u00a0b\u2003\u0007c ')).toBe(' a b c ');
    expect(normaliseText('co\u00adoperate zero\u200bwidth\ufeff')).toBe('cooperate zerowidth');
    expect(normaliseText('a\0b\ud800c')).toBe('ab\ufffdc');
  });

  it('is idempotent, well-formed and storable for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normal = normaliseText(text);
        expect(normaliseText(normal)).toBe(normal);
        expect(storableText(normal)).toBe(normal);
        expect(normal).not.toMatch(/ {2}|\p{Cc}/u);
      }),
    );
  });

  it('folds every single character of the first two planes to a fixed point', () => {
    for (let code = 0; code <= 0x1ffff; code += 1) {
      const normal = normaliseText(`a${String.fromCodePoint(code)}b`);
      if (normaliseText(normal) !== normal) throw new Error(`U+${code.toString(16)} is not stable`);
    }
  });
});

describe('hostile texts', () => {
  it('grow to three times their length at most', () => {
    const ligature = '\ufdfa';
    expect(normaliseText(ligature)).toHaveLength(18);
    for (const [text, length] of [
      [ligature.repeat(200_000), 200_000],
      ['\u3316\u{1f1e6}'.repeat(50_000), 150_000],
      ['한국어'.repeat(50_000), 150_000],
    ] as const) {
      const normal = normaliseText(text);
      expect(normal.length).toBeLessThanOrEqual(3 * length + 1_000);
      expect(storableText(normal)).toBe(normal);
      expect(Buffer.byteLength(searchDocument([text]))).toBeLessThanOrEqual(6 * 3 * length + 10_000);
    }
    expect(normaliseText('한국어'.repeat(50_000))).toHaveLength(150_000);
  });

  it('of marks without end are put into order thirty at a time', () => {
    const sizes: number[] = [];
    const { normalize } = String.prototype;
    // A run of marks takes quadratic time: no run may be longer, in any of the passes.
    String.prototype.normalize = function (this: string, form?: string) {
      // A grapheme joiner is a mark by its category, and ends a run.
      for (const run of this.match(/(?:(?!\u034f)[\p{M}\uff9e\uff9f])+/gu) ?? []) sizes.push([...run].length);
      return normalize.call(this, form);
    };
    try {
      for (const marks of ['\u0301\u0316', '\u094d\u093c', '\uff9e\u0301\u0316\u3099', '\u{1d165}\u{1d16d}']) {
        const text = `a${marks.repeat(20_000)}`;
        for (const use of [normaliseText, sortKeyWithTies, searchTerms, (each: string) => unicodeForm(each, 'NFC')])
          use(text);
        expect(normaliseText(normaliseText(text))).toBe(normaliseText(text));
      }
    } finally {
      String.prototype.normalize = normalize;
    }
    expect(sizes.length).toBeGreaterThan(1_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(30);
  });

  it('are normalised in parts as in one piece', () => {
    const character = fc.constantFrom(
      ...'aZ éß😀ﷺ가각\u1100\u1161\u11a8\u0301\u0b47\u0b3e\u200d\u00ad\uff9e #…\t\u3000中',
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 300 }), fc.integer({ min: 16, max: 64 }), (characters, part) => {
        const text = characters.join('');
        const whole = finishAtOnce(normaliseParts(text, Number.POSITIVE_INFINITY));
        expect(finishAtOnce(normaliseParts(text, part))).toBe(whole);
      }),
    );
  });

  it('are split into the same words in parts as in one piece', () => {
    const words = Array.from({ length: 9_000 }, (_, n) => {
      if (n % 7 === 0) return '😀';
      return n % 5 === 0 ? '中文' : `wörd${n}`;
    });
    const document = searchDocument([words.join(' '), words.join('')]);
    const short = words.map((word) => searchDocument([word])).join('');
    expect(document.split('\n')[0]).toBe(short);
    expect(document.split('\n')[1]?.replaceAll(' ', '')).toBe(short.replaceAll(' ', ''));
  });

  it('are decomposed in slices as in one piece', () => {
    const word = fc.oneof(anyText, fc.constantFrom('e\u0301\u0316', '각', '\u{1d15e}', 'ｶﾞ', 'x'.repeat(5_000)));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join('').repeat(3);
        const marks = /(?:[\p{M}\uff9e\uff9f]){31}/u;
        fc.pre(!marks.test(text) && storableText(text).normalize('NFKD').length <= 3 * text.length);
        expect(decompose(text)).toBe(
          storableText(text)
            .normalize('NFKD')
            .replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
        );
      }),
    );
  });
});

describe('sort keys', () => {
  it('cuts at 200 code points and never through a pair', () => {
    const key = sortKey(`  ${'😀'.repeat(300)}`);
    expect([...key]).toHaveLength(SORT_KEY_LENGTH);
    expect(key.isWellFormed()).toBe(true);
    expect(cutCodePoints('a😀b', 2)).toBe('a😀');
  });

  it('is trimmed, bounded and well-formed for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const key = sortKey(text);
        expect([...key].length).toBeLessThanOrEqual(SORT_KEY_LENGTH);
        expect(key.trim()).toBe(key);
        const full = sortKeyWithTies(text);
        expect(full.startsWith(key)).toBe(true);
        expect(storableText(full)).toBe(full);
      }),
    );
  });

  it('stays below the size of a btree entry with ties, whatever the text', () => {
    const worst = [
      '𐐀'.repeat(500),
      'e\u0301'.repeat(500),
      `a${'\u{1d165}'.repeat(500)}`,
      'ẞ'.repeat(500),
      '\u{1d165}'.repeat(900),
    ];
    for (const text of worst) expect(Buffer.byteLength(sortKeyWithTies(text))).toBeLessThanOrEqual(1400);
  });

  it('orders as UTF-8 bytes do', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (prefix, left, right) => {
        const a = prefix + left;
        const b = prefix + right;
        expect(Math.sign(compareSortKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
    expect(compareSortKeys('😀', '\uff5e')).toBeGreaterThan(0);
  });

  it('puts letters first, accents second, case third', () => {
    const wanted = ['cote', 'Cote', 'COTE', 'coté', 'Coté', 'côte', 'côté', 'coter', 'Łodz', 'lodza'];
    const shuffled = [...wanted].reverse();
    shuffled.sort((a, b) => compareSortKeys(sortKeyWithTies(a), sortKeyWithTies(b)));
    // By the first accent that differs, from the left: an accent late in the word comes before an early one.
    expect(shuffled).toEqual(wanted);
  });

  it('agrees with root collation on letters, digits, accents and case', () => {
    const collator = new Intl.Collator('und', { caseFirst: 'false' });
    const word = fc.string({ unit: fc.constantFrom(...'abeozABEOZéÉóÓß019 жЖёЁ'), maxLength: 8 }).map((s) => s.trim());
    fc.assert(
      fc.property(word, word, (left, right) => {
        const a = left.replace(/ +/g, ' ');
        const b = right.replace(/ +/g, ' ');
        expect(Math.sign(compareSortKeys(sortKeyWithTies(a), sortKeyWithTies(b)))).toBe(
          Math.sign(collator.compare(a, b)),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

describe('search', () => {
  const find = (query: string, ...parts: string[]) => matchesSearch(searchDocument(parts), searchTerms(query));

  it('finds beginnings and inner parts of words without regard to accents and case', () => {
    expect(find('CITTA', 'La città è vicina')).toBe(true);
    expect(find('ttà', 'La CITTÀ')).toBe(true);
    expect(find('οδος', 'ΟΔΟΣ')).toBe(true);
    expect(find('vicina la', 'La città è vicina')).toBe(true);
    expect(find('lontana la', 'La città è vicina')).toBe(false);
  });

  it('finds terms under three characters at beginnings of words only', () => {
    expect(find('ci', 'La città')).toBe(true);
    expect(find('tà', 'La città')).toBe(false);
    expect(find('az', "l'azienda")).toBe(true);
    expect(find('na', 'file_name')).toBe(true);
  });

  it('finds two characters of scripts without spaces as a phrase', () => {
    expect(find('京都', '東京都庁')).toBe(true);
    expect(find('都京', '東京都庁')).toBe(false);
    expect(find('京', '東京')).toBe(true);
    expect(find('タワ', '東京タワー')).toBe(true);
    expect(find('국어', '한국어')).toBe(true);
    expect(find('京X線', '東京x線')).toBe(true);
  });

  it('takes %, _ and \\ literally', () => {
    expect(find('100%', 'done 100%')).toBe(true);
    expect(find('100%', 'done 1000')).toBe(false);
    expect(find('%', 'nothing')).toBe(false);
    expect(find('a_c', 'abc')).toBe(false);
    expect(find('a_c', 'a_c')).toBe(true);
    expect(find('c:\\dir', 'on c:\\dir')).toBe(true);
    expect(find('c:\\dir', 'on c:dir')).toBe(false);
  });

  it('ignores sentence marks around a term but finds them alone', () => {
    expect(find('"ciao," (mondo)!', 'ciao mondo')).toBe(true);
    expect(find('?', 'why?')).toBe(true);
    expect(find('?', 'why')).toBe(false);
    expect(find('don\u2019t', "don't")).toBe(true);
  });

  it('keeps phrases within a part', () => {
    expect(find('京都', '東京', '都庁')).toBe(false);
    expect(find('tokyo kyoto', 'tokyo', 'kyoto')).toBe(true);
  });

  it('has no terms for a query without words and no text for a document without words', () => {
    expect(searchTerms(' \u200b\t')).toEqual([]);
    expect(find(' ', 'anything')).toBe(true);
    expect(searchDocument(['', ' \n'])).toBe('');
    expect(searchTerms(Array.from({ length: 100 }, (_, i) => `term${i}`).join(' '))).toHaveLength(32);
  });

  it('finds every part of three characters and every beginning of every word', () => {
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(), (words, pick, cut) => {
        const document = words.join(' ');
        const word = words[pick % words.length]!;
        const start = cut % word.length;
        expect(find(word.slice(0, 1 + start), document)).toBe(true);
        const inner = word.slice(start, start + 3);
        if (normaliseText(inner).length >= 3) expect(find(inner, document)).toBe(true);
      }),
    );
  });

  it('equals a naive search over words', () => {
    const small = fc.string({ unit: fc.constantFrom('a', 'B', 'é', ' ', '%', '_', '\\'), maxLength: 10 });
    const naive = (query: string, text: string) => {
      // A mark is a word of its own, so it starts a word wherever it is; a letter does after anything but a letter.
      const doc = normaliseText(text);
      return normaliseText(query)
        .split(' ')
        .filter((term) => term !== '')
        .every((term) => {
          for (let at = doc.indexOf(term); at >= 0; at = doc.indexOf(term, at + 1)) {
            const starts = at === 0 || !/[a-z]/.test(term[0]!) || !/[a-z]/.test(doc[at - 1]!);
            if (term.length >= 3 || starts) return true;
          }
          return false;
        });
    };
    fc.assert(
      fc.property(small, small, (query, text) => {
        // White space beside a mark is not told apart from none, so the naive text has none there either.
        const tight = text.replace(/ *([%_\\]) */g, '$1');
        expect(find(query, tight)).toBe(naive(query, tight));
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws and writes only patterns that LIKE reads as literals', () => {
    fc.assert(
      fc.property(anyText, anyText, (query, text) => {
        const doc = searchDocument([text]);
        expect(storableText(doc)).toBe(doc);
        expect(doc).not.toContain('  ');
        for (const term of searchTerms(query)) {
          expect(term.pattern.slice(1, -1).replace(/\\[\\%_]/g, '')).not.toMatch(/[\\%_]/);
        }
        matchesSearch(doc, searchTerms(query));
        // A text is found by itself, unless it has more terms than are looked at.
        expect(matchesSearch(doc, searchTerms(text))).toBe(true);
      }),
    );
  });

  it('escapes likePattern', () => {
    expect(likePattern('50%_\\')).toBe('%50\\%\\_\\\\%');
    expect(likePattern('a\0b')).toBe('%ab%');
  });
});
