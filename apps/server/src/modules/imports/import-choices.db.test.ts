import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { setCommunityRole } from '../communities/index.ts';
import { community, current, run, useImports } from './import.fixture.ts';
import { describeReport } from './report.ts';

useImports();

const rows = [{ id: '1', title: 'One', author: 'Ada Rossi' }];
const plain = { managers: false };

/** Returns whether a user may open the only post, as a client. */
async function opens(userId: number): Promise<boolean> {
  const { tenant, portal } = current();
  const db = portal.services.databases.for(tenant.tenant.id);
  const [post] = await db.query<{ id: number }>('SELECT id FROM posts WHERE tenant_id = $1', [db.tenantId]);
  const path = `/portal/api/external/v2/communication/posts/data/post-detail-by-id/${post!.id}`;
  const { status } = await tenant.request(userId, 'GET', path);
  return status === 200;
}

describe('managers', () => {
  const mapping = 'externalId: id\ntitle: title\nauthor: author';

  it('are the first administrator, unless others are named', async () => {
    const { tenant, admin } = current();
    const later = await tenant.createUser({ admin: true });
    const person = await tenant.createUser();
    await run(rows, mapping, plain);
    expect([await opens(admin), await opens(later), await opens(person)]).toEqual([true, false, false]);
    // A repeated import gives the role to the named accounts, and leaves others unchanged.
    await run(rows, mapping, { ...plain, managerIds: [person] });
    expect([await opens(admin), await opens(later), await opens(person)]).toEqual([true, false, true]);
  });

  it('that are named are the only ones', async () => {
    const { tenant, admin } = current();
    const person = await tenant.createUser();
    await run(rows, mapping, { ...plain, managerIds: [person] });
    expect([await opens(admin), await opens(person)]).toEqual([false, true]);
  });

  it('by default are given once: a role that was taken away stays away while somebody manages the community', async () => {
    const { tenant, admin } = current();
    const person = await tenant.createUser();
    await run(rows, mapping, { ...plain, managerIds: [person] });
    await run(rows, mapping, plain);
    expect(await opens(admin)).toBe(false);
    const scope = await tenant.scope(tenant.systemUserId);
    const { portal } = current();
    const db = portal.services.databases.for(tenant.tenant.id);
    const [row] = await db.query<{ id: number }>('SELECT id FROM communities WHERE tenant_id = $1', [db.tenantId]);
    await setCommunityRole(scope, row!.id, [person], null);
    await run(rows, mapping, plain);
    expect(await opens(admin)).toBe(true);
  });
});

describe('a mapping that has changed', () => {
  const mapping = (field: string, rest = '') => `externalId: id
title: title
state: {value: New}
workflow: {title: Work, states: [{name: New, initial: true}, {name: Old${rest}}]}
fields:
  amount: {column: id, ${field}}`;

  it('is told of where it is not applied, each time; the definitions stay', async () => {
    const first = mapping('type: INT, label: Amount, description: How much');
    expect((await run(rows, first)).notes).toEqual([]);
    expect((await run(rows, first)).notes).toEqual([]);
    const second = mapping(
      'type: INT, label: Sum, description: How many, required: true, sortable: true, validations: [{rule: MIN_VALUE, parameter: 0}]',
      ', terminal: true, color: "#ff0000"',
    );
    const dry = await run(rows, second, { dryRun: true });
    const report = await run(rows, second);
    expect(dry.notes).toEqual(report.notes);
    expect(report.notes).toHaveLength(2);
    expect(report.notes[0]).toBe(
      'the state "Old" was there already and stays as it is; not applied: color "#ff0000" (it has null), terminal true (it has false)',
    );
    expect(report.notes[1]).toMatch(
      /^the field "amount" was there already and stays as it is; not applied: label "Sum" \(it has "Amount"\), description .*How many.* \(it has .*How much.*\), required true \(it has false\), sortable true \(it has false\), validations \[\[1002,"0"\]\] \(it has \[\]\)$/,
    );
    expect(describeReport(report)).toContain('note: the field "amount" was there already');
    expect((await run(rows, first)).notes).toEqual([]);
  });

  it('is told of for the community as well', async () => {
    const settings = (text: string) => `externalId: id\ncommunity: {${text}}`;
    await run(rows, settings('description: Old, title: optional, managers: [boss@example.org]'), plain);
    const report = await run(rows, settings('description: New, title: required'), plain);
    expect(report.notes).toEqual([
      'the community "Orders" was there already and stays as it is; not applied: description "New" (it has "Old"), title "required" (it has "optional")',
    ]);
  });
});

describe('a file without rows', () => {
  const mapping = 'externalId: id\ntitle: title\nfields: {tag: {column: tag, type: ENUM, values: [a]}}';

  it.each([
    ['CSV with its columns', 'id,title,tag\n', undefined],
    ['CSV whose columns the mapping names', '', 'csv: {header: [id, title, tag]}'],
    ['JSON lines', [], undefined],
  ])('makes the community: %s', async (_, content, more) => {
    const report = await run(content, more ? `${mapping}\n${more}` : mapping);
    expect(report).toMatchObject({ rows: 0, created: 0, refused: 0, refusals: [], notes: [] });
    expect(report.made).toMatchObject({ workspaces: 1, communities: 1, fields: 1, entries: 1 });
    expect(await community()).toBeGreaterThan(0);
    expect(describeReport(report)).toContain('0 rows: 0 created');
  });

  it('is compared with the mapping all the same', async () => {
    await expect(run('id,name,tag\n', mapping)).rejects.toThrow(/no row has "title"; there are: id, name, tag/);
  });
});

describe('values and states that rows name', () => {
  const mapping = `externalId: id
state: state
workflow: {title: Work, addStates: true}
fields:
  colour: {column: colour, type: ENUM}
  country: {column: country, type: ENUM, catalog: {name: Countries}}`;

  it('are one line, and none where nothing can be seen', async () => {
    const names = { state: 'In\nwork', colour: 'Light\r\nblue\u202e', country: 'New\tZealand' };
    const again = { state: 'In work', colour: 'Light blue', country: 'New Zealand' };
    const unseen = { state: '\u200b', colour: '\u2060', country: '\u200b' };
    const report = await run(
      [
        { id: '1', ...names },
        { id: '2', ...again },
        { id: '3', ...unseen },
      ],
      mapping,
    );
    expect(report).toMatchObject({ created: 3, refused: 0, refusals: [], made: { states: 1, entries: 2 } });
    const db = current().portal.services.databases.for(current().tenant.tenant.id);
    const labels = await db.query<{ label: string }>(
      `SELECT label FROM field_enum_values WHERE tenant_id = $1 UNION SELECT name FROM workflow_states WHERE tenant_id = $1
       UNION SELECT label ->> 'en' FROM catalog_entries WHERE tenant_id = $1 ORDER BY 1`,
      [db.tenantId],
    );
    expect(labels.map(({ label }) => label)).toEqual(['In work', 'Light blue', 'New Zealand']);
    expect(await run([{ id: '1', ...names }], mapping)).toMatchObject({
      unchanged: 1,
      made: { states: 0, entries: 0 },
    });
  });
});

describe('the community of the PEPs', () => {
  const read = (name: string) =>
    readFileSync(new URL(`../../../../../examples/peps/${name}.yaml`, import.meta.url), 'utf8');
  const into = { ...plain, workspace: 'Python', community: 'PEPs' };
  const exported = async () => {
    const { tenant, admin } = current();
    const path = `/portal/api/admin/manage/communities/${await community()}/file`;
    const { $schema: _, ...file } = (await tenant.request(admin, 'GET', path)).body;
    return file;
  };

  it('is the same by its mapping and by its file', async () => {
    const { $schema: _, ...file } = parse(read('community'));
    await run([], read('mapping'), into);
    const { workflow, ...imported } = await exported();
    expect({ ...imported, workflow: { ...workflow, screens: undefined, screenFields: undefined } }).toEqual({
      ...file,
      groupRoles: [],
      hashtags: [],
    });
  });

  it('takes the import as its file makes it', async () => {
    const { tenant, admin } = current();
    const { $schema: _, ...file } = parse(read('community'));
    const made = await tenant.request(admin, 'POST', '/portal/api/admin/manage/community-plans', { file });
    expect(made.status, made.text).toBe(200);
    const before = await exported();
    const { made: more } = await run([], read('mapping'), into);
    expect(Object.values(more).reduce((sum, count) => sum + count)).toBe(0);
    expect(await exported()).toEqual(before);
  });
});
