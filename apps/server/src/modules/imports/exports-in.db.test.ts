/** Files as other programs export them: rows without an id, repeated columns, documents. */
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { labels, posts, refusals, run, useImports } from './import.fixture.ts';

useImports();

describe('rows without an id', () => {
  const mapping = 'externalId: {line: true, prefix: pay-}\ntitle: what\n';
  const rows = 'what,sum\nTea,1\nTea,1\nMilk,2\n';

  it('are known by their lines, within one file', async () => {
    expect(await run(rows, mapping)).toMatchObject({ created: 3, refused: 0 });
    expect(await run(rows, mapping)).toMatchObject({ created: 0, unchanged: 3 });
    expect([...(await posts()).keys()]).toEqual(['pay-2', 'pay-3', 'pay-4']);
    await expect(run(`${rows}Tea,1\n`, mapping)).rejects.toThrow(/is another file .* prefix "pay-"/);
    expect(await run(`${rows}Tea,1\n`, mapping.replace('pay-', 'may-'))).toMatchObject({ created: 4 });
  });

  it('come after lines that are left out', async () => {
    const report = await run(`Payments of May\n\n${rows}`, `${mapping}csv: {skip: 2}\n`);
    expect(report).toMatchObject({ created: 3 });
    expect([...(await posts()).keys()]).toEqual(['pay-4', 'pay-5', 'pay-6']);
  });
});

describe('columns of one name', () => {
  const fields =
    'fields:\n  labels: {repeated: Labels, type: ENUM_LIST, catalog: L}\n  second: {column: Labels (2), type: STRING}\n';
  const mapping = `externalId: id\ntitle: name\n${fields}`;

  it('are numbered, and read together', async () => {
    const comments =
      'comments: {repeated: Note, parts: [at, who, text], text: {item: text}, author: {item: who}, at: {item: at}}\n';
    const report = await run(
      'id,name,Labels,Note,Labels,Note\n1,One,a,2024-02-29T10:00:00Z;Ada;So; it is,b,free text\n2,Two,,,c,\n',
      mapping + comments,
    );
    expect(refusals(report)).toEqual([]);
    expect(report).toMatchObject({ created: 2, comments: 2 });
    const found = await posts();
    expect(labels(found.get('1')!['fields'].labels)).toEqual(['a', 'b']);
    expect(labels(found.get('2')!['fields'].labels)).toEqual(['c']);
    expect(found.get('2')!['fields'].second).toBe('c');
  });

  it('are no row where csv.header names them again', async () => {
    const report = await run('id,t,l,l\n1,x,a,b\n', 'externalId: id\ntitle: t\ncsv: {header: [id, t, l1, l2]}\n');
    expect(report).toMatchObject({ rows: 2, created: 1, refused: 1 });
    expect(report.refusals[0]?.reason).toContain('csv: {skip: 1}');
  });
});

describe('documents', () => {
  const mapping =
    'externalId: id\ntitle: name\nfields:\n  labels: {column: labels.name, type: ENUM_LIST, catalog: L}\n';

  it('of JSON have their rows below a path, with lists of objects', async () => {
    const items = [
      { id: 1, name: 'One', labels: [{ name: 'a' }, { name: 'b' }] },
      { id: 2, name: 'Two', labels: [] },
      7,
    ];
    const text = JSON.stringify({ data: { items } });
    const report = await run(text, `${mapping}json: {rows: data.items}\n`, { name: 'r.json' });
    expect(report).toMatchObject({ rows: 3, created: 2 });
    expect(refusals(report)).toEqual([{ line: 3, column: undefined, value: '7', lost: 'row' }]);
    expect(labels((await posts()).get('1')!['fields'].labels)).toEqual(['a', 'b']);
    await expect(run(text, `${mapping}json: {rows: data}\n`, { name: 'r.json' })).rejects.toThrow(/lists in it: items/);
    await expect(run('[{', mapping, { name: 'r.json' })).rejects.toThrow(/is not JSON/);
  });

  it('that are workbooks have texts, numbers, truth values and dates', async () => {
    const sheet = workbook([
      ['Orders of May'],
      ['id', 'name', 'sum', 'paid', 'day', 'at', 'l', 'l'],
      [1, 'One & all', 12.5, true, { day: 45351 }, { moment: 45351.545138889 }, 'a', 'b'],
      [],
      [2, 'Two', null, false],
    ]);
    const fields = [
      'fields:',
      '  sum: {column: sum, type: DECIMAL}',
      '  paid: {column: paid, type: FLAG}',
      '  day: {column: day, type: DATE}',
      '  at: {column: at, type: DATETIME, timezone: Europe/Rome}',
      '  l: {repeated: l, type: ENUM_LIST, catalog: L}',
    ].join('\n');
    const report = await run(await sheet, `externalId: id\ntitle: name\nxlsx: {skip: 1}\n${fields}\n`, {
      name: 'b.xlsx',
    });
    expect(refusals(report)).toEqual([]);
    expect(report).toMatchObject({ rows: 2, created: 2 });
    const first = (await posts()).get('1')!;
    expect(first['title']).toBe('One & all');
    expect(first['fields']).toMatchObject({
      sum: 12.5,
      paid: true,
      day: Date.UTC(2024, 1, 29),
      at: Date.UTC(2024, 1, 29, 12, 5),
    });
    expect(labels(first['fields'].l)).toEqual(['a', 'b']);
  });

  it('that are hostile end the import with a reason', async () => {
    await expect(run('PK\u0003\u0004 nothing', mapping, { name: 'b.xlsx' })).rejects.toThrow(
      /no workbook that can be read/,
    );
    const far = await workbook(
      [
        ['id', 'name'],
        [1, 'One'],
      ],
      '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    );
    await expect(run(far, mapping, { name: 'b.xlsx' })).rejects.toThrow(/cannot be read/);
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    await expect(run(deep, mapping, { name: 'r.json' })).resolves.toMatchObject({ created: 0, refused: 1 });
  });
});

type TestCell = string | number | boolean | null | { day: number } | { moment: number };

/**
 * Builds a workbook with one sheet, as spreadsheet programs write it.
 * @param more rows as XML, after the others
 */
async function workbook(rows: readonly (readonly TestCell[])[], more = ''): Promise<Buffer> {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const xml = (cell: TestCell, at: string) => {
    if (cell === null) return `<c r="${at}"/>`;
    if (typeof cell === 'string') return `<c r="${at}" t="inlineStr"><is><t>${cell.replace('&', '&amp;')}</t></is></c>`;
    if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${Number(cell)}</v></c>`;
    if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
    return 'day' in cell ? `<c r="${at}" s="1"><v>${cell.day}</v></c>` : `<c r="${at}" s="2"><v>${cell.moment}</v></c>`;
  };
  const sheet = rows.map((row, index) => {
    const number = index + 1;
    const cells = row.map((cell, column) => xml(cell, `${String.fromCharCode(65 + column)}${number}`));
    return `<row r="${number}">${cells.join('')}</row>`;
  });
  const parts = {
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}"><sheets><sheet name="May" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${main}><cellXfs count="3"><xf/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${sheet.join('')}${more}</sheetData></worksheet>`,
  };
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}
