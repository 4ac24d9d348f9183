/** The schemas of a community accept its responses, and are part of its OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { API, createFieldWorld, createPost, type FieldWorld } from '../posts/writing/writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal?.close());

const get = (userId: number | null, path: string) => world.tenant.request(userId, 'GET', path);
// biome-ignore lint/suspicious/noExplicitAny: a schema is whatever it is
const check = (schema: any) => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  return (value: unknown) =>
    validate(value) ? [] : validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
};

test('answers and requests of the community are valid, values of other kinds are not', async () => {
  const { people, fields, values, entries, communityId } = world;
  const id = (name: string) => String(fields[name]);
  const data = {
    [id('INT')]: 7,
    [id('BIGINT')]: '9007199254740993',
    [id('DECIMAL')]: 1.25,
    [id('DATE')]: Date.UTC(2026, 0, 1),
    [id('DATETIME')]: Date.UTC(2026, 0, 1, 12),
    [id('STRING')]: 'text',
    [id('ENUM')]: values['ENUM']![0],
    [id('ENUM_LIST')]: [entries[0]],
    [id('TEXT_AREA')]: 'text',
    [id('FLAG')]: true,
    [id('DELTA_AREA')]: JSON.stringify([{ insert: 'text\n' }]),
    [id('FEEDBACK')]: 4,
    [id('HIERARCHICAL_ENUM')]: values['HIERARCHICAL_ENUM']![0],
    [id('LINK')]: 'https://example.org/',
    [id('PEOPLE')]: [people.reader],
  };
  const { postId } = await createPost(world, people.author, { customData: data });
  const path = `/portal/api/communication/settings/communities/${communityId}/post-schemas`;
  expect((await get(people.outsider, path)).status).toBe(404);
  const { schemas } = (await get(people.reader, path)).body;
  const read = check(schemas.PostFields);
  const sent = check(schemas.PostFieldsInput);
  const { customData } = (await get(people.author, `${API}/data/post-detail-by-id/${postId}`)).body;
  expect(Object.keys(customData).sort()).toEqual(Object.keys(data).sort());
  expect(read(customData)).toEqual([]);
  expect(sent(data)).toEqual([]);
  expect(sent({ ...data, [id('INT')]: null, [id('DATE')]: '2026-01-01' })).toEqual([]);
  expect(schemas.PostFields.properties[id('ENUM')]).toMatchObject({ title: 'ENUM', oneOf: [{ title: 'one' }, {}, {}] });
  expect(schemas.PostFieldsInput.properties[id('READONLY')]).toBeUndefined();
  const wrong = { INT: 'seven', ENUM: 999_999_999, ENUM_LIST: [1], FLAG: 'perhaps', PEOPLE: [1] };
  for (const [name, value] of Object.entries(wrong)) expect(read({ [id(name)]: value }), name).not.toEqual([]);
});

test('the OpenAPI document of a community names its fields, for who sees it', async () => {
  const { people, fields, communityId } = world;
  const path = '/portal/api/openapi.json';
  const plain = (await get(null, path)).body;
  expect(plain.components.schemas.PostFields).toBeUndefined();
  expect((await get(null, `${path}?community=${communityId}`)).status).toBe(401);
  expect((await get(people.outsider, `${path}?community=${communityId}`)).status).toBe(404);
  expect((await get(people.reader, `${path}?community=999999999`)).status).toBe(404);
  expect((await get(people.reader, `${path}?community=all`)).body.validationErrors.list).toMatchObject([
    { field: 'community' },
  ]);
  const answer = await get(people.reader, `${path}?community=${communityId}`);
  expect(answer.status).toBe(200);
  const { schemas } = answer.body.components;
  expect(schemas.PostFields.properties[String(fields['INT'])]).toMatchObject({ title: 'INT', type: 'integer' });
  expect(schemas.PostDetail.properties.customData.$ref).toBe('#/components/schemas/PostFields');
  expect(schemas.PostDetail.properties.currentWorkflowScreenData.$ref).toBe('#/components/schemas/ScreenFields');
  const inputs = JSON.stringify(schemas.CreateCustomPostRequest.properties.customData);
  expect(inputs).toContain('#/components/schemas/PostFieldsInput');
  for (const [, name] of answer.text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(schemas, name).toHaveProperty(name!);
  expect(answer.body.servers).toEqual(plain.servers);
});
