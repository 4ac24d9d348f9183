import { gzipSync } from 'node:zlib';
import { escapeCell, unescapeCell } from '@portico/contract';
import { describe, expect, it } from 'vitest';
import {
  ask,
  current,
  file,
  history,
  type Json,
  labels,
  ndjson,
  posts,
  refusals,
  run,
  useImports,
} from './import.fixture.ts';
import { runImport } from './import.ts';
import { describeReport } from './report.ts';

useImports();

describe('columns become parts of posts', () => {
  const mapping = `
externalId: {column: id, prefix: order-}
title: name
body: {column: text, format: markdown}
author: {name: {template: "{first} {last}"}, email: mail}
created: {column: made, date: DD.MM.YYYY HH:mm, timezone: Europe/Rome}
visibility: {column: secret, map: {yes: private, no: public}}
hashtags: {column: tags, split: ";"}
state: {column: state, default: Open}
workflow: {title: Order, states: [{name: Open, initial: true}, {name: Done, terminal: true}]}
csv: {delimiter: ";", encoding: windows-1252}
fields:
  amount: {column: amount, type: DECIMAL, decimal: ",", thousands: ".", digits: 2, sortable: true}
  pieces: {column: pieces, type: INT}
  due: {column: due, type: DATE, date: D/M/YYYY}
  paid: {column: paid, type: FLAG, yes: [ja], no: [nein]}
  country: {column: country, type: ENUM, catalog: Countries}
  city: {column: city, type: HIERARCHICAL_ENUM, parent: country, catalog: Cities}
  colours: {column: colours, type: ENUM_LIST, split: "|", values: [red]}
  helpers: {column: helpers, type: GENERIC_ENTITY_LIST, of: user, split: "|"}
  source: {value: old shop, type: STRING, label: Source}`;
  const header =
    'id;name;text;first;last;mail;made;secret;tags;state;amount;pieces;due;paid;country;city;colours;helpers';

  it('of all kinds, from CSV of another encoding', async () => {
    const rows = [
      header,
      '1;Café;# Big\n;Ada;Rossi;ada@example.org;29.02.2024 13:00;no;"urgent;new";;1.234,50;7;1/3/2024;ja;Italy;Rome;red|blue;Ada Rossi <ada@example.org>|Bob Stone',
      '2;Thé;;Bob;Stone;;01.07.2024 10:00;yes;;Done;0,5;;;nein;France;Rome;;',
    ];
    rows[1] = rows[1]!.replace('# Big\n', '"# Big\nwords"');
    const bytes = Buffer.from(rows.join('\r\n'), 'latin1');
    const scope = await current().tenant.scope(current().tenant.systemUserId);
    const report = await runImport(scope, {
      file: await file('rows.csv.gz', gzipSync(bytes)),
      mapping: await file('map.yaml', `${mapping}\ncommunity: {managers: [boss@example.org]}\n`),
      workspace: 'Office',
      community: 'Orders',
    });
    expect(report).toMatchObject({ rows: 2, created: 2, refused: 0, refusals: [] });
    const found = await posts();
    const first = found.get('order-1')!;
    expect(first).toMatchObject({ title: 'Café', visibility: 2, creationTimestamp: Date.UTC(2024, 1, 29, 12) });
    expect(first.creatorUser).toMatchObject({ firstName: 'Ada', lastName: 'Rossi' });
    expect(first.descriptionPlainText).toBe('Big\nwords\n#urgent #new');
    expect(first.descriptionDelta).toContain('"header":1');
    expect(first.hashtags.map((tag: Json) => tag.name).sort()).toEqual(['new', 'urgent']);
    expect(first.currentWorkflowState.name).toBe('Open');
    expect(first.fields).toMatchObject({
      amount: 1234.5,
      pieces: 7,
      due: Date.UTC(2024, 2, 1),
      paid: true,
      source: 'old shop',
    });
    expect(labels(first.fields.country)).toEqual(['Italy']);
    expect(first.fields.helpers.map((user: Json) => user.lastName)).toEqual(['Rossi', 'Stone']);
    expect(first.fields.helpers[0].id).toBe(first.creatorUser.id);
    expect(first.fields.colours).toHaveLength(2);
    const second = found.get('order-2')!;
    expect(second).toMatchObject({ visibility: 1 });
    expect(second.currentWorkflowState.name).toBe('Done');
    expect(second.fields).toMatchObject({ amount: 0.5, paid: false });
    // Rome in France is another entry than Rome in Italy.
    expect(labels(second.fields.city)).toEqual(['Rome']);
    expect(second.fields.city[0].id).not.toBe(first.fields.city[0].id);
  });

  it('and a bad row loses only itself, with row, column, value and reason', async () => {
    const rows = [
      header,
      '1;One;;A;B;;01.01.2024 10:00;no;;;1;1;;;;;;',
      '2;Two;;A;B;;1.1.2024;no;;;x;1;;vielleicht;;;;',
      '3;Three;;A;B;;01.01.2024 10:00;maybe;;;1;1;;;;;;',
      '4;Four;;A;B;;01.01.2024 10:00;no;;;1',
      '1;Again;;A;B;;01.01.2024 10:00;no;;;1;1;;;;;;',
      ';None;;A;B;;01.01.2024 10:00;no;;;1;1;;;;;;',
      '7;Seven;;A;B;;01.01.2024 10:00;no;;;1,234;99999999999;;;;;;',
      `8;Eight;;A;B;;01.01.2024 10:00;no;;;1;1;;;${'x'.repeat(300)};;;`,
      '9;"Nine;;A;B;;01.01.2024 10:00;no;;;1;1;;;;;;',
      '10;Ten;;A;B;;01.01.2024 10:00;no;;;1;1;;;;;;',
    ];
    const report = await run(rows.join('\n'), mapping.replace(', encoding: windows-1252', ''));
    expect(report).toMatchObject({ rows: 10, created: 2, refused: 8 });
    expect(refusals(report)).toEqual([
      { line: 3, column: 'amount', value: 'x', lost: 'row' },
      { line: 3, column: 'paid', value: 'vielleicht', lost: 'row' },
      { line: 3, column: 'made', value: '1.1.2024', lost: 'row' },
      { line: 4, column: 'secret', value: 'maybe', lost: 'row' },
      { line: 5, column: undefined, value: '4;Four;;A;B;;01.01.2024 10:00;no;;;1', lost: 'row' },
      { line: 6, column: 'id', value: 'order-1', lost: 'row' },
      { line: 7, column: 'id', value: undefined, lost: 'row' },
      { line: 8, column: 'amount', value: '1.234', lost: 'row' },
      { line: 8, column: 'pieces', value: '99999999999', lost: 'row' },
      { line: 9, column: 'country', value: `${'x'.repeat(80)}…`, lost: 'row' },
      { line: 10, column: undefined, value: '9;"Nine;;A;B;;01.01.2024 10:00;no;;;1;1;;;;;;', lost: 'row' },
    ]);
    expect([...(await posts()).keys()]).toEqual(['order-1', 'order-10']);
    const text = describeReport(report);
    expect(text).toContain('row at line 4, column secret, "maybe": it is neither "private" nor "public"');
    expect(text).toContain('10 rows: 2 created, 0 edited, 0 unchanged, 8 not taken.');
  });

  it('and cells that the command line escaped against formulas are what they were', async () => {
    const titles = [
      '=1+1',
      '+1',
      '-1',
      '@A1',
      '\tindented',
      '\rreturned',
      "'=quoted before",
      "it's",
      "'quoted'",
      'plain',
    ];
    const cells = titles.map((title, index) => `${index},"${escapeCell(title)}",-${index}.5,'-1`);
    const report = await run(
      ['id,name,amount,marked', ...cells].join('\r\n'),
      `externalId: id
fields:
  name: {column: name, type: STRING}
  amount: {column: amount, type: DECIMAL, digits: 1}
  marked: {column: marked, type: INT}`,
    );
    expect(report).toMatchObject({ created: titles.length, refusals: [] });
    const found = await posts();
    for (const [index, title] of titles.entries()) {
      expect(unescapeCell(escapeCell(title))).toBe(title);
      const { name, amount, marked } = found.get(String(index))!.fields;
      expect([name.trim(), amount, marked]).toEqual([title.trim(), -index - 0.5, -1]);
    }
  });

  it('and a column that no row has is told before anything is written', async () => {
    await expect(run('id,name\n1,a', 'externalId: id\ntitle: titel')).rejects.toThrow(
      /no row has "titel"; there are: id, name/,
    );
    const template = 'externalId: {template: "{project}-{id}"}\ntitle: {template: "{name} {nmae}"}';
    await expect(run('id,name\n1,a', template)).rejects.toThrow(/no row has "project", "nmae"; there are: id, name/);
    await expect(run('', 'externalId: id')).rejects.toThrow(/is empty/);
    await expect(run('id\n1', 'externalId: id', { file: '/nowhere/x.csv' })).rejects.toThrow(/cannot be read/);
  });
});

describe('repeats', () => {
  const mapping = `
externalId: id
title: title
body: text
state: state
workflow: {title: W, states: [{name: New, initial: true}, {name: Old}], transitions: [{name: age, from: New, to: Old}]}
fields:
  tag: {column: tag, type: ENUM, values: [a]}
  next: {column: next, type: GENERIC_ENTITY_LIST, of: post}`;
  const rows = [
    { id: '1', title: 'One', text: 'a', state: 'New', tag: 'a', next: ['3', '2'] },
    { id: '2', title: 'Two', text: 'b', state: 'Old', tag: 'b', next: ['2'] },
    { id: '3', title: 'Three', state: 'New', next: ['1', '99'] },
  ];

  it('resolve forward references, loops too, and say which have no post', async () => {
    const report = await run(rows, mapping);
    expect(report).toMatchObject({ created: 3, refused: 0 });
    expect(refusals(report)).toEqual([{ line: 3, column: 'next', value: '99', lost: 'value' }]);
    const found = await posts();
    const next = (id: string) => found.get(id)!.fields.next.map((post: Json) => post.title);
    expect([next('1'), next('2'), next('3')]).toEqual([['Three', 'Two'], ['Two'], ['One']]);
    // References that waited are part of the creation: the history shows no edit.
    expect((await history(found.get('1')!.id)).map((event) => event.typeId)).toEqual([1]);
  });

  it('touch nothing that has not changed, and edit what has', async () => {
    await run(rows, mapping);
    const before = await posts();
    const again = await run(rows, mapping);
    expect(again).toMatchObject({ created: 0, edited: 0, unchanged: 3 });
    expect(Object.values(again.made).every((made) => made === 0)).toBe(true);
    expect(await posts()).toEqual(before);
    const changed = [
      rows[0],
      { ...rows[1], title: 'Zwei', state: 'New', tag: undefined },
      { ...rows[2], state: 'Old' },
      { id: '99', title: 'Late', state: 'New' },
    ];
    const report = await run(changed, mapping);
    expect(report).toMatchObject({ created: 1, edited: 2, unchanged: 1, refusals: [] });
    const after = await posts();
    // The reference shows the new title of its post.
    const own = (post: Json | undefined) => ({ ...post, customData: undefined, fields: undefined });
    expect(own(after.get('1'))).toEqual(own(before.get('1')));
    expect(after.get('2')).toMatchObject({ id: before.get('2')!.id, title: 'Zwei' });
    expect(after.get('2')!.fields.tag ?? null).toBe(null);
    expect(after.get('2')!.currentWorkflowState.name).toBe('New');
    expect(after.get('3')!.fields.next.map((post: Json) => post.title)).toEqual(['One', 'Late']);
    // A transition leads from New to Old, but none from Old to New.
    expect((await history(after.get('3')!.id)).map((event) => event.typeId)).toEqual([1, 2, 6]);
    expect((await history(after.get('2')!.id)).map((event) => event.typeId)).toEqual([1, 2, 2]);
    expect(await run(changed, mapping)).toMatchObject({ created: 0, edited: 0, unchanged: 4 });
  });

  it('are taken up where one was cut off between the passes', async () => {
    await run(rows, mapping);
    const db = current().portal.services.databases.for(current().tenant.tenant.id);
    await db.execute(`UPDATE import_records SET fingerprint = '' WHERE tenant_id = $1 AND external_id = '1'`, [
      db.tenantId,
    ]);
    expect(await run(rows, mapping)).toMatchObject({ edited: 1, unchanged: 2 });
    expect((await posts()).get('1')!.fields.next).toHaveLength(2);
    expect(await run(rows, mapping)).toMatchObject({ edited: 0, unchanged: 3 });
  });

  it('leave posts alone that were deleted in the portal, and those of other communities', async () => {
    await run(rows, mapping);
    const db = current().portal.services.databases.for(current().tenant.tenant.id);
    await db.execute(`UPDATE posts SET deleted_at = now() WHERE tenant_id = $1 AND client_uid = '2'`, [db.tenantId]);
    const report = await run([rows[0], { ...rows[1], title: 'Back' }, rows[2]], mapping);
    expect(report).toMatchObject({ edited: 0, refused: 1 });
    expect(report.refusals[0]).toMatchObject({ line: 2, column: 'id', value: '2' });
    expect(report.refusals[0]!.reason).toContain('deleted');
    const elsewhere = await run([rows[0]], mapping, { community: 'Other' });
    expect(elsewhere).toMatchObject({ created: 0, refused: 1 });
    expect(elsewhere.refusals[0]!.reason).toContain('another community');
  });

  it('keep values of fields that the mapping does not know', async () => {
    await run(rows, mapping);
    const smaller = mapping.slice(0, mapping.indexOf('  next:'));
    expect(await run(rows, smaller)).toMatchObject({ edited: 3 });
    expect((await posts()).get('1')!.fields.next).toHaveLength(2);
  });
});

describe('a dry run', () => {
  it('reports the same and keeps nothing', async () => {
    const mapping = `
externalId: id
title: title
author: author
fields: {kind: {column: kind, type: ENUM}, ref: {column: ref, type: GENERIC_ENTITY_LIST, of: post}}
changes: {externalId: id, at: at, author: who}`;
    const rows = [
      { id: 'a', title: 'A', author: 'Ada Rossi', kind: 'x', ref: 'b' },
      { id: 'b', title: '' },
      { id: 'c', title: 'C', ref: 'zz' },
    ];
    const changes = await file(
      'changes.ndjson',
      ndjson([
        { id: 'a', at: '2020-01-01', who: 'Bob Stone' },
        { id: 'q', at: '2020-01-01' },
      ]),
    );
    const counts = async () => {
      const db = current().portal.services.databases.for(current().tenant.tenant.id);
      const tables = [
        'workspaces',
        'communities',
        'users',
        'fields',
        'posts',
        'history_events',
        'changes',
        'import_records',
        'community_roles',
      ];
      const sql = tables.map((table) => `(SELECT count(*) FROM ${table} WHERE tenant_id = $1) AS ${table}`).join(', ');
      const [row] = await db.query<Json>(
        `SELECT ${sql}, (SELECT row(v.*)::text FROM tenant_versions v WHERE tenant_id = $1) AS versions`,
        [db.tenantId],
      );
      return row;
    };
    const before = await counts();
    const dry = await run(rows, mapping, { dryRun: true, changes });
    expect(await counts()).toEqual(before);
    expect(dry.dryRun).toBe(true);
    const real = await run(rows, mapping, { changes });
    expect({ ...real, dryRun: true, seconds: 0 }).toEqual({ ...dry, seconds: 0 });
    expect(real).toMatchObject({ created: 3, changes: { read: 2, written: 1, known: 0 } });
  });
});

describe('comments and changes', () => {
  const mapping = `
externalId: id
title: title
author: author
created: made
comments:
  - {forEach: notes, text: {item: text}, author: {item: by}, at: {item: at}}
  - {text: remark}
changes: {forEach: posts, externalId: {item: id}, at: when, author: by, note: why}`;
  const rows = [
    {
      id: '1',
      title: 'One',
      author: 'Ada Rossi',
      made: '2020-01-01',
      remark: 'aside',
      notes: [
        { text: 'first', by: 'Bob Stone', at: '2020-01-02' },
        { text: 'second', by: 'Ada Rossi', at: '2020-01-03' },
        { text: '', by: 'Bob Stone' },
      ],
    },
    { id: '2', title: 'Two', author: 'Cy Day', made: '2021-01-01' },
  ];

  it('come with their authors and times, once', async () => {
    const changes = await file(
      'changes.ndjson',
      ndjson([
        { when: '2022-05-01T10:00:00Z', by: 'Bob Stone', why: 'last', posts: [{ id: '1' }, { id: '2' }] },
        { when: '2019-12-31T00:00:00Z', by: 'Dee Fox', why: 'begin', posts: [{ id: '1' }] },
        { when: '2020-06-01T10:00:00Z', by: 'Ada Rossi', why: 'twice', posts: [{ id: '1' }, { id: '1' }] },
        { when: 'never', posts: [{ id: '1' }] },
      ]),
    );
    const report = await run(rows, mapping, { changes });
    expect(report).toMatchObject({ created: 2, comments: 3, changes: { read: 6, written: 5, known: 0 } });
    expect(report.refusals).toMatchObject([{ file: 'changes', line: 4, column: 'when', value: 'never' }]);
    const found = await posts();
    const one = found.get('1')!;
    const { items } = await ask('POST', `/communication/posts/data/comments-list/${one.id}`, { pageSize: 10 });
    expect((items as Json[]).map((comment) => [comment.commentPlainText, comment.creatorUser.lastName])).toEqual([
      ['second', 'Rossi'],
      ['first', 'Stone'],
      ['aside', 'System'],
    ]);
    const events = (await history(one.id)).filter((event) => event.typeId <= 2);
    expect(events.map((event) => [event.typeId, event.timestamp, event.authorUser.lastName, event.notes])).toEqual([
      [1, Date.UTC(2019, 11, 31), 'Fox', 'begin'],
      [2, Date.UTC(2020, 5, 1, 10), 'Rossi', 'twice'],
      [2, Date.UTC(2020, 5, 1, 10), 'Rossi', 'twice'],
      [2, Date.UTC(2022, 4, 1, 10), 'Stone', 'last'],
    ]);
    expect(one).toMatchObject({
      creationTimestamp: Date.UTC(2020, 0, 1),
      lastModifyTimestamp: Date.UTC(2022, 4, 1, 10),
    });
    expect(one.lastModifyUser.lastName).toBe('Stone');
    const again = await run(rows, mapping, { changes });
    expect(again).toMatchObject({ unchanged: 2, comments: 0, changes: { written: 0, known: 5 } });
    const more = [
      { ...rows[0], notes: [...rows[0]!.notes!.slice(0, 2), { text: 'third', by: 'Cy Day', at: '2020-01-05' }] },
      rows[1],
    ];
    expect(await run(more, mapping)).toMatchObject({ edited: 1 });
    expect((await posts()).get('1')!.commentsCount).toBe(4);
  });
});

describe('choices of the mapping', () => {
  it('say what becomes of values that do not fit, and how text is written', async () => {
    const mapping = `
externalId: {columns: [area, no], join: "-"}
title: {column: meta.title, default: Untitled}
body: {column: text, format: delta}
watchers: {column: cc, split: ","}
pinned: pin
fields:
  size: {column: size, type: INT, onError: drop}
  grade: {column: grade, type: ENUM, values: [A, B], addValues: false}
  unit: {column: unit, type: STRING, map: {kg: kilogram, "?": null}, unmapped: refuse}
  days: {column: days, type: STRING, as: date, join: "; "}
  stars: {column: stars, type: FEEDBACK, maximum: 5}
  page: {column: page, type: LINK}`;
    const row = {
      area: 'x',
      no: 1,
      meta: { title: 'T' },
      text: [{ insert: 'rich', attributes: { bold: true } }, { insert: '\n' }],
    };
    const report = await run(
      [
        {
          ...row,
          cc: 'Ada Rossi, Bob Stone',
          pin: 'yes',
          size: 'big',
          grade: 'A',
          unit: 'kg',
          days: [0, 86_400_000],
          stars: 4,
          page: 'https://example.org/a',
        },
        { ...row, no: 2, meta: {}, unit: '?', grade: 'C' },
        { ...row, no: 3, unit: 'stone' },
        { ...row, no: 4, text: '{"not":"a delta"}' },
        { ...row, no: 5, stars: 6, page: 'nowhere' },
        { ...row, no: 6, meta: {}, text: undefined },
      ],
      mapping,
    );
    expect(report).toMatchObject({ created: 2, refused: 4 });
    expect(refusals(report)).toEqual([
      { line: 1, column: 'size', value: 'big', lost: 'value' },
      { line: 2, column: 'grade', value: 'C', lost: 'row' },
      { line: 3, column: 'unit', value: 'stone', lost: 'row' },
      { line: 4, column: 'text', value: '…', lost: 'row' },
      { line: 5, column: 'stars', value: '6', lost: 'row' },
      { line: 5, column: 'page', value: 'nowhere', lost: 'row' },
    ]);
    const found = await posts();
    const one = found.get('x-1')!;
    expect(one.fields).toMatchObject({
      unit: 'kilogram',
      days: '1970-01-01; 1970-01-02',
      stars: 4,
      page: 'https://example.org/a',
    });
    expect(one.descriptionDelta).toContain('"bold":true');
    expect(one.watcherUsers).toHaveLength(2);
    expect(found.get('x-6')).toMatchObject({ title: 'Untitled' });
  });

  it('a later file may tell an earlier change', async () => {
    const mapping = 'externalId: id\ntitle: title\nchanges: {externalId: id, at: at, note: why}';
    const rows = [{ id: 'a', title: 'A' }];
    const told = async () => (await history((await posts()).get('a')!.id)).map((event) => [event.typeId, event.notes]);
    const first = await file('first.ndjson', ndjson([{ id: 'a', at: '2020-01-02', why: 'begin' }]));
    await run(rows, mapping, { changes: first });
    expect(await told()).toEqual([[1, 'begin']]);
    const later = await file('later.ndjson', ndjson([{ id: 'a', at: '2020-01-01', why: 'before' }]));
    await run(rows, mapping, { changes: later });
    expect(await told()).toEqual([
      [2, 'before'],
      [1, 'begin'],
    ]);
  });
});
