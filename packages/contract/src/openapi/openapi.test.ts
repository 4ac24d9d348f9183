import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { FilterType } from '../codes/codes.ts';
import { FieldType } from '../codes/field-types.ts';
import { errorCodes } from '../errors.ts';
import { isExported } from '../exports.ts';
import { operatorsByFieldType, postOrders } from '../filters.ts';
import type { Example } from '../operations/examples.ts';
import { type OperationId, operationList, operations } from '../operations/index.ts';
import {
  type DeclaredName,
  inputId,
  type JsonSchema,
  sharedSchemas,
  strictResponse,
  strictSharedSchemas,
} from '../schemas/index.ts';
import type { ListCommunityPostsFilteredRequest } from '../types/index.ts';
import { errorAnswers, errorExample } from './components.ts';
import { buildOpenApi, buildOpenApi30, buildSwagger2 } from './index.ts';

type Node = Record<string, unknown>;

const byReference = (list: readonly JsonSchema[]) =>
  Object.fromEntries(list.map((schema) => [`${schema.$id}#`, schema]));
const shared = byReference(sharedSchemas);
const strict = byReference(strictSharedSchemas());

function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [part] : references(part),
  );
}

function resolve(document: Node, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Node | undefined)?.[key.replaceAll('~1', '/')], document);
}

function operationsOf(document: Node): { path: string; method: string; operation: Node }[] {
  return Object.entries(document.paths as Record<string, Record<string, Node>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

describe('routes that are no operations', () => {
  const document = buildOpenApi() as Node & { components: { pathItems: Record<string, Record<string, Node>> } };
  const { export: list, live } = document.components.pathItems;
  const types = (operation: Node | undefined) =>
    Object.keys((operation as unknown as { responses: { 200: { content: object } } }).responses[200].content);

  it('are described with what they answer', () => {
    expect(types(list!.post)).toEqual([
      'text/csv',
      'application/x-ndjson',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect(types(live!.get)).toEqual(['text/event-stream']);
    const exported = operationsOf(document).filter(({ operation }) => operation['x-export']);
    expect(exported.map(({ operation }) => operation.operationId).sort()).toEqual(
      operationList
        .filter(isExported)
        .map(({ id }) => id)
        .sort(),
    );
  });
});

describe.each([
  ['OpenAPI 3.1', buildOpenApi()],
  ['OpenAPI 3.0', buildOpenApi30()],
  ['Swagger 2.0', buildSwagger2()],
])('the %s document', (_name, document) => {
  it('resolves every reference', () => {
    const broken = [...new Set(references(document))].filter((pointer) => resolve(document, pointer) === undefined);
    expect(broken).toEqual([]);
  });

  it('has every operation once, under its id', () => {
    const ids = operationsOf(document).map(({ operation }) => String(operation.operationId));
    expect(ids.sort()).toEqual(operationList.map(({ id }) => id).sort());
  });

  it('describes every parameter, and asks for those of the path', () => {
    for (const { path, operation } of operationsOf(document)) {
      const parameters = (operation.parameters as Node[]).map((parameter) =>
        parameter.$ref ? (resolve(document, String(parameter.$ref)) as Node) : parameter,
      );
      for (const parameter of parameters) {
        if (parameter.in !== 'body')
          expect(parameter.description, `${operation.operationId} ${parameter.name}`).toBeTruthy();
      }
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it('asks for a body only where something in it is needed, alone or one of several', () => {
    const asked = operationsOf(document).filter(({ operation }) => {
      const inBody = (operation.parameters as Node[]).find((parameter) => parameter.in === 'body');
      return ((operation.requestBody as Node) ?? inBody)?.required;
    });
    const ids = asked.map(({ operation }) => operation.operationId);
    expect(ids).toEqual(expect.arrayContaining(['createPostComment', 'createTask', 'editTask', 'editUserCredentials']));
    for (const id of ['createPost', 'editPost', 'listSystemUsers', 'editPostWatchers']) expect(ids).not.toContain(id);
  });

  it('gives each answer a description', () => {
    for (const { operation } of operationsOf(document)) {
      for (const answer of Object.values(operation.responses as Record<string, Node>)) {
        const resolved = answer.$ref ? (resolve(document, String(answer.$ref)) as Node) : answer;
        expect(resolved.description, String(operation.operationId)).toBeTruthy();
      }
    }
  });

  it('uses no key of ours inside schemas', () => {
    expect(JSON.stringify(document)).not.toMatch(/"x-(?:token|or-text|required|request|answer|words|prefix)"|"\$id"/);
  });

  it('asks nobody to sign in for ways to sign in and new passwords, and everybody else', () => {
    for (const { operation } of operationsOf(document)) {
      const open =
        /^(?:createAccessToken|getBranding$|listSignInProviders$|requestPasswordReset$|setPasswordByLink$|(?:start|end)Session$|startSessionByPasskey$|startPasskeySignIn$|(?:start|collect)DeviceSignIn$)/.test(
          String(operation.operationId),
        );
      expect(operation.security, String(operation.operationId)).toEqual(open ? [] : undefined);
    }
    expect(document.security).not.toHaveLength(0);
  });
});

describe('the OpenAPI document', () => {
  const document = buildOpenApi({ serverUrl: 'https://portal.example.org/' });

  it('names the server both ways', () => {
    expect((document.servers as Node[]).map(({ url }) => url)).toEqual([
      'https://portal.example.org/portal/api',
      'https://portal.example.org/portal/api/external/v2',
    ]);
  });

  it('gives every error answer a body with examples that fit it', () => {
    for (const { codes, schema, status } of Object.values(errorAnswers)) {
      const check = Schema.Compile(strict, { $ref: `${schema}#` });
      for (const code of codes) {
        expect(check.Check(errorExample(code)), code).toBe(true);
        if (status !== 500) expect(errorCodes[code].status, code).toBe(status);
      }
    }
  });

  it('publishes the tables of codes, rules, operators and errors', () => {
    const { description } = document.info as { description: string };
    for (const name of ['TaskState', 'ReminderRange', 'UserStatus', 'GroupStatus', 'RoleId', 'SubTaskState']) {
      expect(description).toContain(`\`${name}\``);
    }
    for (const code of Object.keys(errorCodes)) expect(description).toContain(`\`${code}\``);
    expect(description).toContain('UNIQUE_ITEMS');
    expect(Object.keys(document['x-time-zones'] as Node).length).toBeGreaterThan(400);
  });
});

describe('the OpenAPI 3.0 document', () => {
  const document = buildOpenApi30({ serverUrl: 'https://portal.example.org' }) as Node & {
    components: { schemas: Record<string, { properties?: Record<string, Node> }> };
  };
  const { schemas } = document.components;
  const newer = (buildOpenApi().components as typeof document.components).schemas;

  it('keeps to what 3.0 knows, and has one form of each field', () => {
    expect(document).toMatchObject({ openapi: '3.0.3', servers: [{ url: 'https://portal.example.org/portal/api' }] });
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/"type":\[|"type":"null"|"(?:anyOf|oneOf|const|propertyNames|pathItems|x-schema)":/);
    expect(text).not.toMatch(/"enum":\[[^\]]*null/);
    expect(schemas.ListSystemUsersRequest!.properties).toMatchObject({
      lang: { type: 'array', items: { type: 'string' } },
      loginProviderFilter: { type: 'array', items: { type: 'string' } },
    });
    expect(schemas.EditGroupRequest!.properties!.occToken).toMatchObject({ type: 'integer', format: 'int64' });
    expect(schemas.ZonedDatetimeInput!.properties!.timezone).toMatchObject({ type: 'string' });
  });

  it('has the types of the 3.1 document with the same members, and no others', () => {
    for (const [name, { properties }] of Object.entries(schemas)) {
      if (name === 'Error') continue;
      expect(Object.keys(properties ?? {}), name).toEqual(Object.keys(newer[name]?.properties ?? {}));
    }
    const used = new Set(references(document).map((pointer) => pointer.split('/').at(-1)));
    expect(Object.keys(schemas).filter((name) => !used.has(name))).toEqual([]);
  });

  it('tells of null only where it has a meaning', () => {
    const tell = Object.entries(schemas).filter(([, schema]) => JSON.stringify(schema).includes('"nullable"'));
    expect(tell.map(([name]) => name).sort()).toEqual([
      'PatchPostRequest',
      'PostFieldValidation',
      'PostPatch',
      'PostWorkflowDefinitionScreenFieldValidation',
    ]);
  });

  it('has bodies in JSON only, and one type for all errors', () => {
    for (const { operation } of operationsOf(document)) {
      const { 200: done, ...others } = operation.responses as Record<string, Node>;
      const other = { $ref: '#/components/responses/OtherError' };
      expect(others).toEqual({ '4XX': other, '5XX': other });
      for (const body of [operation.requestBody as Node | undefined, done])
        expect(Object.keys(body?.content ?? { 'application/json': {} })).toEqual(['application/json']);
    }
    const paths = document.paths as Record<string, Record<string, Node>>;
    expect(paths['/admin/manage/users/{userId}/edit']?.get?.description).toMatch(/204: .*deleted/);
    for (const { schema } of Object.values(errorAnswers))
      expect(Object.keys(schemas.Error!.properties!)).toEqual(
        expect.arrayContaining(Object.keys(newer[schema]!.properties!)),
      );
  });
});

describe('the Swagger document', () => {
  it('has the base path and the paths that old tools expect', () => {
    const document = buildSwagger2({ serverUrl: 'http://127.0.0.1:8080' });
    expect(document).toMatchObject({ basePath: '/portal/api/', host: '127.0.0.1:8080', schemes: ['http'] });
    for (const path of Object.keys(document.paths as Node)) expect(path).toMatch(/^\/external\/v2\//);
  });

  it('names types with the suffix that older generators expect; the OpenAPI document has plain names', () => {
    const { definitions } = buildSwagger2() as { definitions: Node };
    const names = Object.keys(definitions);
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name) => !name.endsWith('DTO'))).toEqual(['Create Custom Post Request']);
    const { schemas } = buildOpenApi().components as { schemas: Node };
    expect(Object.keys(schemas).filter((name) => name.endsWith('DTO'))).toEqual([]);
    expect(schemas).toHaveProperty('CreateCustomPostRequest');
  });

  it('keeps to what Swagger 2.0 knows', () => {
    expect(JSON.stringify(buildSwagger2())).not.toMatch(/"type":\[|"anyOf"|"oneOf"|"const"/);
  });

  it('has no formats but those of the original document', () => {
    const formats = new Set<string>();
    JSON.stringify(buildSwagger2(), (key, value: unknown) => {
      if (key === 'format' && typeof value === 'string') formats.add(value);
      return value;
    });
    expect([...formats].sort()).toEqual(['int32', 'int64']);
  });
});

describe('examples', () => {
  const bodies = operationList.filter(({ requestExamples }) => requestExamples);
  const answers = operationList.filter(({ responseExamples }) => responseExamples);

  it.each(bodies)('of the body of $id are valid', ({ body, requestExamples = {} }) => {
    const check = Schema.Compile(shared, { $ref: `${inputId(body as DeclaredName)}#` });
    for (const [name, { value }] of Object.entries(requestExamples)) expect(check.Errors(value)[1], name).toEqual([]);
  });

  it.each(answers)('of the answer of $id are valid in strict mode', ({ id, responseExamples = {} }) => {
    const check = Schema.Compile(strict, strictResponse(id as OperationId) ?? false);
    for (const [name, { value }] of Object.entries(responseExamples)) expect(check.Errors(value)[1], name).toEqual([]);
  });

  const ofList = operations.listCommunityPostsFiltered.requestExamples as Readonly<
    Record<string, Example<ListCommunityPostsFilteredRequest>>
  >;

  it('show every order of the main list', () => {
    const orders = Object.values(ofList).map(({ value }) => value.orderBy);
    expect(orders).toEqual(expect.arrayContaining([...postOrders, 'postCustomField-4104']));
  });

  it('show every operator on every type of field that takes it', () => {
    for (const [typeName, type] of Object.entries(FieldType)) {
      for (const [operatorName, operator] of Object.entries(FilterType)) {
        const example = ofList[`filter-${typeName}-${operatorName}`];
        expect(example !== undefined, `${typeName} ${operatorName}`).toBe(
          operatorsByFieldType[type].includes(operator),
        );
        if (example) expect(example.value.postFieldFilters?.[0]?.typeId).toBe(operator);
      }
    }
  });

  it('stand in the document', () => {
    const document = buildOpenApi();
    const paths = document.paths as Record<string, Record<string, Node>>;
    const list = paths['/communication/posts/data/list/community/{communityId}']?.post;
    expect(list).toHaveProperty(['requestBody', 'content', 'application/json', 'examples', 'filter-DATE-INTERVAL']);
  });
});
