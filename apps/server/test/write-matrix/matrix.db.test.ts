/**
 * Rules for every write of the contract: success, faults, tokens, repeats, other tenants, missing
 * rights, dry runs.
 */
import { randomBytes } from 'node:crypto';
import { type OperationId, operationList, operations, writeRecords } from '@portico/contract';
import { type DeclaredName, declarations, type FieldSchema } from '@portico/contract/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/modules/tables.ts';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { anonymous, faultsOf, send, shape, tokenOf, withToken } from './calls.fixture.ts';
import { dump, expectUnchanged, mark } from './dump.fixture.ts';
import {
  type Call,
  createRecipeWorld,
  idsOf,
  type Kind,
  type Recipe,
  recipes,
  type TestWorld,
} from './recipes.fixture.ts';
import { added, recordsOf } from './records.fixture.ts';
import { partField, sorted, tableChanges } from './table-changes.fixture.ts';

const NEVER = 987_654_321;
/** More of them are in the long form of interleaving.db.test.ts. */
const WRITERS = 8;

let portal: TestPortal;
let world: TestWorld;
let foreign: Record<Kind, number>;

beforeAll(async () => {
  portal = await createTestPortal();
  // Ids of the other tenant must not be ids of this one: its sequences are shared, so they never are.
  foreign = await idsOf(await createRecipeWorld(portal));
});
afterAll(() => portal?.close());

const who = (recipe: Recipe) => world.people[recipe.by];

/** While somebody has lost their role in the community, or their rights as an administrator. */
async function withoutRights(work: () => Promise<void>): Promise<void> {
  const { author, manager, admin } = world.people;
  const rights = async (given: boolean) => {
    for (const [principal, role] of [
      [author, 2],
      [manager, 1],
    ]) {
      await world.rows(
        given
          ? `INSERT INTO community_roles (tenant_id, community_id, principal, role_id) VALUES ($1, $2, $3, ${role})`
          : 'DELETE FROM community_roles WHERE tenant_id = $1 AND community_id = $2 AND principal = $3',
        [world.communityId, principal],
      );
    }
    await world.rows(`UPDATE users SET manages_users = $3, manages_workplace = $3 WHERE tenant_id = $1 AND id = $2`, [
      admin,
      given,
    ]);
    await world.rows('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1');
  };
  await rights(false);
  try {
    await work();
  } finally {
    await rights(true);
  }
}

/** Objects that readers of a post see with it. */
const PARTS_OF_POSTS = ['comment', 'task', 'attachment'];

const writes = operationList.filter(({ kind }) => kind === 'write');
/** Declared fields of an operation's body. */
const fieldsOf = (id: OperationId): Record<string, FieldSchema> => {
  const name = operations[id].body as DeclaredName | null;
  return name === null ? {} : { ...declarations[name].fields };
};

test('every write has a recipe, and every token that a write takes is among what is tested', () => {
  const missing = writes.map(({ id }) => id).filter((id) => !(id in recipes));
  expect(missing, 'writes without a recipe in a *-recipes.fixture.ts of write-matrix').toEqual([]);
  expect(Object.keys(recipes)).toHaveLength(writes.length);
  for (const { id, pathParams } of writes) {
    const inPath = Object.keys(pathParams).find((name) => /occToken/i.test(name));
    // Making a catalog takes the body of editing one, in which the token means nothing.
    const named = /^create/.test(id) ? [] : Object.keys(fieldsOf(id as OperationId));
    const inBody = named.find((name) => /occToken/i.test(name));
    expect(recipes[id as OperationId]!.token, id).toBe(inPath ?? (inBody && `body.${inBody}`));
    // docs/decisions/writes.md: of all that take a token, only copies leave it as it is.
    expect(recipes[id as OperationId]!.keepsToken === true, id).toBe(/^copy/.test(id));
  }
});

test('the report of a dry run is compared with every table that is part of an object', () => {
  const parts = [...tables.values()].filter(({ field }) => field !== undefined).map(({ name }) => name);
  expect(Object.keys(partField).sort(), 'partField of table-changes.fixture.ts').toEqual(parts.sort());
});

/**
 * Returns the part of a response that is stored for a repeated request: all but new keys, secrets
 * and codes, which are shown once.
 */
const keptOf = (answer: Record<string, unknown> | undefined) => {
  const {
    keyFile: _key,
    secret: _secret,
    uri: _uri,
    recoveryCodes: _codes,
    invitationLink: _link,
    ...kept
  } = answer ?? {};
  return answer && kept;
};

/** Operations that share a tenant: every row of it is compared many times, and each operation leaves some. */
const OF_ONE_WORLD = 8;
const ids = Object.keys(recipes) as OperationId[];
let begun = 0;

describe.each(ids)('%s', (id) => {
  beforeAll(async () => {
    if (begun++ % OF_ONE_WORLD === 0) world = await createRecipeWorld(portal);
  });
  const recipe = recipes[id] as Recipe;
  const forAnyone = recipe.open === 'anyone' || recipe.open === 'own';
  const merged = (call: Call, change: object): Call => ({ ...call, body: { ...call.body, ...change } });

  test('succeeds, and answers a repeat with the same key as at first', async () => {
    const call = await recipe.prepare(world);
    const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') };
    const first = await send(world, who(recipe), id, call, { headers });
    expect(first.status, first.text).toBe(200);
    const before = await mark(world);
    const again = await send(world, who(recipe), id, call, { headers });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(keptOf(first.body));
    const bare = !recipe.other && call.body === undefined && Object.keys(call.params).length === 0;
    if (forAnyone || bare) {
      // Nothing in such a request could differ; but the key of one operation is no key of another.
      const body = { title: 't', description: 'd', descriptionFormat: 2, announcement: false };
      const elsewhere = { params: { communityId: world.communityId }, body };
      expect((await send(world, who(recipe), 'createCustomPost', elsewhere, { headers })).status).toBe(422);
      return;
    }
    const changed = recipe.other ? merged(call, recipe.other) : await recipe.prepare(world);
    const after = recipe.other ? before : await mark(world);
    const other = await send(world, who(recipe), id, changed, { headers });
    expect(other.status, other.text).toBe(422);
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    await expectUnchanged(world, after);
  });

  test('gives a kept answer to nobody who may not have it any more', async () => {
    const call = await recipe.prepare(world);
    const headers = { 'Idempotency-Key': randomBytes(8).toString('hex') };
    const first = await send(world, who(recipe), id, call, { headers });
    expect(first.status, first.text).toBe(200);
    await withoutRights(async () => {
      const before = await mark(world);
      const again = await send(world, who(recipe), id, call, { headers });
      // The user who deleted a post knows that it is gone: the response says nothing else.
      const gone = operations[id].permission === 'deletePost';
      const unseen = gone || forAnyone ? 200 : 404;
      expect(again.status, again.text).toBe(recipe.by === 'admin' && !recipe.unseen ? 403 : unseen);
      await expectUnchanged(world, before);
    });
    expect((await send(world, who(recipe), id, call, { headers })).body).toEqual(keptOf(first.body));
  });

  test('dry, answers as it would and leaves every row as it was', async () => {
    const call = await recipe.prepare(world);
    const [before, marked] = [await dump(world), await mark(world)];
    const dry = await send(world, who(recipe), id, call, { dryRun: true });
    expect(dry.status, dry.text).toBe(200);
    await expectUnchanged(world, marked);
    const { dryRun, ...rest } = dry.body;
    const real = await send(world, who(recipe), id, call);
    expect(real.status, real.text).toBe(200);
    // The report equals the changes of the write in the tables.
    const after = await dump(world);
    const done = tableChanges(before, after);
    // In the same transaction: one change row for each post it changed, and the events that the history tells of it.
    const posts = done.filter(({ entity }) => entity === 'post');
    // Followers of the community that a post leaves are notified as well.
    const followed = 'recordPost of posts/events tells the stream of each post that was changed';
    expect(added(before, after, 'changes'), followed).toHaveLength(id === 'movePost' ? 2 : posts.length);
    const parts = done.filter(({ entity }) => PARTS_OF_POSTS.includes(entity));
    const touched = `recordPost of posts/events: the post was changed with its ${parts[0]?.entity}`;
    expect(posts.length > 0 || parts.length === 0, touched).toBe(true);
    const declared = `writeRecords of the contract has the records of ${id}`;
    expect(recordsOf(id, done, before, after), declared).toEqual(writeRecords[id as keyof typeof writeRecords]);
    expect(sorted(dryRun.changes), 'objects that statements named, and rows that changed').toEqual(done);
    expect(done.length > 0, '`quiet` in the recipe: whether it changes nothing that others see').toBe(
      recipe.quiet !== true,
    );
    expect(Array.isArray(dryRun.notifications)).toBe(true);
    expect(shape(keptOf(rest))).toEqual(shape(keptOf(real.body) ?? {}));
    expect(real.body?.dryRun).toBeUndefined();
  });

  test('dry, refuses what it would refuse', async () => {
    for (const { change, faults } of recipe.refused ?? []) {
      const call = await recipe.prepare(world);
      const dry = await send(world, who(recipe), id, merged(call, change), { dryRun: true });
      expect(dry.status).toBe(400);
      expect(faultsOf(dry)).toEqual(expect.arrayContaining(faults));
    }
  });

  test('tells every fault of a body at once and changes nothing', async () => {
    // A write without a body is refused because of the state of the object.
    if (operations[id].responses[400 as never] && operations[id].body && id !== 'editPostWatchers')
      expect(recipe.refused).toBeDefined();
    for (const { change, faults } of recipe.refused ?? []) {
      const call = await recipe.prepare(world);
      const before = await mark(world);
      const answer = await send(world, who(recipe), id, merged(call, change));
      expect(answer.status, answer.text).toBe(400);
      expect(faultsOf(answer)).toEqual(expect.arrayContaining(faults));
      await expectUnchanged(world, before);
    }
  });

  test('refuses what is no request of its kind, naming every field', async () => {
    const call = await recipe.prepare(world);
    const before = await mark(world);
    const { method, path, pathParams } = operations[id];
    const url = (params: object) =>
      `/portal/api/external/v2${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(params[name as never]))}`;
    for (const name of Object.keys(pathParams)) {
      const answer = await world.tenant.request(who(recipe), method, url({ ...call.params, [name]: 'x' }), call.body);
      expect(answer.status, answer.text).toBe(400);
      expect(faultsOf(answer)).toEqual([`${name} INVALID_TYPE`]);
    }
    const types = Object.entries(fieldsOf(id)).filter(([, { $ref, type }]) => $ref || type);
    if (types.length > 0) {
      // A member of each kind that is of another kind: all of them are reported at once.
      const body = Object.fromEntries(types.map(([name, { type }]) => [name, type === 'string' ? { a: 1 } : 'x']));
      const wrong = await world.tenant.request(who(recipe), method, url(call.params), body);
      expect(wrong.status, wrong.text).toBe(400);
      const told = faultsOf(wrong).map((fault) => fault.split(' ')[0]);
      expect(told).toEqual(types.map(([name]) => name).sort());
      for (const raw of ['{', '[]', '"x"', '1', '{"a":1}}']) {
        expect((await world.tenant.request(who(recipe), method, url(call.params), raw)).status, raw).toBe(400);
      }
      const huge = JSON.stringify({ ...call.body, filling: 'x'.repeat(1_200_000) });
      expect((await world.tenant.request(who(recipe), method, url(call.params), huge)).status).toBe(413);
      const plain = { 'Content-Type': 'text/plain' };
      expect((await world.tenant.request(who(recipe), method, url(call.params), '{}', plain)).status).toBe(415);
    }
    await expectUnchanged(world, before);
  });

  test('refuses a stale token, naming the present one, and changes nothing', async () => {
    if (!recipe.token) return;
    const call = await recipe.prepare(world);
    const token = tokenOf(call, recipe);
    if (!recipe.keepsToken) expect((await send(world, who(recipe), id, call)).status).toBe(200);
    const stale = recipe.keepsToken ? withToken(call, recipe, token + 5) : call;
    const before = await mark(world);
    const answer = await send(world, who(recipe), id, stale);
    expect(answer.status, answer.text).toBe(409);
    expect(answer.body).toMatchObject({ code: 'CONFLICT_STALE_TOKEN', changedAt: expect.any(Number) });
    expect(answer.body.changedBy.id).toBe(who(recipe));
    await expectUnchanged(world, before);
    const dry = await send(world, who(recipe), id, stale, { dryRun: true });
    expect(dry.status).toBe(409);
    // The token named is the present one: with it, the same write succeeds.
    const present = await send(world, who(recipe), id, withToken(stale, recipe, answer.body.currentOccToken));
    expect(present.status, present.text).toBe(recipe.once ? 404 : 200);
  });

  test('lets exactly one of many writers with the same token win', async () => {
    if (!recipe.token || recipe.keepsToken) return;
    const call = await recipe.prepare(world);
    const answers = await Promise.all(Array.from({ length: WRITERS }, () => send(world, who(recipe), id, call)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(WRITERS - 1).fill(409)]);
  });

  test('does not tell ids of another tenant from ids that never were', async () => {
    const call = await recipe.prepare(world);
    const before = await mark(world);
    for (const name of Object.keys(operations[id].pathParams)) {
      if (!(name in foreign)) continue;
      const ask = (value: number) =>
        send(world, who(recipe), id, { ...call, params: { ...call.params, [name]: value } });
      const theirs = await ask(foreign[name as Kind]);
      expect(theirs.status, theirs.text).toBe(404);
      expect(anonymous(theirs, foreign[name as Kind])).toEqual(anonymous(await ask(NEVER), NEVER));
    }
    await expectUnchanged(world, before);
    for (const { kind, change } of recipe.references ?? []) {
      const ask = async (value: number) =>
        send(world, who(recipe), id, merged(await recipe.prepare(world), change(value)));
      const theirs = await ask(foreign[kind]);
      const nobodys = await ask(NEVER);
      if (theirs.status === 200) {
        // Unknown ids are left out: the two responses differ in nothing but values that every run
        // makes anew.
        expect(nobodys.status).toBe(200);
        expect(shape(theirs.body)).toEqual(shape(nobodys.body));
        expect(JSON.stringify(theirs.body)).not.toContain(`"id":${foreign[kind]},`);
      } else {
        expect(theirs.status, theirs.text).toBe(400);
        expect(anonymous(theirs, foreign[kind])).toEqual(anonymous(nobodys, NEVER));
      }
    }
  });

  test('is refused to a member who may not, and unknown to whoever may not see', async () => {
    const call = await recipe.prepare(world);
    const before = await mark(world);
    const member = await send(world, world.people.reader, id, call);
    if (!recipe.open) {
      const refusal = recipe.hidden ? 404 : 403;
      expect(member.status, member.text).toBe(refusal);
      expect((await send(world, world.people.reader, id, call, { dryRun: true })).status).toBe(refusal);
      await expectUnchanged(world, before);
    }
    const outsider = await send(world, world.people.outsider, id, call);
    if (recipe.open === 'anyone') expect(outsider.status).toBe(200);
    else if (recipe.open === 'own') expect([403, 404]).toContain(outsider.status);
    else expect(outsider.status, outsider.text).toBe(recipe.by === 'admin' && !recipe.unseen ? 403 : 404);
    if (recipe.by !== 'admin' && !forAnyone) {
      const [name] = Object.keys(operations[id].pathParams);
      const ask = { ...call, params: { ...call.params, [name!]: NEVER } };
      expect(anonymous(outsider, 0)).toEqual(anonymous(await send(world, who(recipe), id, ask), 0));
    }
    const nobody = await world.tenant.request(
      null,
      operations[id].method,
      `/portal/api${operations[id].path.replaceAll(/\{(\w+)\}/g, '1')}`,
      call.body,
    );
    expect(nobody.status).toBe(401);
  });
});

test('members of several groups: one outcome per group, always 200', async () => {
  const [one, two] = [await recipes.editGroupMembers!.prepare(world), await recipes.editGroupMembers!.prepare(world)];
  const [first] = one.body!['groupMembers'] as [{ id: number; occToken: number }];
  const [second] = two.body!['groupMembers'] as [{ id: number; occToken: number }];
  const body = { groupMembers: [first, { ...second, occToken: second.occToken + 3 }, { ...first, id: NEVER }] };
  const answer = await send(world, world.people.admin, 'editGroupMembers', { params: {}, body });
  expect(answer.status).toBe(200);
  expect(answer.body.successGroups.map((group: { id: number }) => group.id)).toEqual([first.id]);
  expect(answer.body.concurrencyErrorGroups.map((group: { id: number }) => group.id)).toEqual([second.id]);
  const call = { params: {}, body: { groupMembers: [second] } };
  const answers = await Promise.all(
    Array.from({ length: WRITERS }, () => send(world, world.people.admin, 'editGroupMembers', call)),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(answers.filter(({ body: { successGroups } }) => successGroups.length === 1)).toHaveLength(1);
  expect(answers.filter(({ body: { concurrencyErrorGroups } }) => concurrencyErrorGroups.length === 1)).toHaveLength(
    WRITERS - 1,
  );
});
