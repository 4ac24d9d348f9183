/** The server's writes match the OpenAPI document: required fields, permitted bodies, responses. */
import { type Operation, type OperationId, operations } from '@portico/contract';
import { buildOpenApi } from '@portico/contract/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { faultsOf, send } from './calls.fixture.ts';
import { createRecipeWorld, type Recipe, recipes, type TestWorld } from './recipes.fixture.ts';

type Node = Record<string, unknown>;

let portal: TestPortal;
let world: TestWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createRecipeWorld(portal);
});
afterAll(() => portal?.close());

const document = buildOpenApi();
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(document, 'openapi');
const at = (pointer: string) =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Node)[key.replaceAll('~1', '/')], document) as Node;
const described = (id: OperationId) => {
  const { path, method } = operations[id];
  return (document['paths'] as Record<string, Record<string, Node>>)[path]![method.toLowerCase()]!;
};
const schemaOf = (holder: unknown, type = 'application/json') =>
  (holder as { content?: Record<string, { schema?: Node }> } | undefined)?.content?.[type]?.schema;
const bodyOf = (id: OperationId) => schemaOf(described(id)['requestBody']);
const check = (schema: Node, value: unknown) => {
  // By its address in the document, so that schemas which refer to each other are compiled once.
  const validate = ajv.getSchema(`openapi${String(schema['$ref'])}`);
  if (!validate) throw new Error(`the document has no ${String(schema['$ref'])}`);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Faults that say that something else than a field of the body is missing: the definition of the community wants it. */
const CONDITIONAL = [
  // In startTotp: users who sign in by a provider have no password.
  'password',
  // In writes of many posts: `posts` suffices.
  'postIds',
  'assignee',
  'description',
  'title',
  'comment',
  'screenData.#',
  'screenOccToken',
  'announcement',
  'state',
  'ids',
  // In applyCommunity: the community of a draft suffices.
  'file',
  // In startImport: an earlier import suffices.
  'contentRef',
  'fileName',
  'mapping',
  // In requestAcknowledgements: `groupIds` suffices.
  'userIds',
  'read',
  // In changeUsers: another change suffices.
  'blocked',
  // May come in a header.
  'occToken',
];

describe.each(Object.keys(recipes) as OperationId[])('%s', (id) => {
  const recipe = recipes[id] as Recipe;
  const who = () => world.people[recipe.by];
  const schema = bodyOf(id);
  const required = schema ? ((at(String(schema['$ref']))['required'] as string[] | undefined) ?? []) : [];

  test('the body that is taken is valid', async () => {
    const { body } = await recipe.prepare(world);
    expect(body === undefined).toBe(schema === undefined);
    if (schema) expect(check(schema, body)).toEqual([]);
  });

  test('the body is required where something in it is, and what is required is refused when it is missing or null', async () => {
    const body = described(id)['requestBody'] as { required: boolean } | undefined;
    expect(body?.required ?? false).toBe(
      required.length > 0 || (operations[id] as Operation).requiresOneOf !== undefined,
    );
    const call = await recipe.prepare(world);
    for (const name of required) {
      for (const value of [undefined, null]) {
        const answer = await send(world, who(), id, { ...call, body: { ...call.body, [name]: value } });
        expect([answer.status, faultsOf(answer).join()], name).toEqual([
          400,
          expect.stringMatching(new RegExp(`\\b${name}(\\.\\w+)? REQUIRED_FIELD`)),
        ]);
      }
    }
  });

  test('nothing else is required by itself', async () => {
    const call = await recipe.prepare(world);
    const least = call.body && Object.fromEntries(required.map((name) => [name, call.body![name]]));
    const answer = await send(world, who(), id, { ...call, ...(least && { body: least }) }, { dryRun: true });
    const missing = faultsOf(answer).filter((fault) => fault.endsWith('REQUIRED_FIELD'));
    expect(missing.filter((fault) => !CONDITIONAL.includes(fault.split(' ')[0]!))).toEqual([]);
  });

  test('the answer is as declared, of a named type; an empty one is declared empty', async () => {
    const ok = (described(id)['responses'] as Record<string, Node>)['200']!;
    const answer = await send(world, who(), id, await recipe.prepare(world));
    const tried = await send(world, who(), id, await recipe.prepare(world), { dryRun: true });
    expect([answer.status, tried.status]).toEqual([200, 200]);
    const type = answer.headers.get('content-type')?.split(';')[0];
    const declared = schemaOf(ok);
    if (declared) {
      expect(type).toBe('application/json');
      expect(declared).toHaveProperty('$ref');
      expect(check(declared, answer.body)).toEqual([]);
      expect(at(String(declared['$ref']))).toHaveProperty(['properties', 'dryRun']);
      expect(check(declared, tried.body)).toEqual([]);
      return;
    }
    expect([answer.text, type]).toEqual(['', undefined]);
    const triedType = tried.headers.get('content-type')!.split(';')[0]!;
    expect(Object.keys(ok['content'] as object)).toEqual([triedType]);
    expect(triedType).not.toBe('application/json');
    expect(check({ $ref: '#/components/schemas/DryRunAnswer' }, tried.body)).toEqual([]);
  });
});

describe('errors', () => {
  test('a 409 says who as it declares it', async () => {
    const recipe = recipes.editGroup as Recipe;
    const call = await recipe.prepare(world);
    await send(world, world.people.admin, 'editGroup', call);
    const stale = await send(world, world.people.admin, 'editGroup', call);
    expect(stale.status).toBe(409);
    expect(Object.keys(stale.body.changedBy).sort()).toEqual(
      Object.keys(at('#/components/schemas/ChangeAuthor')['properties'] as object).sort(),
    );
    expect(check({ $ref: '#/components/schemas/ConflictError' }, stale.body)).toEqual([]);
  });

  test('faults of lists that name a custom field are declared so', () => {
    for (const id of ['listCommunityPostsFiltered', 'listCommunityPosts'] as const) {
      expect(described(id)['responses']).toHaveProperty(['400', '$ref'], '#/components/responses/BadCustomFields');
    }
  });

  test('the headers that say what to do are declared where they come', () => {
    const answers = at('#/components/responses') as Record<string, Node>;
    expect(answers['TooManyRequests']).toHaveProperty(['headers', 'Retry-After']);
    expect(answers['Unavailable']).toHaveProperty(['headers', 'Retry-After']);
    expect(answers['MethodNotAllowed']).toHaveProperty(['headers', 'Allow']);
    for (const id of Object.keys(operations) as OperationId[]) {
      expect(Object.keys(described(id)['responses'] as object), id).toEqual(
        expect.arrayContaining(['200', '400', '401', '405', '414', '429', '503', 'default']),
      );
    }
  });
});

describe('requests', () => {
  const list = { $ref: '#/components/schemas/ListCommunityPostsFilteredRequest' };

  test('take null wherever the server does: the complete body of existing clients is valid', async () => {
    const body = {
      pageToken: null,
      pageSize: 10,
      calculateTotalItemsCount: true,
      orderBy: 'postLastModifyAndCommentTimestamp',
      orderDesc: true,
      pinnedFirst: true,
      communityPostFilters: {
        followedByMe: null,
        mentioned: false,
        acknowledgeTaskFilter: null,
        postTypes: [],
        eventPostFilter: null,
      },
      communityAttachmentFilters: null,
    };
    expect(check(list, body)).toEqual([]);
    const path = `/portal/api/communication/posts/data/list/community/${world.communityId}`;
    expect((await world.tenant.request(world.people.author, 'POST', path, body)).status).toBe(200);
  });

  test('of every body admit null for what may be left out, and no key that is not declared', () => {
    for (const id of Object.keys(operations) as OperationId[]) {
      const schema = bodyOf(id);
      if (!schema) continue;
      const { properties, required = [] } = at(String(schema['$ref'])) as { properties: Node; required?: string[] };
      const nulls = Object.fromEntries(Object.keys(properties).map((name) => [name, null]));
      expect(
        check(schema, nulls).filter((problem) => !required.some((name) => problem.startsWith(`/${name} `))),
        id,
      ).toEqual([]);
      expect(check(schema, { undeclared: 1 }), id).toContain(' must NOT have additional properties');
    }
  });

  test('say formats, enumerations and ranges that the server checks', async () => {
    const refused: [OperationId, Node, string][] = [
      ['listSystemUsers', { loginProviderFilter: ['facebook'] }, 'loginProviderFilter[0]'],
      [
        'createUser',
        { firstname: 'A', lastname: 'B', userPreferences: { defaultLanguageId: 'tlh' } },
        'userPreferences.defaultLanguageId',
      ],
      [
        'createUser',
        { firstname: 'A', lastname: 'B', userPreferences: { defaultTimezoneId: 0 } },
        'userPreferences.defaultTimezoneId',
      ],
      ['createCatalog', { name: { English: 'x' } }, 'name.English'],
    ];
    for (const [id, body, field] of refused) {
      expect(check(bodyOf(id)!, body), field).not.toEqual([]);
      const answer = await send(
        world,
        world.people.admin,
        id,
        { params: {}, body },
        { dryRun: operations[id].kind === 'write' },
      );
      expect([answer.status, faultsOf(answer).join()], field).toEqual([400, expect.stringContaining(field)]);
    }
    expect(at('#/components/schemas/CreateUserRequest')).toHaveProperty(
      ['properties', 'contactEmail', 'format'],
      'email',
    );
    expect(at('#/components/schemas/LinkPreviewInput')).toHaveProperty(['properties', 'url', 'format'], 'uri');
    expect(at('#/components/schemas/TimeZoneName')['enum']).toContain('Europe/Rome');
  });

  test('no component is left that nothing refers to, and every answer has a named type', () => {
    const text = JSON.stringify(document);
    for (const name of Object.keys(at('#/components/schemas'))) {
      expect(text, name).toContain(`"#/components/schemas/${name}"`);
    }
    for (const id of Object.keys(operations) as OperationId[]) {
      const schema = schemaOf((described(id)['responses'] as Record<string, Node>)['200']);
      if (schema) expect(Object.keys(schema), id).toEqual(['$ref']);
    }
  });
});
