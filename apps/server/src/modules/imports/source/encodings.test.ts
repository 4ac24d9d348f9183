import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodings, StrictDecoder } from '@portico/contract/encodings';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonRows } from '../documents/json-rows.ts';
import { likelyEncoding } from './encodings.ts';
import { openInput } from './input-lines.ts';
import { type InputRecord, readRecords } from './records.ts';
import { Undecoded } from './undecoded.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portico-encodings-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const utf16 = (text: string, big: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
/** Encodes a text in a single-byte encoding. */
function encoded(text: string, encoding: string): Buffer {
  const decoder = new StrictDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Buffer.of(byte)), byte]));
  return Buffer.from([...text].map((character) => bytes.get(character)!));
}

async function read(content: Buffer, { name = 'rows.csv', encoding = undefined as string | undefined } = {}) {
  const path = join(directory, 'input');
  await writeFile(path, content);
  const undecoded = new Undecoded(true);
  const file = await openInput(path, { name });
  const format = name.endsWith('.csv') ? 'csv' : 'ndjson';
  const rows: InputRecord[] = [];
  for await (const row of readRecords(file, { format, csv: { quote: '"', encoding }, undecoded })) rows.push(row);
  return { rows, whole: () => undecoded.refuseOtherEncoding(name), undecoded };
}
const names = ({ rows }: { rows: readonly InputRecord[] }) => rows.map(({ values }) => values?.['name']);

const TEXT = 'id,name\r\n1,Zürich\r\n2,"日本\r\n語"\r\n3,😀\r\n';
const NAMES = ['Zürich', '日本\n語', '😀'];
const MARK = '\ufeff';

describe('the encoding of a file', () => {
  it.each([
    ['utf-8', Buffer.from(TEXT)],
    ['utf-8 with a mark', Buffer.from(MARK + TEXT)],
    ['utf-16le with a mark', utf16(MARK + TEXT, false)],
    ['utf-16be with a mark', utf16(MARK + TEXT, true)],
    ['utf-16le without a mark', utf16(TEXT, false)],
    ['utf-16be without a mark', utf16(TEXT, true)],
    ['utf-16le in a compressed file', gzipSync(utf16(TEXT, false))],
  ])('is told by its first bytes: %s', async (_, content) => expect(names(await read(content))).toEqual(NAMES));

  it('is told where most signs have no zero byte', async () => {
    const text = `番号,name\n${'一,上海北京東京都上上上上\n'.repeat(50)}`;
    for (const big of [true, false])
      expect(new Set(names(await read(utf16(text, big))))).toEqual(new Set(['上海北京東京都上上上上']));
  });

  it.each(['{"id":1,"name":"Zürich"}\n{"id":2,"name":"日本"}', '{"id":1,"name":"Zürich"}'])(
    'is told of JSON: %s',
    async (text) => {
      const expected = names(await read(Buffer.from(text), { name: 'rows.ndjson' }));
      for (const mark of ['', MARK]) {
        for (const big of [true, false]) {
          const content = utf16(mark + text, big);
          expect(names(await read(content, { name: 'rows.ndjson' }))).toEqual(expected);
          const document = utf16(`${mark}[${text.replace('\n', ',')}]`, big);
          expect([...(await jsonRows(document, { path: [] })).rows].map(({ values }) => values?.['name'])).toEqual(
            expected,
          );
        }
      }
    },
  );

  it('is not UTF-16 because of a NUL character', async () => {
    const { rows } = await read(Buffer.from('id,name\n1,a\0b\n2,c\n3,\0\n'));
    expect(rows.map(({ values }) => values?.['name'])).toEqual(['a\0b', 'c', '\0']);
  });

  it('is the one of the mark, whatever the mapping names; of zero bytes only where it names none', async () => {
    expect(names(await read(utf16(MARK + TEXT, false), { encoding: 'windows-1252' }))).toEqual(NAMES);
    await expect(read(utf16(TEXT, false), { encoding: 'windows-1252' })).rejects.toThrow(/likely utf-16le/);
    await expect(read(Buffer.concat([Buffer.of(0xff, 0xfe, 0, 0), Buffer.from(TEXT)]))).rejects.toThrow(/utf-32le/);
  });

  it.each(encodings.filter((encoding) => !encoding.startsWith('utf-')))('may be named: %s', async (encoding) => {
    const { rows } = await read(Buffer.from('id,name\n1,a\n'), { encoding });
    expect(rows.map(({ values }) => values)).toEqual([{ id: '1', name: 'a' }]);
  });

  it('named windows-1252 has all its signs, and no others', async () => {
    const text = 'id,name\n1,€ „Größe“ – ™\n2,é\n';
    const content = encoded(text, 'windows-1252');
    for (const encoding of ['windows-1252', 'iso-8859-1'])
      expect(names(await read(content, { encoding }))).toEqual(['€ „Größe“ – ™', 'é']);
    const stray = Buffer.concat([content, Buffer.from('3,'), Buffer.of(0x81), Buffer.from('\n')]);
    const { rows } = await read(stray, { encoding: 'windows-1252' });
    expect(rows.map(({ error }) => error?.column)).toEqual([undefined, undefined, 'name']);
  });
});

describe('text that the encoding cannot decode', () => {
  it('refuses its row, and names the likely encoding', async () => {
    const good = 'id,name\n1,Zürich\n2,"two\nlines"\n4,\ufffd\n';
    const { rows, whole } = await read(
      Buffer.concat([Buffer.from(good), Buffer.from('5,"x\ncaf\xe9"\n6,ok\n', 'latin1')]),
    );
    expect(rows.map(({ line, error }) => [line, error?.column])).toEqual([
      [2, undefined],
      [3, undefined],
      [5, undefined],
      [6, 'name'],
      [8, undefined],
    ]);
    expect(rows[3]?.error?.reason).toMatch(/^it is not text in utf-8; the file is likely windows-1252/);
    expect(rows[2]?.damaged).toBe(true);
    await whole();
  });

  it('refuses the row of the names of columns, and so the file', async () => {
    await expect(read(Buffer.from('id,Gr\xf6\xdfe\n1,a\n', 'latin1'))).rejects.toThrow(/likely windows-1252/);
  });

  it('refuses a file that is mostly of another encoding', async () => {
    for (const [text, encoding] of [
      ['id,name\n1,Müller säätö\n2,Größe\n3,käyttäjä\n', 'windows-1252'],
      ['id,name\n1,Привет как дела\n2,это длинный текст\n3,сегодня\n', 'windows-1251'],
    ] as const) {
      const { rows, whole } = await read(encoded(text, encoding));
      expect(rows.every(({ error }) => error?.reason.includes(encoding))).toBe(true);
      await expect(whole()).rejects.toThrow(new RegExp(`cannot be decoded, the first is line 2; .* ${encoding}`));
    }
  });

  it('refuses a file in which other rows may be decoded by chance', async () => {
    // In GB18030, the signs of the third row are bytes of UTF-8 as well.
    const rows = [Buffer.from('id,name\n1,'), Buffer.of(0xd6, 0xd0, 0xce, 0xc4, 0xb2, 0xe2), Buffer.from('\n2,a\n3,')];
    const chance = [
      Buffer.of(0xc4, 0xa3),
      Buffer.from('\n4,a\n5,'),
      Buffer.of(0xb2, 0xe2),
      Buffer.from('\n6,a\n7,b\n'),
    ];
    const { whole } = await read(Buffer.concat([...rows, ...chance]));
    await expect(whole()).rejects.toThrow(/is not utf-8: 2 of its 8 lines/);
  });

  it('refuses elements of a JSON document, or the document', async () => {
    const element = (name: string) => Buffer.from(`{"name":"${name}"}`, 'latin1');
    const list = (...elements: Buffer[]) =>
      Buffer.concat([
        Buffer.from('['),
        ...elements.flatMap((one, at) => (at > 0 ? [Buffer.from(','), one] : [one])),
        Buffer.from(']'),
      ]);
    const { rows } = await jsonRows(list(element('a'), element('caf\xe9'), element('b')), { path: [] });
    expect([...rows].map(({ error }) => error?.reason)).toEqual([
      undefined,
      'it is not text in utf-8; the file is likely windows-1252 (save it as UTF-8)',
      undefined,
    ]);
    await expect(
      jsonRows(list(element('Gr\xf6\xdfe'), element('caf\xe9'), element('b')), { path: [] }),
    ).rejects.toThrow(/not text in utf-8; the file is likely windows-1252/);
  });

  it('is never changed: each text is read exactly or not at all', async () => {
    const bytes = fc
      .uint8Array({ minLength: 1, maxLength: 40 })
      .map((array) => Buffer.from(array.map((byte) => (byte < 0x20 || byte === 0x22 || byte === 0x2c ? 0x61 : byte))));
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            bytes,
            fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text.replace(/[\s",\p{Cc}]/gu, 'x'))),
          ),
          { minLength: 1, maxLength: 20 },
        ),
        async (cells) => {
          const content = Buffer.concat([
            Buffer.from('id,name\n'),
            ...cells.flatMap((cell) => [Buffer.from('1,'), cell, Buffer.from('\n')]),
          ]);
          const { rows } = await read(content);
          for (const [index, { values, error }] of rows.entries()) {
            const same = Buffer.from(String(values?.['name'])).equals(cells[index]!);
            expect(same).toBe(error === undefined);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is guessed for a message alone, among the encodings that a mapping may name', async () => {
    for (const [text, encoding] of [
      ['příliš žluťoučký kůň úpěl', 'windows-1250'],
      ['Привет как дела это длинный текст', 'koi8-r'],
      ['Καλημέρα κόσμε αυτό είναι', 'iso-8859-7'],
    ] as const)
      expect(await likelyEncoding(encoded(text, encoding), 'utf-8')).toBe(encoding);
    // Too short for a guess.
    expect(await likelyEncoding(Buffer.of(0xe9), 'utf-8')).toBe('windows-1252');
    expect(await likelyEncoding(Buffer.of(0x81), 'windows-1252')).not.toBe('windows-1252');
  });
});
