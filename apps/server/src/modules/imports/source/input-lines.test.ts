import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openInput, readLines } from './input-lines.ts';
import { readRecords } from './records.ts';
import { Undecoded } from './undecoded.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portico-lines-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function input(content: string, options: { longestLine?: number } = {}) {
  const path = join(directory, 'input.csv');
  await writeFile(path, content);
  return openInput(path, { name: 'input.csv', ...options });
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of source) found.push(item);
  return found;
}

async function linesOf(content: string, options: { longestLine?: number } = {}): Promise<string[]> {
  return all(readLines(await input(content, options), { undecoded: new Undecoded(true) }));
}

describe('lines of a file', () => {
  /** Size of the chunks in which a file is read. Bytes. */
  const CHUNK = 64 * 1024;

  it.each([
    ['a\nb', ['a', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['a\rb\r', ['a', 'b']],
    ['\n\na', ['', '', 'a']],
    ['', []],
    ['\ufeffa', ['a']],
  ])('are cut at %j', async (content, expected) => expect(await linesOf(content)).toEqual(expected));

  it('are the same where a piece of the file ends within one, or within its end', async () => {
    const filled = 'x'.repeat(CHUNK - 1);
    expect(await linesOf(`${filled}\r\nb`)).toEqual([filled, 'b']);
    expect(await linesOf(`${filled}\rb`)).toEqual([filled, 'b']);
    expect(await linesOf(`${filled}yz\nb\n`)).toEqual([`${filled}yz`, 'b']);
    expect(await linesOf(`${filled}\r`)).toEqual([filled]);
  });

  it('are put together once: a long line is searched for its end once', async () => {
    let searched = 0;
    const split = String.prototype.split;
    const spy = vi.spyOn(String.prototype, 'split').mockImplementation(function (this: string, ...given: unknown[]) {
      searched += this.length;
      return Reflect.apply(split, this, given);
    });
    const length = 40 * CHUNK;
    const [line] = await linesOf('x'.repeat(length));
    spy.mockRestore();
    expect(line).toHaveLength(length);
    expect(searched).toBeLessThan(2 * length);
  });

  it('have a greatest length', async () => {
    expect(await linesOf('12345\n12345', { longestLine: 5 })).toEqual(['12345', '12345']);
    await expect(linesOf('1\n123456\n1', { longestLine: 5 })).rejects.toThrow('a line of more than 5 characters');
    await expect(linesOf('1\n123456', { longestLine: 5 })).rejects.toThrow('a line of more than 5 characters');
  });
});

describe('rows of a file', () => {
  it('ask for a pause before each line, also within a row', async () => {
    const file = await input('a,b\n"1\n2\n3",x\n4,y\n');
    let asked = 0;
    const csv = { quote: '"', delimiter: undefined, header: undefined } as const;
    const rows = await all(readRecords(file, { format: 'csv', csv, pause: () => void asked++ }));
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
    // The last time there was no further line.
    expect(asked).toBe(6);
  });

  it('name no more columns than the most', async () => {
    const file = await input('a,b,c\n1,2,3\n');
    const csv = { quote: '"', delimiter: undefined, header: undefined } as const;
    await expect(all(readRecords(file, { format: 'csv', csv, mostColumns: 2 }))).rejects.toThrow(
      'the first line does not name columns: a row has at most 2 cells',
    );
    const lines = await input('{"a":1,"b":2}\n{"a":3}\n{"b":1,"c":2}\n');
    await expect(all(readRecords(lines, { format: 'ndjson', csv, mostColumns: 3 }))).resolves.toHaveLength(3);
    await expect(all(readRecords(lines, { format: 'ndjson', csv, mostColumns: 2 }))).rejects.toThrow(
      'the rows up to line 3 have more than 2 different columns',
    );
  });
});
