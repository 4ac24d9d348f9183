/** Requests that ask for more than the interface publishes: each is a clear 400, found without much work. */
import { FieldType, FilterType, listLimits, maximumFieldErrors, maximumFilterText } from '@portico/contract';
import { buildOpenApi } from '@portico/contract/openapi';
import { bodyNames, closure, inputId, inputSchemas } from '@portico/contract/schemas';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { exactBody, parseJsonBody } from '../../src/http/body.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';
import { createTestWorld } from '../support/test-world.ts';

const POSTS = '/portal/api/communication/posts/data';
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});

afterAll(async () => {
  await portal.close();
});

const ids = (count: number) => Array.from({ length: count }, (_, index) => 1_000_000 + index);
const post = (path: string, body: unknown) => tenant.request(admin, 'POST', path, body);
const faultsOf = (answer: {
  body: { validationErrors: { list: { field: string; code: string; args: unknown[] }[] } };
}) => answer.body.validationErrors.list.map(({ field, code, args }) => [field, code, ...args]);

describe('lists of requests', () => {
  test('all have a limit, which the OpenAPI document tells', () => {
    const components = buildOpenApi()['components'] as {
      schemas: Record<string, { properties: Record<string, Record<string, unknown>> }>;
    };
    const named = new Map<string, number>();
    for (const name of closure(bodyNames)) {
      const schema = inputSchemas.find(({ $id }) => $id === inputId(name))!;
      const shown = components.schemas[`${name}Input`] ?? components.schemas[name]!;
      for (const [field, declared] of Object.entries(schema['properties'] as Record<string, Record<string, unknown>>)) {
        if (![declared['type']].flat().includes('array')) continue;
        expect(declared['maxItems'], `${name}.${field}`).toBeTypeOf('number');
        const { anyOf = [], ...form } = shown.properties[field] as { anyOf?: { type?: string; maxItems?: number }[] };
        const list: { maxItems?: unknown } = anyOf.find(({ type }) => type === 'array') ?? form;
        expect(list.maxItems, `${name}.${field}`).toBe(declared['maxItems']);
        named.set(`${name}.${field}`, declared['maxItems'] as number);
      }
    }
    expect(named.get('CheckVisibilityRequest.ids')).toBe(1_000);
    expect(named.get('CustomFieldFilter.parameters')).toBe(10_000);
    expect(named.get('CommunityPostFilters.createdByUserIds')).toBe(10_000);
    expect(named.get('CommunityPostFilters.postIds')).toBe(500);
    expect(named.get('GetPostDefinitionCatalogsRequest.catalogIds')).toBe(10_000);
    expect(named.get('CreateGroupRequest.memberIds')).toBe(50_000);
    expect(named.get('EditGroupRequest.memberIds')).toBe(50_000);
    for (const type of ['CommunityPostFilters', 'ListCommunityPostsRequest', 'ListCommunityPostsFilteredRequest'])
      for (const field of ['postFieldFilters', 'screenFieldFilters']) expect(named.get(`${type}.${field}`)).toBe(50);
    expect(named.get('ListCommunityPostsRequest.customFieldFilters')).toBe(50);
    expect([...named.values()].filter((limit) => limit > listLimits.members)).toEqual([]);
  });

  test('that are longer are refused with their name and limit, before the database is asked for anything', async () => {
    const filter = { columnId: 1, typeId: 1, parameters: [1] };
    const list = `${POSTS}/list/community/1`;
    const attempts: [path: string, body: object, field: string, limit: number][] = [
      [`${POSTS}/check-visibility`, { ids: ids(1_001) }, 'ids', 1_000],
      [`${POSTS}/check-visibility`, { ids: ids(100_000) }, 'ids', 1_000],
      [list, { postFieldFilters: Array(51).fill(filter) }, 'postFieldFilters', 50],
      [list, { screenFieldFilters: Array(4_700).fill(filter) }, 'screenFieldFilters', 50],
      [
        list,
        { communityPostFilters: { postFieldFilters: Array(1_665).fill(filter) } },
        'communityPostFilters.postFieldFilters',
        50,
      ],
      [list, { postFieldFilters: [{ ...filter, parameters: ids(10_001) }] }, 'postFieldFilters[0].parameters', 10_000],
      [list, { hashtagIds: ids(10_001), hashtagsLogicalAnd: true }, 'hashtagIds', 10_000],
      [
        list,
        { communityAttachmentFilters: { hashtagIds: [...ids(10_001), ...ids(10_001)] } },
        'communityAttachmentFilters.hashtagIds',
        10_000,
      ],
      ['/portal/api/admin/data/users', { communityIds: ids(10_001) }, 'communityIds', 10_000],
      ['/portal/api/admin/manage/groups', { name: 'x', memberIds: ids(50_001) }, 'memberIds', 50_000],
    ];
    for (const [path, body, field, limit] of attempts) {
      portal.takeStatements();
      const answer = await post(path, body);
      expect(answer.status, field).toBe(400);
      expect(faultsOf(answer), field).toEqual([[field, 'TOO_MANY_ITEMS', limit]]);
      expect(answer.body.message).toContain(`${field} may have at most ${limit} items.`);
      expect(portal.takeStatements().filter((statement) => !/access|users/.test(statement))).toEqual([]);
    }
    expect((await post(`${POSTS}/check-visibility`, { ids: ids(1_000) })).status).toBe(200);
  });

  test('that filter take 10,000 ids, of which repeated ones count once', async () => {
    const world = await createTestWorld(portal, {
      fields: [{ type: FieldType.INT, label: 'Number', searchable: true }],
    });
    const { admin, author } = world.people;
    const ask = (path: string, body: object) =>
      world.tenant.request(path.includes('/admin/') ? admin : author, 'POST', path, body);
    const list = `${POSTS}/list/community/${world.communityId}`;
    const most = [...ids(10_000), ...ids(10_000)];
    const many = Array(15_000).fill(admin);
    const parameters = Array(15_000).fill(7);
    const columnId = world.fieldIds.get('Number');
    for (const [path, body] of [
      [list, { createdByUserIds: most, communityPostFilters: { hashtagIds: most, hashtagsLogicalAnd: true } }],
      [list, { createdByUserIds: many, postFieldFilters: [{ columnId, typeId: FilterType.IN, parameters }] }],
      ['/portal/api/admin/data/users', { managerIds: most, areaIds: many }],
      ['/portal/api/communication/tasks/data/tasks', { communityId: world.communityId, assigneeUserIds: many }],
    ] as const) {
      const answer = await ask(path, body);
      expect([answer.status, answer.body.validationErrors], path).toEqual([200, undefined]);
    }
    const catalogs = await ask('/portal/api/communication/settings/post-definition/catalogs', { catalogIds: most });
    expect(catalogs.body.validationErrors.list).toMatchObject([{ field: 'catalogIds', code: 'NOT_EXISTS' }]);
  });
});

test('digits that no number holds are refused without being read', () => {
  const read = vi.spyOn(globalThis, 'BigInt');
  expect(() => parseJsonBody(`{"ids":[${'9'.repeat(900_000)},12345678901234567890]}`)).toThrow('too large a number');
  const given = read.mock.calls.map(([digits]) => digits);
  read.mockRestore();
  expect(given).toEqual([]);
  const body = parseJsonBody('{"ids":[12345678901234567890]}');
  expect(exactBody(body)).toEqual({ ids: [12345678901234567890n] });
});

describe('faults', () => {
  test('are a hundred at most, however many a body has', async () => {
    const wrong: object[] = [
      { ids: Array(200_000).fill('x') },
      { ids: Array(1_000).fill('x') },
      { ids: Array(1_000).fill('\u0000') },
      { ids: Array(30_000).fill({ a: { b: [1, 2, '\ud800'] } }) },
      { ids: Array(100_000).fill([[]]) },
    ];
    for (const body of wrong) {
      const answer = await post(`${POSTS}/check-visibility`, body);
      expect(answer.status).toBe(400);
      const faults = faultsOf(answer);
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.length).toBeLessThanOrEqual(maximumFieldErrors);
      expect(answer.text.length).toBeLessThan(50_000);
    }
  });

  test('are told all when a body has few of them, wherever they stand', async () => {
    const filter = { columnId: 1, typeId: 1, parameters: [1] };
    const list = `${POSTS}/list/community/1`;
    const several = await post(list, {
      title: 5,
      hashtagIds: [...ids(10_001), 'x'],
      postFieldFilters: [filter, { ...filter, columnId: 'x' }],
      communityPostFilters: { screenFieldFilters: Array(51).fill(filter), postId: [] },
    });
    expect(
      faultsOf(several)
        .map(([field, code]) => `${field} ${code}`)
        .sort(),
    ).toEqual([
      'communityPostFilters.postId INVALID_TYPE',
      'communityPostFilters.screenFieldFilters TOO_MANY_ITEMS',
      'hashtagIds TOO_MANY_ITEMS',
      'postFieldFilters[1].columnId INVALID_TYPE',
      'title INVALID_TYPE',
    ]);
    const late = await post(`${POSTS}/check-visibility`, { ids: [...ids(900), 'x'] });
    expect(faultsOf(late).map(([field, code]) => [field, code])).toEqual([['ids[900]', 'INVALID_TYPE']]);
  });
});

describe('texts to filter by', () => {
  test('are short', async () => {
    const long = 'x'.repeat(maximumFilterText + 1);
    const list = `${POSTS}/list/community/1`;
    const attempts: [path: string, body: object, field: string][] = [
      [list, { containsText: long }, 'containsText'],
      [list, { containsText: 'a\u0301\u0316'.repeat(60_000) }, 'containsText'],
      [list, { communityAttachmentFilters: { name: long } }, 'communityAttachmentFilters.name'],
      ['/portal/api/admin/data/users', { fullTextFilter: long }, 'fullTextFilter'],
      ['/portal/api/admin/data/users', { lang: [long] }, 'lang[0]'],
    ];
    for (const [path, body, field] of attempts) {
      const answer = await post(path, body);
      expect(faultsOf(answer), field).toEqual([[field, 'TEXT_TOO_LONG', maximumFilterText]]);
    }
  });
});
