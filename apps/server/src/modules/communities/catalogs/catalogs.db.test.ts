import type { OperationId, OperationIo } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallInput, callOperation } from '../../../../test/support/call-operation.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { rolledBack } from '../../../../test/support/rolled-back.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { getCatalogs } from './catalog-store.ts';
import { catalogHandlers } from './catalogs.routes.ts';
import { createCatalogEntries, ensureCatalog } from './ensure-catalog.ts';
import { createCatalog, editCatalog } from './write-catalog.ts';
import { createCatalogEntry, editCatalogEntry } from './write-catalog-entry.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(async () => {
  await portal.close();
});

interface Stage {
  tenant: TestTenant;
  adminId: number;
  as: (userId: number) => Promise<Scope>;
}

async function stage(): Promise<Stage> {
  const tenant = await portal.createTenant();
  const adminId = await tenant.createUser({ firstName: 'Ada', lastName: 'Rossi', admin: true });
  return { tenant, adminId, as: (userId) => tenant.scope(userId) };
}

/** Calls an operation with a new scope: like a request, it begins with the present versions. */
async function call<K extends OperationId>(
  on: Stage,
  userId: number,
  operation: K,
  input: CallInput<K> = {},
): Promise<OperationIo[K]['response']> {
  return callOperation(catalogHandlers, operation, await on.as(userId), input);
}

async function failure(work: Promise<unknown>): Promise<PorticoError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PorticoError)) throw error ?? new Error('it should have failed');
  return error;
}

async function fieldsOf(work: Promise<unknown>): Promise<Record<string, string>> {
  const error = await failure(work);
  if (!(error instanceof ValidationError)) throw error;
  return Object.fromEntries(error.errors.map(({ field, code }) => [field, code]));
}

describe('catalogs', () => {
  test('are made, changed and taken out of use, each time with the next token', async () => {
    const on = await stage();
    const made = await call(on, on.adminId, 'createCatalog', { body: { name: { en: 'Countries', it: 'Paesi' } } });
    expect(made).toEqual({
      catalog: { id: expect.any(Number), name: 'Countries', etag: 1, paged: false },
      occToken: 1,
    });
    const catalogId = made.catalog!.id!;
    const below = await call(on, on.adminId, 'createCatalog', {
      body: { name: { en: 'Cities' }, parentId: catalogId },
    });
    expect(below.parentCatalog).toMatchObject({ id: catalogId, name: 'Countries' });
    const edited = await call(on, on.adminId, 'editCatalog', {
      params: { catalogId: below.catalog!.id! },
      body: { name: { en: 'Towns' }, parentId: catalogId, occToken: 1 },
    });
    expect(edited.occToken).toBe(2);
    expect(edited.catalog).toMatchObject({ name: 'Towns', etag: 2 });
    const off = await call(on, on.adminId, 'editCatalogDeleted', { params: { catalogId }, body: { deleted: true } });
    expect(off).toEqual({ catalogId, deleted: true });
    const listed = await call(on, on.adminId, 'getPostDefinitionCatalogs');
    expect(listed.catalogs).toEqual([expect.objectContaining({ name: 'Towns' })]);
  });

  test('tell everything that is wrong at once', async () => {
    const on = await stage();
    const { catalog } = await call(on, on.adminId, 'createCatalog', { body: { name: { en: 'A' } } });
    const params = { catalogId: catalog!.id! };
    expect(
      await fieldsOf(call(on, on.adminId, 'createCatalog', { body: { name: { en: ' ' }, parentId: 4711 } })),
    ).toEqual({
      name: 'REQUIRED_FIELD',
      parentId: 'UNKNOWN_REFERENCE',
    });
    expect(
      await fieldsOf(
        call(on, on.adminId, 'editCatalog', { params, body: { name: { English: 'x' }, parentId: catalog!.id! } }),
      ),
    ).toEqual({ occToken: 'REQUIRED_FIELD', 'name.English': 'INVALID_VALUE', parentId: 'INVALID_VALUE' });
    expect(await fieldsOf(call(on, on.adminId, 'editCatalogDeleted', { params, body: {} }))).toEqual({
      deleted: 'REQUIRED_FIELD',
    });
    expect(await fieldsOf(call(on, on.adminId, 'createCatalog', { body: { name: { en: 'x'.repeat(201) } } }))).toEqual({
      'name.en': 'TEXT_TOO_LONG',
    });
  });

  test('never stand below themselves, and keep their parent while entries stand below its entries', async () => {
    const on = await stage();
    const make = async (name: string, parentId?: number) =>
      (await call(on, on.adminId, 'createCatalog', { body: { name: { en: name }, ...(parentId && { parentId }) } }))
        .catalog!.id!;
    const top = await make('top');
    const middle = await make('middle', top);
    const bottom = await make('bottom', middle);
    const move = (catalogId: number, parentId: number | undefined) =>
      call(on, on.adminId, 'editCatalog', {
        params: { catalogId },
        body: { name: { en: 'x' }, parentId, occToken: 1 },
      });
    expect(await fieldsOf(move(top, bottom))).toEqual({ parentId: 'INVALID_VALUE' });
    const [italy] = await createCatalogEntries(await on.as(on.adminId), top, [{ label: 'Italy' }]);
    await createCatalogEntries(await on.as(on.adminId), middle, [{ label: 'Rome', parentIds: [italy!] }]);
    expect(await fieldsOf(move(middle, undefined))).toEqual({ parentId: 'INVALID_VALUE' });
    await move(bottom, top);
  });

  test('with a stale token are left alone, and the answer says who changed them and when', async () => {
    const on = await stage();
    const { catalog } = await call(on, on.adminId, 'createCatalog', { body: { name: { en: 'A' } } });
    const edit = (name: string, occToken: number) =>
      call(on, on.adminId, 'editCatalog', {
        params: { catalogId: catalog!.id! },
        body: { name: { en: name }, occToken },
      });
    await edit('B', 1);
    const stale = await failure(edit('C', 1));
    expect(stale.code).toBe('CONFLICT_STALE_TOKEN');
    expect(stale.details).toEqual({
      currentOccToken: 2,
      changedBy: { id: on.adminId, name: 'Ada Rossi' },
      changedAt: expect.any(Number),
    });
    expect((await call(on, on.adminId, 'getPostDefinitionCatalogs')).catalogs![0]!.name).toBe('B');
  });

  test('give exactly one of 50 writers with the same token the word', async () => {
    const on = await stage();
    const { catalog } = await call(on, on.adminId, 'createCatalog', { body: { name: { en: 'A' } } });
    const catalogId = catalog!.id!;
    const { entry } = await call(on, on.adminId, 'createCatalogEntry', {
      params: { catalogId },
      body: { label: { en: 'e' } },
    });
    const scope = await on.as(on.adminId);
    const outcomes = async (work: (n: number) => Promise<unknown>) => {
      const settled = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => work(n)));
      const refused = settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as PorticoError).code] : []));
      return { won: settled.length - refused.length, refused: new Set(refused) };
    };
    const stale = new Set(['CONFLICT_STALE_TOKEN']);
    expect(
      await outcomes((n) =>
        callOperation(catalogHandlers, 'editCatalog', scope, {
          params: { catalogId },
          body: { name: { en: `n${n}` }, occToken: 1 },
        }),
      ),
    ).toEqual({ won: 1, refused: stale });
    expect(
      await outcomes((n) =>
        callOperation(catalogHandlers, 'editCatalogEntry', scope, {
          params: { catalogId, entryId: entry!.id! },
          body: { label: { en: `n${n}` }, occToken: 1 },
        }),
      ),
    ).toEqual({ won: 1, refused: stale });
  });

  test('are changed by administrators of the workplace only, and in their own tenant only', async () => {
    const on = await stage();
    const { catalog } = await call(on, on.adminId, 'createCatalog', { body: { name: { en: 'A' } } });
    const catalogId = catalog!.id!;
    const { entry } = await call(on, on.adminId, 'createCatalogEntry', {
      params: { catalogId },
      body: { label: { en: 'e' } },
    });
    const params = { catalogId };
    const entryParams = { catalogId, entryId: entry!.id! };
    const body = { name: { en: 'x' }, label: { en: 'x' }, deleted: true, occToken: 1 };
    const attempts = (who: Stage, userId: number) => [
      () => call(who, userId, 'editCatalog', { params, body }),
      () => call(who, userId, 'editCatalogDeleted', { params, body }),
      () => call(who, userId, 'createCatalogEntry', { params, body }),
      () => call(who, userId, 'editCatalogEntry', { params: entryParams, body }),
      () => call(who, userId, 'editCatalogEntryDeleted', { params: entryParams, body }),
      () => call(who, userId, 'getCatalogEntryForEdit', { params: entryParams }),
    ];
    const memberId = await on.tenant.createUser();
    for (const attempt of attempts(on, memberId)) expect((await failure(attempt())).status).toBe(403);
    expect((await failure(call(on, memberId, 'createCatalog', { body }))).status).toBe(403);
    const elsewhere = await stage();
    for (const attempt of attempts(elsewhere, elsewhere.adminId)) expect((await failure(attempt())).status).toBe(404);
    expect(
      await fieldsOf(
        call(elsewhere, elsewhere.adminId, 'createCatalog', { body: { name: { en: 'x' }, parentId: catalogId } }),
      ),
    ).toEqual({ parentId: 'UNKNOWN_REFERENCE' });
    const there = call(elsewhere, elsewhere.adminId, 'getPostDefinitionCatalogs', {
      body: { catalogIds: [catalogId] },
    });
    expect(await fieldsOf(there)).toEqual({ catalogIds: 'NOT_EXISTS' });
  });

  test('are listed by ids that all exist: unknown ones, disabled ones and those of other tenants are refused alike', async () => {
    const [on, elsewhere] = [await stage(), await stage()];
    const [live, off] = [
      await ensureCatalog(await on.as(on.adminId), { name: 'Live' }),
      await ensureCatalog(await on.as(on.adminId), { name: 'Off' }),
    ];
    let foreign = await ensureCatalog(await elsewhere.as(elsewhere.adminId), { name: 'Foreign' });
    while (foreign === live || foreign === off) {
      foreign = await ensureCatalog(await elsewhere.as(elsewhere.adminId), { name: `Foreign ${foreign}` });
    }
    const list = (catalogIds?: number[]) =>
      call(on, on.adminId, 'getPostDefinitionCatalogs', { body: catalogIds ? { catalogIds } : {} });
    expect((await list([off, live])).catalogs).toHaveLength(2);
    await call(on, on.adminId, 'editCatalogDeleted', { params: { catalogId: off }, body: { deleted: true } });
    for (const id of [off, foreign, 987_654]) {
      const error = await failure(list([live, id]));
      expect(error).toBeInstanceOf(ValidationError);
      expect((error as ValidationError).errors).toEqual([
        {
          field: 'catalogIds',
          code: 'NOT_EXISTS',
          defaultMessage: `No catalog in use has the id ${id}.`,
          args: [id],
        },
      ]);
    }
    expect((await list([live])).catalogs!.map(({ id }) => id)).toEqual([live]);
    expect((await list()).catalogs!.map(({ id }) => id)).toEqual([live]);
    // The entry comes back into use; repeats change nothing.
    for (let turn = 0; turn < 2; turn++) {
      const back = { params: { catalogId: off }, body: { deleted: false } };
      expect(await call(on, on.adminId, 'editCatalogDeleted', back)).toEqual({ catalogId: off, deleted: false });
    }
    expect((await list([live, off])).catalogs).toHaveLength(2);
  });
});

describe('over HTTP', () => {
  test('a dry run tells what would be and changes nothing; a stale token is a 409 that says what is valid', async () => {
    const on = await stage();
    const send = (method: string, path: string, body: unknown) =>
      on.tenant.request(on.adminId, method, `/portal/api/external/v2/admin/manage/catalogs${path}`, body);
    const would = await send('POST', '?dryRun=true', { name: { en: 'A' } });
    expect(would.status).toBe(200);
    expect(would.body).toMatchObject({ catalog: { name: 'A' }, occToken: 1, dryRun: {} });
    expect((await call(on, on.adminId, 'getPostDefinitionCatalogs')).catalogs).toEqual([]);
    const made = await send('POST', '', { name: { en: 'A' }, parentId: null });
    const catalogId = made.body.catalog.id;
    expect((await send('PUT', `/${catalogId}`, { name: { en: 'B' }, occToken: '1' })).status).toBe(200);
    const stale = await send('PUT', `/${catalogId}`, { name: { en: 'C' }, occToken: 1 });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({
      code: 'CONFLICT_STALE_TOKEN',
      currentOccToken: 2,
      changedBy: { id: on.adminId },
    });
    const entry = await send('POST', `/${catalogId}/entries`, { label: { en: 'e' }, externalId: 'x' });
    expect(entry.status).toBe(200);
    const again = await send('POST', `/${catalogId}/entries`, { label: {}, externalId: 'x' });
    expect(again.status).toBe(400);
    expect(again.body.validationErrors.list.map((error: { field: string }) => error.field)).toEqual([
      'label',
      'externalId',
    ]);
    const gone = await send('PUT', `/${catalogId}/entries/${entry.body.entry.id}/deleted`, { deleted: true });
    expect(gone.body).toEqual({ entryId: entry.body.entry.id, catalogId, deleted: true });
    const late = await send('PUT', `/${catalogId}/entries/${entry.body.entry.id}`, { label: { en: 'f' }, occToken: 1 });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ code: 'CONFLICT_STALE_TOKEN', currentOccToken: 2 });
    const nul = await send('POST', '', { name: { en: 'a\u0000b' } });
    expect(nul.status).toBe(400);
  });
});

describe('entries', () => {
  test('have labels, an external id of their own and parents in the catalog above', async () => {
    const on = await stage();
    const scope = await on.as(on.adminId);
    const countries = await ensureCatalog(scope, { name: 'Countries' });
    const cities = await ensureCatalog(scope, { name: 'Cities', parentId: countries });
    const streets = await ensureCatalog(scope, { name: 'Streets', parentId: cities });
    const create = (catalogId: number, body: CallInput<'createCatalogEntry'>['body']) =>
      call(on, on.adminId, 'createCatalogEntry', { params: { catalogId }, body });
    const italy = (await create(countries, { label: { en: 'Italy', it: 'Italia' }, externalId: 'IT' })).entry!;
    expect(italy).toEqual({
      id: expect.any(Number),
      catalogId: countries,
      label: 'Italy',
      externalId: 'IT',
      parentIds: [],
      deleted: false,
    });
    const rome = (await create(cities, { label: { en: 'Rome' }, parentIds: [italy.id!] })).entry!;
    const via = (await create(streets, { label: { en: 'Via Appia' }, parentIds: [rome.id!] })).entry!;
    const form = await call(on, on.adminId, 'getCatalogEntryForEdit', {
      params: { catalogId: streets, entryId: via.id! },
    });
    expect(form).toMatchObject({ id: via.id, label: { en: 'Via Appia' }, deleted: false, occToken: 1 });
    expect(form.parents!.map((parent) => parent.label)).toEqual(['Rome', 'Italy']);
    expect(await fieldsOf(create(countries, { label: {}, externalId: 'IT', parentIds: [rome.id!] }))).toEqual({
      label: 'REQUIRED_FIELD',
      externalId: 'DUPLICATE_VALUE',
      'parentIds[0]': 'UNKNOWN_REFERENCE',
    });
    // The same external id in another catalog denotes another entry.
    await create(cities, { label: { en: 'x' }, externalId: 'IT' });
    // An entry is found only in its own catalog.
    const astray = call(on, on.adminId, 'getCatalogEntryForEdit', { params: { catalogId: cities, entryId: via.id! } });
    expect((await failure(astray)).status).toBe(404);
  });

  test("and catalogs, get a text in the tenant's language when it is left out: the first of the others", async () => {
    const on = await stage();
    const scope = async () => {
      const now = await on.as(on.adminId);
      return { ...now, settings: { ...now.settings, defaultLanguage: 'it' } };
    };
    const made = await createCatalog(await scope(), { name: { xx: 'Z', de: 'Länder', en: 'Countries' } });
    const catalogId = made.catalog.id;
    expect(made.catalog.name).toEqual({ xx: 'Z', de: 'Länder', en: 'Countries', it: 'Countries' });
    const edited = await editCatalog(await scope(), catalogId, 1, { name: { de: 'Staaten', it: ' ' } });
    expect(edited.catalog.name).toEqual({ de: 'Staaten', it: 'Staaten' });
    const { entry } = await createCatalogEntry(await scope(), catalogId, { label: { fr: 'Allemagne', de: 'D' } });
    expect(entry.label).toEqual({ fr: 'Allemagne', de: 'D', it: 'Allemagne' });
    const after = await editCatalogEntry(await scope(), catalogId, entry.id, 1, { label: { en: 'G', it: 'Germania' } });
    expect(after.entry.label).toEqual({ en: 'G', it: 'Germania' });
  });

  test('are replaced by an edit, with parents that went out of use accepted as long as they were there', async () => {
    const on = await stage();
    const scope = await on.as(on.adminId);
    const top = await ensureCatalog(scope, { name: 'Top' });
    const below = await ensureCatalog(scope, { name: 'Below', parentId: top });
    const [a, b] = await createCatalogEntries(scope, top, [{ label: 'a' }, { label: 'b' }]);
    const [x] = await createCatalogEntries(scope, below, [{ label: 'x', externalId: 'X', parentIds: [a!] }]);
    const off = (entryId: number) =>
      call(on, on.adminId, 'editCatalogEntryDeleted', { params: { catalogId: top, entryId }, body: { deleted: true } });
    expect(await off(a!)).toEqual({ entryId: a, catalogId: top, deleted: true });
    expect(await off(a!)).toEqual({ entryId: a, catalogId: top, deleted: true });
    await off(b!);
    const edit = (body: CallInput<'editCatalogEntry'>['body']) =>
      call(on, on.adminId, 'editCatalogEntry', { params: { catalogId: below, entryId: x! }, body });
    expect(await fieldsOf(edit({ label: { en: 'y' }, parentIds: [a!, b!], occToken: 1 }))).toEqual({
      'parentIds[1]': 'UNKNOWN_REFERENCE',
    });
    const edited = await edit({ label: { en: 'y' }, parentIds: [a!], occToken: 1 });
    expect(edited).toEqual({
      entry: { id: x, catalogId: below, label: 'y', parentIds: [a], deleted: false },
      occToken: 2,
    });
  });

  test('come with small catalogs, deleted ones marked; larger ones are paged', async () => {
    const on = await stage();
    const scope = await on.as(on.adminId);
    const small = await ensureCatalog(scope, { name: 'Small' });
    const large = await ensureCatalog(scope, { name: 'Large' });
    const ids = await createCatalogEntries(
      scope,
      small,
      ['b', 'a'].map((label) => ({ label })),
    );
    await createCatalogEntries(
      scope,
      large,
      Array.from({ length: 501 }, (_, n) => ({ label: `e${n}` })),
    );
    await call(on, on.adminId, 'editCatalogEntryDeleted', {
      params: { catalogId: small, entryId: ids[0]! },
      body: { deleted: true },
    });
    const { catalogs } = await call(on, on.adminId, 'getPostDefinitionCatalogs', { query: { loadEntries: true } });
    const byName = new Map(catalogs!.map((catalog) => [catalog.name, catalog]));
    expect(byName.get('Large')).toEqual({ id: large, name: 'Large', etag: 502, paged: true });
    expect(byName.get('Small')).toMatchObject({ paged: false, etag: 4 });
    expect(byName.get('Small')!.entries!.map(({ label, deleted }) => [label, deleted])).toEqual([
      ['a', false],
      ['b', true],
    ]);
    const heads = await call(on, on.adminId, 'getPostDefinitionCatalogs');
    expect(heads.catalogs!.every((catalog) => catalog.entries === undefined)).toBe(true);
  });

  test('are found again by external id or label when they are made in bulk', async () => {
    const on = await stage();
    const scope = await on.as(on.adminId);
    const catalog = await ensureCatalog(scope, { name: 'Topics', externalId: 'topics' });
    expect(await ensureCatalog(scope, { name: 'Other name', externalId: 'topics' })).toBe(catalog);
    const first = await createCatalogEntries(scope, catalog, [
      { label: 'Typing' },
      { label: 'Packaging', externalId: 'P' },
      { label: 'Typing' },
    ]);
    expect(first[0]).toBe(first[2]);
    const again = await createCatalogEntries(scope, catalog, [
      { label: 'Renamed', externalId: 'P' },
      { label: 'Packaging' },
      { label: 'Typing' },
      { label: 'typing' },
    ]);
    expect(again.slice(0, 3)).toEqual([first[1], first[1], first[0]]);
    expect(first).not.toContain(again[3]);
    const kept = (await getCatalogs(await on.as(on.adminId), [catalog])).get(catalog)!;
    expect(kept.entriesCount).toBe(3);
  });
});

describe('memory', () => {
  test('follows each change, and keeps nothing of a write that was rolled back', async () => {
    const on = await stage();
    const catalog = await ensureCatalog(await on.as(on.adminId), { name: 'A' });
    const read = async () => (await getCatalogs(await on.as(on.adminId), [catalog])).get(catalog)!.entriesCount;
    expect(await read()).toBe(0);
    await rolledBack(await on.as(on.adminId), (within) => createCatalogEntries(within, catalog, [{ label: 'x' }]));
    expect(await read()).toBe(0);
    await createCatalogEntries(await on.as(on.adminId), catalog, [{ label: 'x' }]);
    expect(await read()).toBe(1);
    // A joined transaction sees its own entries, also after a rollback to a savepoint; other
    // transactions do not.
    const scope = await on.as(on.adminId);
    await expect(
      scope.db.transaction(async (tx) => {
        const joined = { ...scope, db: tx };
        await createCatalogEntries(joined, catalog, [{ label: 'y' }]);
        expect(await countIn(joined, catalog)).toBe(2);
        await tx.query('SAVEPOINT before');
        await createCatalogEntries(joined, catalog, [{ label: 'z' }, { label: 'zz' }]);
        await tx.query('ROLLBACK TO SAVEPOINT before');
        expect(await countIn(joined, catalog)).toBe(2);
        await createCatalogEntries(joined, catalog, [{ label: 'w' }]);
        expect(await countIn(joined, catalog)).toBe(3);
        expect(await read()).toBe(1);
        throw new Error('back');
      }),
    ).rejects.toThrow('back');
    expect(await read()).toBe(1);
    const [next] = await createCatalogEntries(await on.as(on.adminId), catalog, [{ label: 'v' }]);
    expect(next).toBeGreaterThan(0);
    expect(await read()).toBe(2);
  });
});

async function countIn(scope: Scope, catalogId: number): Promise<number> {
  return writeTransaction(
    scope,
    'none',
    async (write) => (await getCatalogs(write, [catalogId])).get(catalogId)!.entriesCount,
  );
}
