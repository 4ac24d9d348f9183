/** Values are imported exactly, or not at all. */
import { describe, expect, it } from 'vitest';
import { posts, refusals, run, useImports } from './import.fixture.ts';

useImports();
const HEAD = 'externalId: id\ntitle: id\nfields:\n';

describe('a whole number', () => {
  it('with a point is refused, unless the mapping says which mark that is', async () => {
    const rows = 'id,q\n1,1.000\n2,12.000\n3,1.500\n4,12\n';
    const values = async () => [...(await posts()).values()].map((post) => post['fields'].q);
    expect(await run(rows, `${HEAD}  q: {column: q, type: INT}\n`, { dryRun: true })).toMatchObject({ refused: 3 });
    expect(await run(rows, `${HEAD}  q: {column: q, type: INT, thousands: "."}\n`)).toMatchObject({ refused: 0 });
    expect(await values()).toEqual([1000, 12_000, 1500, 12]);
    const decimal = await run(rows, `${HEAD}  q: {column: q, type: INT, decimal: "."}\n`);
    expect(refusals(decimal)).toEqual([{ line: 4, column: 'q', value: '1.500', lost: 'row' }]);
    expect(await values()).toEqual([1, 12, 1500, 12]);
  });

  it('keeps all digits in JSON', async () => {
    const fields = '  big: {column: big, type: BIGINT}\n  text: {column: text, type: STRING}\n';
    const row = (id: number) => `{"id":${id},"big":9007199254740993,"text":[12345678901234567890]}`;
    expect(await run(Buffer.from(row(1)), HEAD + fields, { name: 'r.ndjson' })).toMatchObject({ created: 1 });
    expect(await run(Buffer.from(`[${row(2)}]`), HEAD + fields, { name: 'r.json' })).toMatchObject({ created: 1 });
    for (const { fields: found } of (await posts()).values() as Iterable<{ fields: object }>)
      expect(found).toEqual({ big: '9007199254740993', text: '12345678901234567890' });
  });
});

it('a label is found in composed and decomposed form', async () => {
  const mapping = `${HEAD}  city: {column: city, type: ENUM, values: [Zürich], addValues: false}\n`;
  expect(await run('id,city\n1,Zu\u0308rich\n2,Z\u00fcrich\n', mapping)).toMatchObject({ created: 2, refused: 0 });
  const cities = [...(await posts()).values()].map((post) => post['fields'].city);
  expect(new Set(cities).size).toBe(1);
});

describe('a value that cannot be taken', () => {
  const fields = (onError: string) =>
    [
      `  small: {column: small, type: INT, onError: ${onError}}`,
      `  price: {column: price, type: DECIMAL, digits: 2, onError: ${onError}}`,
      `  grade: {column: grade, type: ENUM, values: [A], addValues: false, onError: ${onError}}`,
      `  code: {column: code, type: STRING, validations: [{rule: MAX_LENGTH, parameter: 3}], onError: ${onError}}`,
    ].join('\n');
  // Programs that calculate in binary fractions write the second price for 656.64: it is another
  // number, and nothing is rounded.
  const rows = [
    'id,small,price,grade,code',
    '1,1.500,1,A,abc',
    '2,99999999999,2,A,abc',
    '3,3,656.639999999999,A,abc',
    '4,4,4,B,abc',
    '5,5,5,A,abcd',
    '6,99999999999,0.001,B,abcd',
  ].join('\n');
  const columns = [['small'], ['small'], ['price'], ['grade'], ['code'], ['code', 'grade', 'price', 'small']];

  it('refuses its row', async () => {
    for (const dryRun of [true, false])
      expect(await run(rows, HEAD + fields('refuse'), { dryRun })).toMatchObject({ created: 0, refused: 6 });
  });

  it('is left out where the mapping says so, when the post is made and when it is edited', async () => {
    const expectLost = (report: Parameters<typeof refusals>[0]) => {
      const lost = refusals(report);
      expect(lost.every((refusal) => refusal.lost === 'value')).toBe(true);
      expect(
        columns.map((_, row) =>
          lost
            .filter(({ line }) => line === row + 2)
            .map(({ column }) => column)
            .sort(),
        ),
      ).toEqual(columns);
    };
    for (const dryRun of [true, false]) {
      const report = await run(rows, HEAD + fields('drop'), { dryRun });
      expect(report).toMatchObject({ created: 6, refused: 0 });
      expectLost(report);
    }
    const edited = await run(rows, `${HEAD.replace('title: id', 'title: {column: id, prefix: x}')}${fields('drop')}`);
    expect(edited).toMatchObject({ edited: 6, refused: 0 });
    expectLost(edited);
    const found = [...(await posts()).values()].map(({ fields: { small, price, code } }) => [small, price, code]);
    expect(found.at(-1)).toEqual([undefined, undefined, undefined]);
    expect(found[2]).toEqual([3, undefined, 'abc']);
  });
});
