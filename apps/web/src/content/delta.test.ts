import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_BLOCKS, readDelta, webAddress } from './delta.ts';

const delta = (ops: unknown) => JSON.stringify(ops);

describe('a delta', () => {
  test('is blocks of formatted pieces', () => {
    const blocks = readDelta(
      delta([
        { insert: 'Plan' },
        { insert: '\n', attributes: { header: 2 } },
        { insert: 'buy ' },
        { insert: 'milk', attributes: { bold: true } },
        { insert: '\n', attributes: { list: 'bullet' } },
        { insert: { mention: { id: 17, value: 'Ada Rossi' } } },
        { insert: ' and ' },
        { insert: { hashtag: { id: 5, value: '#food' } } },
        { insert: '\n' },
        { insert: { divider: true } },
        { insert: 'last\n\n' },
      ]),
    );
    expect(blocks.map(({ kind, inlines }) => `${kind}: ${inlines.map(({ text }) => text).join('|')}`)).toEqual([
      'heading: Plan',
      'list: buy |milk',
      'paragraph: @Ada Rossi| and |#food',
      'divider: ',
      'paragraph: last',
    ]);
    expect(blocks[1]!.inlines.map(({ bold }) => bold)).toEqual([false, true]);
  });

  test('may be an object that holds the operations', () => {
    expect(readDelta(delta({ ops: [{ insert: 'a\n' }] }))).toHaveLength(1);
  });

  test.for(['', 'null', '{', '3', '"text"', '[1,null,{"insert":5}]', '{"ops":{}}'])('%s has no blocks', (json) => {
    expect(readDelta(json)).toEqual([]);
  });

  test('keeps its first lines as they are, and the others as one text', () => {
    const blocks = readDelta(delta([{ insert: 'a\n'.repeat(MAX_BLOCKS + 3) }]));
    expect(blocks).toHaveLength(MAX_BLOCKS + 1);
    expect(blocks.at(-1)).toMatchObject({ kind: 'rest', inlines: [{ text: 'a\na\na' }] });
  });

  test.for([
    [-1, 0],
    [3, 3],
    ['2', 2],
    [1e9, 8],
    [null, 0],
    [{}, 0],
  ] as const)('with the indent %j is %i deep', ([indent, depth]) => {
    expect(readDelta(delta([{ insert: 'a' }, { insert: '\n', attributes: { list: 'bullet', indent } }]))).toMatchObject(
      [{ kind: 'list', indent: depth }],
    );
  });

  test('whose names have no text form is read', () => {
    const name = { toString: 1, valueOf: 1 };
    expect(readDelta(delta([{ insert: { mention: { id: 1, value: name } } }]))).toMatchObject([
      { inlines: [{ text: '@' }] },
    ]);
  });

  test('of any JSON is read without an error, and never links to a script', () => {
    const value = fc.jsonValue();
    const op = fc.record({ insert: value, attributes: fc.dictionary(fc.constantFrom('link', 'list', 'bold'), value) });
    fc.assert(
      fc.property(fc.array(fc.oneof(op, value)), (ops) => {
        for (const { inlines } of readDelta(JSON.stringify(ops)))
          for (const { link } of inlines) if (link !== undefined) expect(link).toMatch(/^(?:https?|mailto|tel):/);
      }),
    );
  });
});

test.for([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'blob:https://a.test/1',
  '//evil.test',
  '/portal/post/1',
  42,
])('%s is no link', (address) => expect(webAddress(address)).toBeUndefined());

test('addresses of the web and of mail are links', () => {
  expect(webAddress('https://acme.example/a?b#c')).toBe('https://acme.example/a?b#c');
  expect(webAddress('tel:+39-02-1234')).toBe('tel:+39-02-1234');
  expect(webAddress('mailto:ada@acme.example')).toBe('mailto:ada@acme.example');
});
