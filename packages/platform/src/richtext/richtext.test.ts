import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type DeltaOp,
  deltaToPlainText,
  extractHashtags,
  extractMentions,
  parseDelta,
  plainTextToDelta,
  RichTextError,
  readRichText,
  safeLink,
  safeMedia,
  serialiseDelta,
} from './index.ts';
import { MAX_DELTA_BYTES, MAX_DELTA_OPS } from './types.ts';

function errorOf(run: () => unknown): RichTextError {
  try {
    run();
  } catch (error) {
    if (error instanceof RichTextError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const attributes = fc.option(
  fc.record(
    {
      bold: fc.constant(true),
      color: fc.constantFrom('#ff0000', 'red'),
      header: fc.integer({ min: 1, max: 6 }),
      link: fc.constantFrom('https://example.org/a?b#c', '/portal/post/7', 'mailto:a@example.org'),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const embed = fc.oneof(
  fc.record({ image: fc.constantFrom('https://example.org/i.png', '/i.png') }),
  fc.record({ formula: fc.string() }),
  fc.record({ mention: fc.record({ id: fc.oneof(fc.nat(), fc.nat().map(String)), value: fc.string() }) }),
  fc.record({ hashtag: fc.record({ id: fc.nat(), value: fc.stringMatching(/^[a-z]{1,8}$/) }) }),
  fc.record({ divider: fc.constant(true) }),
);
const ops = fc
  .array(
    fc.record({ insert: fc.oneof(fc.string({ unit: 'grapheme' }), embed), attributes }, { requiredKeys: ['insert'] }),
  )
  .map((list) => list.map((op) => JSON.parse(JSON.stringify(op)) as DeltaOp));

describe('parseDelta', () => {
  it('takes the bare array and {ops}, as text and as value', () => {
    const list = [{ insert: 'Hello ' }, { insert: 'world', attributes: { bold: true } }, { insert: '\n' }];
    for (const input of [list, { ops: list }, JSON.stringify(list), JSON.stringify({ ops: list })]) {
      expect(parseDelta(input)).toEqual(list);
    }
  });

  it('ends every document with a new line', () => {
    expect(parseDelta([])).toEqual([{ insert: '\n' }]);
    expect(parseDelta(' ')).toEqual([{ insert: '\n' }]);
    expect(parseDelta([{ insert: 'a' }])).toEqual([{ insert: 'a\n' }]);
    expect(parseDelta([{ insert: 'a', attributes: { bold: true } }])).toEqual([
      { insert: 'a', attributes: { bold: true } },
      { insert: '\n' },
    ]);
    expect(parseDelta([{ insert: { divider: true } }])).toEqual([{ insert: { divider: true } }, { insert: '\n' }]);
  });

  it('survives serialising, and parsing again changes nothing', () => {
    fc.assert(
      fc.property(ops, (list) => {
        const parsed = parseDelta(list);
        expect(parseDelta(serialiseDelta(parsed))).toEqual(parsed);
        expect(parseDelta({ ops: parsed })).toEqual(parsed);
        expect(deltaToPlainText(parsed)).toBe(deltaToPlainText(list));
      }),
    );
  });

  it('keeps mentions and hashtags as they were sent', () => {
    const mention = { insert: { mention: { id: '12', value: 'Ada Rossi', denotationChar: '@', index: '0' } } };
    const hashtag = { insert: { hashtag: { id: 3, value: 'budget' } } };
    expect(parseDelta([mention, hashtag]).slice(0, 2)).toEqual([mention, hashtag]);
  });

  it('refuses unknown embeds and says which', () => {
    const error = errorOf(() => parseDelta([{ insert: 'x' }, { insert: { iframe: 'https://example.org' } }]));
    expect(error.code).toBe('UNKNOWN_EMBED');
    expect(error.opIndex).toBe(1);
    expect(error.message).toContain('"iframe"');
    expect(error.message).toContain('mention');
    expect(errorOf(() => parseDelta([{ insert: { toString: 'x' } }])).code).toBe('UNKNOWN_EMBED');
    expect(errorOf(() => parseDelta('[{"insert":{"__proto__":{"x":1}}}]')).code).toBe('UNKNOWN_EMBED');
  });

  it('refuses embeds without what they need', () => {
    for (const insert of [
      { mention: { value: 'Ada' } },
      { mention: { id: 'seven', value: 'Ada' } },
      { mention: { id: 1.5, value: 'Ada' } },
      { mention: { id: '9'.repeat(16), value: 'Ada' } },
      { mention: { id: 7, value: 8 } },
      { mention: 7 },
      { hashtag: { id: 7 } },
      { hashtag: { value: '#' } },
      { image: 7 },
      { formula: {} },
    ]) {
      expect(errorOf(() => parseDelta([{ insert }])).code, JSON.stringify(insert)).toBe('INVALID_EMBED');
    }
  });

  it('refuses what is not a document', () => {
    expect(errorOf(() => parseDelta('plain text')).code).toBe('INVALID_JSON');
    expect(errorOf(() => parseDelta('plain text')).message).toContain('format 2');
    for (const input of [
      null,
      7,
      '7',
      '"text"',
      {},
      { ops: 'x' },
      [null],
      ['text'],
      [{}],
      [{ insert: 7 }],
      [{ insert: null }],
      [{ insert: [] }],
      [{ retain: 3 }],
      [{ insert: 'a', delete: 1 }],
      [{ insert: {} }],
      [{ insert: { image: '/a', video: '/b' } }],
      [{ insert: 'a', attributes: 'bold' }],
      [{ insert: 'a', attributes: [] }],
    ]) {
      expect(errorOf(() => parseDelta(input)).code, JSON.stringify(input)).toBe('INVALID_DELTA');
    }
  });

  it('takes unsafe links off their text and refuses unsafe images and videos', () => {
    for (const link of [
      'javascript:alert(1)',
      ' JaVa\tScript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '\u0001javascript:x',
      7,
    ]) {
      expect(parseDelta([{ insert: 'a', attributes: { link, bold: true } }])[0]).toEqual({
        insert: 'a',
        attributes: { bold: true },
      });
      if (typeof link === 'string') {
        const error = errorOf(() => parseDelta([{ insert: { image: link } }]));
        expect(error).toMatchObject({ code: 'UNSAFE_URL', opIndex: 0 });
      }
    }
    expect(parseDelta([{ insert: { mention: { id: 1, value: 'A', link: 'javascript:x' } } }])[0]).toEqual({
      insert: { mention: { id: 1, value: 'A' } },
    });
  });

  it('cannot change prototypes', () => {
    const [op] = parseDelta('[{"insert":"a","attributes":{"__proto__":{"polluted":1},"bold":true}}]');
    expect(op).toEqual({ insert: 'a', attributes: { bold: true } });
    expect((op!.attributes as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('keeps to its limits', () => {
    const many = Array.from({ length: MAX_DELTA_OPS + 1 }, () => ({ insert: 'a' }));
    expect(errorOf(() => parseDelta(many)).code).toBe('TOO_MANY_OPS');
    expect(parseDelta(many.slice(1))).toHaveLength(MAX_DELTA_OPS);
    const text = 'a'.repeat(MAX_DELTA_BYTES);
    expect(errorOf(() => parseDelta([{ insert: text }])).code).toBe('TOO_LARGE');
    expect(errorOf(() => parseDelta(JSON.stringify([{ insert: text }]))).code).toBe('TOO_LARGE');
    expect(errorOf(() => parseDelta([{ insert: '\u0001'.repeat(MAX_DELTA_BYTES / 2) }])).code).toBe('TOO_LARGE');
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(errorOf(() => parseDelta([{ insert: 'a', attributes: { deep } }])).code).toBe('TOO_DEEP');
    expect(errorOf(() => parseDelta('['.repeat(500_000) + ']'.repeat(500_000))).code).toBe('INVALID_DELTA');
    const wide = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`a${i}`, true]));
    expect(errorOf(() => parseDelta([{ insert: 'a', attributes: wide }])).code).toBe('INVALID_DELTA');
  });

  it('fails with its own error only, and what it takes can be stored', () => {
    const anything = fc.oneof(
      fc.anything(),
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.array(
        fc.record({ insert: fc.oneof(fc.anything(), fc.string({ unit: 'binary' })), attributes: fc.anything() }),
      ),
      fc.array(
        fc.record({ insert: fc.dictionary(fc.constantFrom('image', 'mention', 'hashtag', 'divider'), fc.anything()) }),
      ),
    );
    fc.assert(
      fc.property(anything, (input) => {
        let parsed: DeltaOp[];
        try {
          parsed = parseDelta(input);
        } catch (error) {
          expect(error).toBeInstanceOf(RichTextError);
          return;
        }
        const text = serialiseDelta(parsed);
        expect(parseDelta(text)).toEqual(JSON.parse(text));
        expect(text).not.toContain('\\u0000');
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/\\ud[89a-f]/i);
        deltaToPlainText(parsed);
        extractHashtags(parsed);
        extractMentions(parsed);
      }),
      { numRuns: 500 },
    );
  });
});

describe('links', () => {
  it('are http, https, mailto, tel or relative', () => {
    for (const url of [
      'http://a.b',
      'HTTPS://a.b/c:d',
      'mailto:a@b.c',
      'tel:+39',
      '/portal',
      'a/b:c',
      '?q=a:b',
      '#a:b',
    ]) {
      expect(safeLink(url)).toBe(url);
    }
    for (const url of [
      '',
      'javascript:x',
      'java\nscript:x',
      'file:///etc',
      'ftp://a',
      '\u200bjavascript:x',
      'x'.repeat(5000),
    ]) {
      expect(safeLink(url), url).toBeNull();
    }
    expect(safeLink(' https://a.b \n')).toBe('https://a.b');
    for (const url of ['//a.b/c', '/\\a.b/c', '\\\\a.b/c', ' /\t/a.b/c', '////a.b/c']) {
      expect(safeLink(url), url).toBe('https://a.b/c');
      expect(safeMedia(url), url).toBe('https://a.b/c');
    }
    expect(safeMedia('mailto:a@b.c')).toBeNull();
    expect(safeMedia('data:image/png;base64,AA')).toBeNull();
    expect(safeMedia('https://a.b/i.png')).toBe('https://a.b/i.png');
  });
});

describe('plain text', () => {
  it('goes into a delta and comes out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const clean = text.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n');
        const delta = plainTextToDelta(text);
        expect(deltaToPlainText(delta)).toBe(clean.replace(/\n$/, ''));
        expect(parseDelta(serialiseDelta(delta))).toEqual(delta);
      }),
    );
  });

  it('shows mentions, hashtags and formulas and drops images', () => {
    const delta = parseDelta([
      { insert: 'Hi ' },
      { insert: { mention: { id: 1, value: 'Ada' } } },
      { insert: ' and ' },
      { insert: { mention: { id: 2, value: '@Bob' } } },
      { insert: { image: '/i.png' } },
      { insert: ' on ' },
      { insert: { hashtag: { id: 1, value: '#budget' } } },
      { insert: { formula: 'e=mc^2' } },
    ]);
    expect(deltaToPlainText(delta)).toBe('Hi @Ada and @Bob on #budgete=mc^2');
  });

  it('is refused when it or its delta is too long', () => {
    expect(errorOf(() => plainTextToDelta('é'.repeat(MAX_DELTA_BYTES / 2 + 1))).code).toBe('TOO_LARGE');
    expect(errorOf(() => plainTextToDelta('"'.repeat(MAX_DELTA_BYTES - 100))).code).toBe('TOO_LARGE');
  });
});

describe('mentions and hashtags', () => {
  it('finds mentions once each', () => {
    const mention = (id: number | string) => ({ insert: { mention: { id, value: 'x' } } });
    expect(extractMentions(parseDelta([mention(3), mention('1'), mention('03'), mention(-4)]))).toEqual([3, 1, -4]);
  });

  it('finds hashtags in text and embeds', () => {
    const found = (text: string) => extractHashtags(plainTextToDelta(text));
    expect(found('#one, (#two) #three-four #città_2026 #预算 ＃全角')).toEqual([
      'one',
      'two',
      'three-four',
      'città_2026',
      '预算',
      '全角',
    ]);
    expect(found('#one\n#one #ONE #trailing-- #e\u0301t\u00e9')).toEqual(['one', 'ONE', 'trailing', 'été']);
    expect(found('a#b # c ## #-x &#39; C# ##h2 x/#y')).toEqual([]);
    expect(found('see https://example.org/#frag and www.example.org/#frag or ftp://h/a#b,#c')).toEqual([]);
    expect(
      extractHashtags(
        parseDelta([
          { insert: 'a ' },
          { insert: { hashtag: { id: 1, value: '#embedded' } } },
          { insert: ' #spl' },
          { insert: 'it', attributes: { bold: true } },
          { insert: '\n' },
        ]),
      ),
    ).toEqual(['embedded', 'split']);
  });

  it('ends on texts that would take a backtracking search for ever', () => {
    for (const text of [`#a${'-'.repeat(900_000)}b`, 'a.'.repeat(400_000), '#'.repeat(900_000), '#-'.repeat(400_000)]) {
      extractHashtags(plainTextToDelta(text));
    }
  });

  it('are searched for once in a text, however many lines it has', () => {
    const searches = vi.spyOn(String.prototype, 'matchAll');
    expect(extractHashtags(plainTextToDelta(`#one\n${'#\n'.repeat(100_000)}#two`))).toEqual(['one', 'two']);
    expect(searches).toHaveBeenCalledTimes(1);
    searches.mockRestore();
  });

  it('come in order of appearance, embedded ones among those of text and code', () => {
    const hashtag = (value: string) => ({ insert: { hashtag: { id: 1, value } } });
    const code = { insert: '\n', attributes: { 'code-block': true } };
    const ops = [
      { insert: '#a\n#b ' },
      hashtag('c'),
      { insert: '#d\n#no ' },
      hashtag('e'),
      { insert: '#no' },
      code,
      hashtag('f'),
      code,
      { insert: '#g ' },
      hashtag('a'),
      { insert: '\n' },
    ];
    expect(extractHashtags(parseDelta(ops))).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });

  it('leaves code alone', () => {
    expect(
      extractHashtags(
        parseDelta([
          { insert: '#no', attributes: { code: true } },
          { insert: ' #yes\n#include <x>' },
          { insert: '\n', attributes: { 'code-block': true } },
          { insert: 'int #y;' },
          { insert: '\n', attributes: { 'code-block': 'plain' } },
          { insert: '#after\n' },
        ]),
      ),
    ).toEqual(['yes', 'after']);
  });
});

describe('readRichText', () => {
  it('reads both formats', () => {
    expect(readRichText('[{"insert":"Hi #all"}]', 'delta')).toEqual({
      delta: '[{"insert":"Hi #all\\n"}]',
      plain: 'Hi #all',
      mentions: [],
      hashtags: ['all'],
    });
    expect(readRichText('**not bold** #tag', 'plain')).toEqual({
      delta: '[{"insert":"**not bold** #tag\\n"}]',
      plain: '**not bold** #tag',
      mentions: [],
      hashtags: ['tag'],
    });
    expect(readRichText('[{"insert":"x"}]', 'plain').plain).toBe('[{"insert":"x"}]');
    expect(errorOf(() => readRichText('not a delta', 'delta')).code).toBe('INVALID_JSON');
    expect(errorOf(() => readRichText([{ insert: 'x' }], 'plain')).code).toBe('INVALID_DELTA');
  });
});
