/** Undo of imports. */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../test/support/test-world.ts';
import { runImports } from '../../jobs/run-imports.ts';
import { storeFile } from '../files/index.ts';

const API = '/portal/api/external/v2/admin';
const SHARED = new URL('../../../../../../shared/data/exports/', import.meta.url);
let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal, {
    workflow: () => ({ title: 'Order', states: [{ name: 'Open', initial: true }, { name: 'Done' }] }),
  });
  await world.role(world.people.admin, 1);
});
afterAll(() => portal?.close());

const MAPPING = `externalId: {line: true, prefix: buy-}
title: name
author: by
state: state
workflow: {title: Order}
fields:
  kind: {column: kind, type: ENUM}
comments: {text: note}
`;
const ROWS = 'name,by,state,kind,note\nOne,Ada Lark,Open,Paper,\nTwo,Bo Wren,Sent,Ink,Soon\nThree,Bo Wren,Sent,Ink,\n';

const send = (userId: number, method: string, path: string, body?: unknown) =>
  world.tenant.request(userId, method, `${API}/${path}`, body);
async function ok(userId: number, method: string, path: string, body?: unknown) {
  const answer = await send(userId, method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
/** Runs the worker for the imports of the tenant. @returns the ended import */
async function ended(id: number) {
  await runImports(portal.services, world.tenant.tenant, { aborted: false } as AbortSignal);
  return ok(world.people.admin, 'GET', `data/imports/${id}`);
}
async function run(content: string | Buffer, mapping: string, userId: number, fileName = 'rows.csv') {
  const scope = await world.scope(userId);
  const { contentRef } = await storeFile(scope, portal.services.storage, Buffer.from(content));
  const path = `manage/communities/${world.communityId}/imports`;
  const { id } = await ok(userId, 'POST', path, { contentRef, fileName, mapping });
  return ended(id);
}
async function undo(importId: number, userId: number, body: object = {}) {
  const started = await ok(userId, 'POST', `manage/imports/${importId}/undo`, body);
  expect(started).toMatchObject({ undoesImportId: importId, trial: false, ...body });
  return ended(started.id);
}
const kept = async (id: number) =>
  (await ok(world.people.admin, 'POST', `data/imports/${id}/refusals`, { pageSize: 500 })).items;
/** Counts the tenant's objects. */
const things = async () =>
  (
    await world.rows(
      `SELECT (SELECT count(*) FROM posts WHERE tenant_id = $1 AND deleted_at IS NULL) AS posts,
              (SELECT count(*) FROM users WHERE tenant_id = $1 AND deleted_at IS NULL) AS people,
              (SELECT count(*) FROM fields WHERE tenant_id = $1 AND NOT deleted) AS fields,
              (SELECT count(*) FROM field_enum_values WHERE tenant_id = $1 AND NOT deleted) AS "values",
              (SELECT count(*) FROM workflow_states WHERE tenant_id = $1 AND NOT deleted) AS states,
              (SELECT count(*) FROM import_records WHERE tenant_id = $1) AS records`,
    )
  )[0];

describe('the undo of an import', () => {
  test('removes what it made, after a preview that says the same, and the file can be imported again', async () => {
    const { admin } = world.people;
    const before = await things();
    const made = await run(ROWS, MAPPING, admin);
    expect(made).toMatchObject({ state: 'done', report: { createdCount: 3, peopleCount: 2, statesCount: 1 } });
    const between = await things();
    const preview = await undo(made.id, admin, { trial: true });
    expect(await things()).toEqual(between);
    const undone = await undo(made.id, admin);
    const report = {
      deletedPostsCount: 3,
      deletedPeopleCount: 2,
      deletedFieldsCount: 1,
      deletedStatesCount: 1,
      keptCount: 0,
    };
    expect(preview).toMatchObject({ state: 'done', report });
    expect(undone).toMatchObject({ state: 'done', report });
    expect(await things()).toEqual(before);
    const audit = await ok(admin, 'POST', 'data/audit-entries', { objectTypes: ['import'], orderDesc: false });
    const about = { action: 'modified', actorId: admin, objectId: made.id, objectName: 'rows.csv' };
    expect(audit.items).toMatchObject([about, about]);
    expect(
      audit.items.map(({ changes }: { changes: { field: string; after: string }[] }) =>
        Object.fromEntries(changes.map(({ field, after }) => [field, JSON.parse(after)])),
      ),
    ).toEqual([
      { undoImportId: undone.id, communityId: world.communityId, state: 'running' },
      { undoImportId: undone.id, communityId: world.communityId, state: 'done', ...undone.report },
    ]);
    const refused = await send(admin, 'POST', `manage/imports/${made.id}/undo`, {});
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('was undone');
    expect(await run(`${ROWS}Four,Ada Lark,Open,Ink,\n`, MAPPING, admin)).toMatchObject({
      state: 'done',
      report: { createdCount: 4, refusedCount: 0 },
    });
  });

  test('leaves what somebody touched or uses, and says why', async () => {
    const { admin, author } = world.people;
    const first = await run(
      'name,by,state,kind,note\nOld,Ada Lark,Open,Paper,\n',
      MAPPING.replace('buy-', 'old-'),
      admin,
    );
    const made = await run(ROWS, MAPPING, admin);
    const [post] = await world.rows<{ id: number }>(`SELECT id FROM posts WHERE tenant_id = $1 AND title = 'Two'`);
    await world.ok(author, 'POST', `posts/manage/create-comment/${post!.id}`, { comment: 'Mine', commentFormat: 2 });
    const undone = await undo(made.id, admin);
    expect(undone).toMatchObject({
      state: 'done',
      report: { deletedPostsCount: 2, deletedPeopleCount: 0, deletedFieldsCount: 0, keptCount: 4 },
    });
    expect(
      (await kept(undone.id)).map(({ column, value, reason }: Record<string, string>) => [column, value, reason]),
    ).toEqual([
      ['post', 'Two', 'something happened to it after the import'],
      ['state', 'Sent', 'posts are in it'],
      ['value', 'Ink', 'posts hold it'],
      ['person', 'Bo Wren', 'they wrote or changed a post'],
    ]);
    expect(await undo(first.id, admin)).toMatchObject({ report: { deletedPostsCount: 1, deletedPeopleCount: 1 } });
  });

  test('that an outage broke off is recorded as cancelled by who cancels it', async () => {
    const { admin, manager } = world.people;
    const made = await run(ROWS, MAPPING, admin);
    const { id } = await ok(admin, 'POST', `manage/imports/${made.id}/undo`, {});
    await portal.owner.query(
      `UPDATE imports SET state = 'running', phase = 'writing', attempts = 1, claimed_at = $2 WHERE id = $1`,
      [id, new Date(portal.services.clock.now() - 31_000)],
    );
    expect(await ok(manager, 'POST', `manage/imports/${id}/cancel`)).toMatchObject({ state: 'cancelled' });
    const { items } = await ok(admin, 'POST', 'data/audit-entries', { objectTypes: ['import'] });
    expect(items).toMatchObject([{ actorId: manager, objectId: made.id }]);
    expect(items[0].changes).toContainEqual({ field: 'state', after: '"cancelled"' });
  });

  test('is for those who import, of imports that ended and kept something', async () => {
    const { admin, manager, contributor, outsider } = world.people;
    const made = await run(ROWS, MAPPING, admin);
    expect((await send(contributor, 'POST', `manage/imports/${made.id}/undo`, {})).status).toBe(403);
    expect((await send(outsider, 'POST', `manage/imports/${made.id}/undo`, {})).status).toBe(404);
    const undone = await undo(made.id, manager, { trial: true });
    expect(await kept(undone.id)).toMatchObject([{ column: 'person', value: '2 people' }]);
    expect((await send(manager, 'POST', `manage/imports/${undone.id}/undo`, {})).status).toBe(400);
  });
});

/**
 * Makes statements that insert rows of a table fail, like a fault of the program.
 * @param when condition on NEW
 */
async function breakInserts(table: string, when: string): Promise<() => Promise<void>> {
  const { owner } = portal;
  const tenant = `NEW.tenant_id = '${world.tenant.tenant.id}'`;
  await owner.query(`CREATE OR REPLACE FUNCTION test_break() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN RAISE EXCEPTION 'broken by a test' USING ERRCODE = 'XX000'; END$$`);
  await owner.query(`CREATE TRIGGER test_break BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${tenant} AND ${when})
    EXECUTE FUNCTION test_break()`);
  return async () => void (await owner.query(`DROP TRIGGER test_break ON ${table}`));
}

describe('an error of the job', () => {
  test.each(['person', 'field', 'value', 'state'])(
    'between making a %s and noting it leaves nothing that an undo does not know',
    async (kind) => {
      const { admin } = world.people;
      const before = await things();
      const mend = await breakInserts('import_made', `NEW.kind = '${kind}'`);
      const broken = await run(ROWS, MAPPING, admin).finally(mend);
      expect(broken).toMatchObject({ state: 'failed', report: { createdCount: 0 } });
      expect(broken.problem).toContain('An unexpected error ended it');
      await undo(broken.id, admin);
      expect(await things()).toEqual(before);
      const made = await run(ROWS, MAPPING, admin);
      expect(made).toMatchObject({ state: 'done', report: { createdCount: 3 } });
      expect(await undo(made.id, admin)).toMatchObject({ state: 'done', report: { keptCount: 0 } });
      expect(await things()).toEqual(before);
    },
  );

  test('ends the import at once with what was done and why, and the next import begins', async () => {
    const { admin } = world.people;
    const rows = Array.from({ length: 120 }, (_, index) => (index === 100 ? 'Broken' : `Row ${index}`));
    const mapping = 'externalId: {line: true, prefix: many-}\ntitle: name\n';
    const mend = await breakInserts('posts', `NEW.title = 'Broken'`);
    const start = async (text: string, fileName: string, by: string) => {
      const { contentRef } = await storeFile(await world.scope(admin), portal.services.storage, Buffer.from(text));
      const path = `manage/communities/${world.communityId}/imports`;
      return ok(admin, 'POST', path, { contentRef, fileName, mapping: by });
    };
    const first = await start(`name\n${rows.join('\n')}\n`, 'first.csv', mapping);
    const next = await start(ROWS, 'next.csv', MAPPING);
    const broken = await ended(first.id).finally(mend);
    const [{ posts }] = (await world.rows(
      `SELECT count(*)::int AS posts FROM posts WHERE tenant_id = $1 AND title LIKE 'Row %'`,
    )) as [{ posts: number }];
    expect(posts).toBeGreaterThan(0);
    expect(broken).toMatchObject({ state: 'failed', report: { createdCount: posts } });
    expect(broken.problem).toContain('An unexpected error ended it');
    // The same run of the worker continued with it.
    expect(await ok(admin, 'GET', `data/imports/${next.id}`)).toMatchObject({
      state: 'done',
      report: { createdCount: 3 },
    });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
type Fields = Record<string, any>;

/** Custom fields of all posts by their external ids, and the `uid` of each post. */
async function fieldsOfPosts(): Promise<Fields[]> {
  const { communityId, people } = world;
  const path = `settings/communities/${communityId}/post-definition`;
  const { fieldDefinitions } = await world.ok(people.admin, 'GET', path);
  const rows = await world.rows<{ id: number; uid: string }>(
    'SELECT id, client_uid AS uid FROM posts WHERE tenant_id = $1',
  );
  const uids = new Map(rows.map(({ id, uid }) => [id, uid]));
  const list = `posts/data/list/community/${communityId}`;
  const { items } = await world.ok(people.admin, 'POST', list, { pageSize: 500 });
  return items.map(({ id, customData }: { id: number; customData?: Fields }) => ({
    uid: uids.get(id),
    ...Object.fromEntries(
      fieldDefinitions.map((field: Fields) => [field['externalId'], customData?.[String(field['id'])]]),
    ),
  }));
}

describe.runIf(existsSync(SHARED))('the exports beside the repository', () => {
  const desk = `externalId: id
title: title
csv: {delimiter: ";", encoding: windows-1252}
fields:
  kind: {column: category, type: ENUM}
  first: {column: datetime, type: DATETIME, date: rfc2822}
  firstSeconds: {column: num, type: DATETIME, date: epoch-s}
  last: {column: datetime2, type: DATETIME, date: rfc2822}
  lastSeconds: {column: num2, type: DATETIME, date: epoch-s}
`;
  const tokyo = 'preset: redmine\ntimezone: Asia/Tokyo\nfields:\n  day: {column: 希望日, type: DATE}\n';
  const count = (posts: readonly Fields[], key: string) =>
    posts.reduce((sum, fields) => sum + (fields[key]?.length ?? 0), 0);
  const archived = (posts: readonly Fields[]) => posts.filter((fields) => fields['archived'] === true).length;

  test.for([
    {
      name: 'jira-all-fields.csv',
      mapping: 'preset: jira\n',
      posts: 120,
      comments: 112,
      check: (posts: readonly Fields[]) => {
        // OPS-100 has one label twice, and a list holds each value once.
        expect(count(posts, 'labels')).toBe(130 - 1);
        expect(posts.reduce((sum, fields) => sum + Number(fields['storyPoints'] ?? 0), 0)).toBe(404);
      },
    },
    {
      name: 'redmine-ja.csv',
      mapping: tokyo,
      posts: 200,
      comments: 0,
      check: (posts: readonly Fields[]) =>
        expect(posts.find(({ uid }) => uid === '356001')?.['day']).toBe(Date.UTC(2016, 7, 6)),
    },
    {
      name: 'trello-board.json',
      mapping: 'preset: trello\n',
      posts: 130,
      comments: 37,
      check: (posts: readonly Fields[]) => expect([count(posts, 'labels'), archived(posts)]).toEqual([119, 15]),
    },
    {
      name: 'github-issues.json',
      mapping: 'preset: github-issues\n',
      posts: 150,
      comments: 0,
      check: (posts: readonly Fields[]) => expect([count(posts, 'labels'), archived(posts)]).toEqual([183, 0]),
    },
    {
      name: 'service-desk-fi.csv',
      mapping: desk,
      posts: 150,
      comments: 0,
      check: (posts: readonly Fields[]) => {
        expect(posts).toContainEqual(expect.objectContaining({ first: 1_519_680_780_000, last: 1_519_777_980_000 }));
        expect(posts.map(({ first, last }) => [first, last])).toEqual(
          posts.map(({ firstSeconds, lastSeconds }) => [firstSeconds, lastSeconds]),
        );
      },
    },
  ])('$name goes in with every value and comes out again', async ({ name, mapping, posts, comments, check }) => {
    const { admin } = world.people;
    const before = await things();
    const made = await run(readFileSync(new URL(name, SHARED)), mapping, admin, name);
    expect(made).toMatchObject({
      state: 'done',
      report: { createdCount: posts, refusedCount: 0, commentsCount: comments },
    });
    check(await fieldsOfPosts());
    const preview = await undo(made.id, admin, { trial: true });
    const undone = await undo(made.id, admin);
    expect(undone).toMatchObject({ state: 'done', report: { deletedPostsCount: posts, keptCount: 0 } });
    expect(preview.report).toEqual(undone.report);
    expect(await things()).toEqual(before);
  });
});
