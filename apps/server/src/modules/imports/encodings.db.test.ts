/** Encodings of imported files: over the API, in the trial and in the run. */
import { describe, expect, it } from 'vitest';
import { file, posts, run, useImports } from './import.fixture.ts';

useImports();
const MAPPING = 'externalId: id\ntitle: name\n';
const titles = async () => [...(await posts()).values()].map((post) => post['title']);

describe('a file', () => {
  it('in UTF-16 goes in without a word of its encoding', async () => {
    const report = await run(Buffer.from('\ufeffid,name\r\n1,Zürich 東京\r\n', 'utf16le'), MAPPING, { name: 'r.csv' });
    expect(report).toMatchObject({ created: 1, refused: 0 });
    expect(await titles()).toEqual(['Zürich 東京']);
  });

  it.each([
    ['r.csv', 'id,name\n1,good\n2,caf\xe9\n'],
    ['r.ndjson', '{"id":1,"name":"good"}\n{"id":2,"name":"caf\xe9"}\n'],
    ['r.json', '[{"id":1,"name":"good"},{"id":2,"name":"caf\xe9"}]'],
  ])('with text that is not in its encoding loses that row: %s', async (name, text) => {
    for (const dryRun of [true, false]) {
      const report = await run(Buffer.from(text, 'latin1'), MAPPING, { name, dryRun });
      expect(report).toMatchObject({ rows: 2, created: 1, refused: 1 });
      expect(report.refusals[0]?.reason).toMatch(/not text in utf-8; the file is likely windows-1252/);
    }
    expect(await titles()).toEqual(['good']);
  });

  it.each([
    ['r.csv', 'id,name\n1,Gr\xf6\xdfe\n2,s\xe4\xe4t\xf6\n3,caf\xe9\n4,a\n'],
    ['r.json', '[{"id":1,"name":"Gr\xf6\xdfe"},{"id":2,"name":"caf\xe9"},{"id":3,"name":"a"}]'],
  ])('of another encoding is refused, and nothing is made: %s', async (name, text) => {
    for (const dryRun of [true, false]) {
      await expect(run(Buffer.from(text, 'latin1'), MAPPING, { name, dryRun })).rejects.toThrow(/likely windows-1252/);
    }
    const right = await run(Buffer.from(text, 'latin1').toString('latin1'), MAPPING, { name });
    expect(right).toMatchObject({ refused: 0 });
  });
});

describe('a mapping on this machine', () => {
  it('that is not text is refused with its likely encoding, and nothing is made', async () => {
    const text = 'externalId: id\ntitle: Größe\n';
    const [wrong, wide] = [Buffer.from(text, 'latin1'), Buffer.from(`\ufeff${text}`, 'utf16le')];
    const rows = 'id,Größe\n1,M\n';
    await expect(run(rows, '', { mapping: await file('mapping.yaml', wrong) })).rejects.toThrow(
      /mapping\.yaml is not text in utf-8; it is likely windows-1252; save it as UTF-8\./,
    );
    expect(await run(rows, '', { mapping: await file('mapping.yaml', wide) })).toMatchObject({
      created: 1,
      refused: 0,
    });
    expect([...(await posts()).values()].map((post) => post['title'])).toEqual(['M']);
  });
});
