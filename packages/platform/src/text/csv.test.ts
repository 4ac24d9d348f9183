import { describe, expect, it, vi } from 'vitest';
import { type CsvRow, readCsv } from './csv.ts';

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

/** Options of {@link readCsv} that count the lines read. */
const counted = () => {
  const seen = { lines: 0, pause: () => void seen.lines++ };
  return seen;
};

async function rows(
  text: string,
  dialect: Parameters<typeof readCsv>[1] = { delimiter: ',', quote: '"' },
): Promise<CsvRow[]> {
  const found: CsvRow[] = [];
  for await (const row of readCsv(linesOf(text), dialect)) found.push(row);
  return found;
}

const cells = async (text: string) => (await rows(text)).map((row) => row.cells ?? `fault at ${row.line}`);

describe('CSV', () => {
  it('trims cells outside their quotes where asked', async () => {
    const trimmed = await rows(' a , " b, c " ,d\n "two\nlines" ,, ', { delimiter: ',', quote: '"', trim: true });
    expect(trimmed.map(({ cells }) => cells)).toEqual([
      ['a', ' b, c ', 'd'],
      ['two\nlines', '', ''],
    ]);
  });

  it('reads quoted cells with delimiters, quotes and line breaks, and knows the line a row begins on', async () => {
    expect(await rows('a,b\n"1,5","say ""hi"""\n"two\nlines",x\n\nlast,')).toMatchObject([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1,5', 'say "hi"'] },
      { line: 3, lastLine: 4, cells: ['two\nlines', 'x'] },
      { line: 6, cells: ['last', ''] },
    ]);
  });

  it('takes a quote inside a cell that is not quoted as it is', async () => {
    expect(await cells('5" disk,x\nit\'s "so",y')).toEqual([
      ['5" disk', 'x'],
      ['it\'s "so"', 'y'],
    ]);
  });

  it('loses a row whose quotes do not match, and no other', async () => {
    expect(await cells('1,a\n2,"b\n3,c\n4,d')).toEqual([['1', 'a'], 'fault at 2', ['3', 'c'], ['4', 'd']]);
    expect(await cells('1,"a"b\n2,c')).toEqual(['fault at 1', ['2', 'c']]);
    // The quote of the next valid row ends the open cell; the parser nevertheless separates the two
    // rows.
    expect(await cells('1,"a\n2,c\n3,"d"\n4,e')).toEqual(['fault at 1', ['2', 'c'], ['3', 'd'], ['4', 'e']]);
  });

  it('does not make rows of the middle of a cell whose quotes went wrong', async () => {
    expect(await cells('1,"one\ntwo "x" two\nthree",x\n2,b')).toEqual([
      'fault at 1',
      'fault at 2',
      'fault at 3',
      ['2', 'b'],
    ]);
  });

  it('reads each line of a row once, however many of its lines hold quotes', async () => {
    const lines = 4_000;
    const text = `"${'""\n'.repeat(lines)}",x\nlast,y`;
    const seen = counted();
    const found: CsvRow[] = [];
    let searched = 0;
    // Number of searched characters: a parser that starts again at each line searches them
    // thousands of times.
    const indexOf = String.prototype.indexOf;
    const spy = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, ...given) {
      searched += this.length;
      return indexOf.apply(this, given);
    });
    for await (const row of readCsv(linesOf(text), { delimiter: ',', quote: '"' }, seen)) found.push(row);
    spy.mockRestore();
    expect(found).toMatchObject([
      { line: 1, cells: ['"\n'.repeat(lines), 'x'] },
      { line: lines + 2, cells: ['last', 'y'] },
    ]);
    expect(seen.lines).toBe(lines + 3);
    expect(searched).toBeLessThan(text.length * 4);
  });

  it('takes a cell that is open for too many lines as a stray quote, and reads what comes after', async () => {
    const found = await rows(`1,"a\n${'2,b\n'.repeat(6_000)}3,c`);
    expect(found).toHaveLength(6_002);
    expect(found[0]).toMatchObject({ line: 1, error: { reason: expect.stringContaining('no " ends it') } });
    expect(found.at(-1)).toMatchObject({ line: 6_002, cells: ['3', 'c'] });
  });

  it('stops at the most cells that a row may have', async () => {
    const found: CsvRow[] = [];
    for await (const row of readCsv(linesOf('a,b\na,b,c,d\n1,2'), { delimiter: ',', quote: '"' }, { mostCells: 2 }))
      found.push(row);
    expect(found).toMatchObject([
      { cells: ['a', 'b'] },
      { line: 2, error: { reason: 'a row has at most 2 cells' } },
      { cells: ['1', '2'] },
    ]);
  });

  it('takes other delimiters and quotes', async () => {
    const semicolon = { delimiter: ';', quote: "'" };
    expect((await rows("a;'b;c';'it''s'", semicolon))[0]?.cells).toEqual(['a', 'b;c', "it's"]);
    const tab = { delimiter: '\t', quote: '"' };
    expect((await rows('a\tb,c\t', tab))[0]?.cells).toEqual(['a', 'b,c', '']);
  });
});
