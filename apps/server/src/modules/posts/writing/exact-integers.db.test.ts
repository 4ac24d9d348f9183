/** Integers of 64 bits keep every digit, sent as numbers or as texts, in values, in filters and under a key. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { API, createFieldWorld, type FieldWorld, MANAGE, postBody } from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

const field = () => world.fields['BIGINT']!;
/** Sends a body with the value of the field exactly as written here: JavaScript would round it. */
const create = (value: string, more: Record<string, unknown> = {}, headers?: Record<string, string>) => {
  const body = JSON.stringify({ ...postBody(more), customData: { [field()]: 'HERE' } }).replace('"HERE"', value);
  return world.tenant.request(world.people.author, 'POST', `${MANAGE}/create-post/${world.communityId}`, body, headers);
};
const read = async (value: string) => {
  const answer = await create(value);
  expect(answer.status, value).toBe(200);
  return answer.body.postData.customData[field()];
};

test('numbers beyond 2^53 are taken digit by digit, and come back as text', async () => {
  expect(await read('9007199254740991')).toBe(9007199254740991);
  expect(await read('9007199254740993')).toBe('9007199254740993');
  expect(await read('-9223372036854775808')).toBe('-9223372036854775808');
  expect(await read('"9223372036854775807"')).toBe('9223372036854775807');
});

test('numbers beyond 64 bits, and whole numbers written otherwise, are refused', async () => {
  for (const value of ['9223372036854775808', '1e20', '12345678901234567.5']) {
    const answer = await create(value);
    expect([answer.status, answer.body.validationErrors?.list[0].field], value).toEqual([400, `customData.${field()}`]);
  }
});

test('elsewhere they are what they were: out of range for ids, no text for texts', async () => {
  const long = '9007199254740993';
  const ids = await world.tenant.request(
    world.people.author,
    'POST',
    `${API}/data/check-visibility`,
    `{"ids":[${long}]}`,
  );
  expect(ids.body.validationErrors.list).toMatchObject([{ code: 'INTEGER_OUT_OF_RANGE', field: 'ids[0]' }]);
  const text = world.fields['STRING']!;
  const body = JSON.stringify({ ...postBody(), customData: { [text]: 'HERE' } }).replace('"HERE"', long);
  const path = `${MANAGE}/create-post/${world.communityId}`;
  expect((await world.tenant.request(world.people.author, 'POST', path, body)).status).toBe(400);
});

test('filters find exactly the number that was meant', async () => {
  const made = await create('1152921504606846977');
  await create('1152921504606846976');
  for (const value of ['1152921504606846977', '"1152921504606846977"']) {
    const body = `{"postFieldFilters":[{"columnId":${field()},"typeId":1,"parameters":[${value}]}],"pageSize":5}`;
    const path = `${API}/data/list/community/${world.communityId}`;
    const found = await world.tenant.request(world.people.author, 'POST', path, body);
    expect(
      found.body.items?.map(({ id }: { id: number }) => id),
      value,
    ).toEqual([made.body.postId]);
  }
});

test('a key tells two numbers apart that a double does not', async () => {
  const headers = { 'Idempotency-Key': 'exact' };
  expect((await create('9007199254740992', {}, headers)).status).toBe(200);
  expect((await create('9007199254740993', {}, headers)).status).toBe(422);
});
