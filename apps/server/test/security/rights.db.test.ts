/**
 * Administrative rights: a user who lacks one can do nothing to, or as, its holders
 * (docs/security.md). Each rule by itself, for every set of rights against every holder; sequences
 * of operations are in `rights-sequences.db.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type WriteScope, writeTransaction } from '../../src/kernel/access/index.ts';
import { PorticoError } from '../../src/kernel/errors.ts';
import {
  blockUser,
  createGroupRecord,
  createUserRecord,
  giveServiceAccountKey,
  updateUserRecord,
  withdrawServiceAccountKey,
} from '../../src/modules/people/index.ts';
import { createTestPortal, type TestAnswer, type TestPortal } from '../support/index.ts';
import { rolledBack } from '../support/rolled-back.ts';
import { makeRightsWorld, nameOf, type RightsWorld, rightSets, within } from './rights.fixture.ts';

let portal: TestPortal;
let world: RightsWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await makeRightsWorld(portal);
});
afterAll(() => portal.close());

const people = rightSets.filter((rights) => rights.includes('manageUsers'));
const dry = '?dryRun=true';

/** The status of a piece of work that goes by no request. */
async function statusOf(work: Promise<unknown>): Promise<number> {
  return work.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof PorticoError) return error.status;
      throw error;
    },
  );
}

/** Attempts on an account, each rolled back. */
async function attemptsOn(actor: number, target: number): Promise<Record<string, number>> {
  const ask = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    world.request(actor, method, `/manage/users/${target}${path}${dry}`, body);
  const form = (await world.request(actor, 'GET', `/manage/users/${target}/edit`)).body;
  const credentials = (await world.request(actor, 'GET', `/manage/users/${target}/credentials/edit`)).body;
  const scope = await world.tenant.scope(actor);
  const attempt = (work: (write: WriteScope) => Promise<unknown>) =>
    statusOf(rolledBack(scope, (joined) => writeTransaction(joined, 'access', work)));
  const link = (block: object) => ({ occToken: credentials.occToken, userCredentialsConfiguration: block });
  const edit = { firstname: 'New', lastname: 'Name', occToken: form.occToken };
  const keep = { contactEmail: form.contactEmail, privateEmail: form.privateEmail };
  return {
    rename: (await ask('PUT', '', { ...edit, ...keep })).status,
    'change the contact address': (await ask('PUT', '', { ...edit, ...keep, contactEmail: 'eve@evil.test' })).status,
    'change the private address': (await ask('PUT', '', { ...edit, ...keep, privateEmail: 'eve@evil.test' })).status,
    delete: (await ask('DELETE', '')).status,
    'edit no credential': (await ask('PUT', '/credentials', link({}))).status,
    'link Google': (await ask('PUT', '/credentials', link({ google: { googleAccountId: 'eve', enabled: true } })))
      .status,
    'link Microsoft': (
      await ask('PUT', '/credentials', link({ microsoft: { microsoftAccountId: 'eve', enabled: true } }))
    ).status,
    'set a user name': (await ask('PUT', '/credentials', link({ custom: { active: true, username: 'eve' } }))).status,
    unlink: (await ask('PUT', '/credentials', link({ google: { enabled: false } }))).status,
    'sign out': (await ask('POST', '/sign-out')).status,
    unblock: (await ask('POST', '/unblock')).status,
    block: await attempt((write) => blockUser(write, target, true)),
    update: await attempt((write) => updateUserRecord(write, target, { customUsername: 'eve' })),
  };
}

describe('an account', () => {
  test('is changed in how it signs in, blocked and deleted only by who holds all its rights', async () => {
    for (const mine of people) {
      const actor = world.direct[nameOf(mine)]!;
      for (const theirs of rightSets) {
        for (const target of [world.direct[nameOf(theirs)]!, world.byGroup[nameOf(theirs)]!]) {
          const allowed = within(theirs, mine) ? 200 : 403;
          const statuses = await attemptsOn(actor, target);
          const { rename, ...rest } = statuses;
          const told = `${nameOf(mine)} to ${nameOf(theirs)}`;
          // A name signs nobody in.
          expect(rename, told).toBe(200);
          const expected = Object.fromEntries(Object.keys(rest).map((name) => [name, allowed]));
          // Nobody blocks or deletes themselves.
          expect(rest, told).toEqual({ ...expected, ...(target === actor && { block: 403, delete: 403 }) });
        }
      }
    }
  });

  test('tells which right is missing', async () => {
    const answer = await world.request(
      world.direct['manageUsers']!,
      'DELETE',
      `/manage/users/${world.direct['manageDigitalWorplace']!}`,
    );
    expect(answer.status).toBe(403);
    expect(answer.body.message).toContain('manageDigitalWorplace');
  });

  test('is made with no right that its maker lacks', async () => {
    for (const mine of rightSets) {
      const scope = await world.tenant.scope(world.byGroup[nameOf(mine)]!);
      for (const given of rightSets) {
        const rights = {
          managesUsers: given.includes('manageUsers'),
          managesWorkplace: given.includes('manageDigitalWorplace'),
        };
        const expected = within(given, mine) ? 200 : 403;
        const told = `${nameOf(mine)} gives ${nameOf(given)}`;
        const user = rolledBack(scope, (joined) =>
          writeTransaction(joined, 'access', (write) => createUserRecord(write, { lastName: 'Made', ...rights })),
        );
        expect(await statusOf(user), told).toBe(expected);
        const group = rolledBack(scope, (joined) =>
          writeTransaction(joined, 'access', (write) => createGroupRecord(write, { name: 'Made', ...rights })),
        );
        expect(await statusOf(group), told).toBe(expected);
        const change = rolledBack(scope, (joined) =>
          writeTransaction(joined, 'access', (write) => updateUserRecord(write, world.person, rights)),
        );
        expect(await statusOf(change), told).toBe(expected);
      }
    }
  });
});

describe('a service account', () => {
  test('is never linked to the identity of a person', async () => {
    const [program] = world.programs;
    const actor = world.direct[nameOf(people.at(-1)!)]!;
    const form = await world.request(actor, 'GET', `/manage/users/${program}/credentials/edit`);
    const blocks = {
      google: { googleAccountId: 'eve', enabled: true },
      microsoft: { microsoftAccountId: 'eve', enabled: true },
      custom: { active: true, username: 'eve' },
    };
    for (const [name, block] of Object.entries(blocks)) {
      const answer = await world.request(actor, 'PUT', `/manage/users/${program}/credentials`, {
        occToken: form.body.occToken,
        userCredentialsConfiguration: { [name]: block },
      });
      expect(answer.status, name).toBe(400);
      expect(answer.body.validationErrors.list, name).toContainEqual(
        expect.objectContaining({ field: `userCredentialsConfiguration.${name}`, code: 'INVALID_VALUE' }),
      );
    }
    const unlinked = await world.request(actor, 'PUT', `/manage/users/${program}/credentials${dry}`, {
      occToken: form.body.occToken,
      userCredentialsConfiguration: { google: { enabled: false }, custom: { active: false } },
    });
    expect(unlinked.status, unlinked.text).toBe(200);
    const system = await world.tenant.scope(world.tenant.systemUserId);
    for (const identity of ['googleAccountId', 'openIdAccountId', 'samlAccountId', 'customUsername'] as const) {
      const link = rolledBack(system, (joined) =>
        writeTransaction(joined, 'access', (write) => updateUserRecord(write, program!, { [identity]: 'eve' })),
      );
      expect(await statusOf(link), identity).toBe(400);
      const make = rolledBack(system, (joined) =>
        writeTransaction(joined, 'access', (write) =>
          createUserRecord(write, { lastName: 'Program', serviceAccount: true, [identity]: 'eve' }),
        ),
      );
      expect(await statusOf(make), identity).toBe(400);
    }
  });

  test('gets and loses keys only by who manages users and holds all its rights', async () => {
    for (const mine of rightSets) {
      const scope = await world.tenant.scope(world.direct[nameOf(mine)]!);
      const manages = mine.includes('manageUsers');
      const expected = [manages ? 200 : 403, mine.length === rightSets.at(-1)!.length ? 200 : 403];
      const given = [];
      const withdrawn = [];
      for (const program of world.programs)
        given.push(await statusOf(rolledBack(scope, (joined) => giveServiceAccountKey(joined, program))));
      for (const key of world.keys)
        withdrawn.push(await statusOf(rolledBack(scope, (joined) => withdrawServiceAccountKey(joined, key))));
      expect([given, withdrawn], nameOf(mine)).toEqual([expected, expected]);
    }
    const system = await world.tenant.scope(world.tenant.systemUserId);
    expect(await statusOf(giveServiceAccountKey(system, world.person))).toBe(404);
    expect(await statusOf(withdrawServiceAccountKey(system, 999_999))).toBe(404);
  });
});

describe('a group', () => {
  test('that holds a right keeps its members against who lacks it, and is not deleted by them', async () => {
    for (const mine of people) {
      const actor = world.direct[nameOf(mine)]!;
      for (const theirs of rightSets) {
        const groupId = world.groups[nameOf(theirs)]!;
        const member = world.byGroup[nameOf(theirs)]!;
        const form = (await world.request(actor, 'GET', `/manage/groups/${groupId}/edit`)).body;
        const expected = within(theirs, mine) ? 200 : 403;
        const edit = async (memberIds: number[]) =>
          (
            await world.request(actor, 'PUT', `/manage/groups/${groupId}${dry}`, {
              name: form.name,
              visible: true,
              memberIds,
              occToken: form.occToken,
            })
          ).status;
        const bulk = async (change: object) => {
          const body = { groupMembers: [{ id: groupId, occToken: form.occToken, ...change }] };
          const answer = await world.request(actor, 'PUT', `/manage/groups/members${dry}`, body);
          return answer.body.successGroups.length === 1 ? 200 : 403;
        };
        const told = `${nameOf(mine)} changes ${nameOf(theirs)}`;
        expect(await edit([member, world.person]), told).toBe(expected);
        expect(await edit([member, actor]), told).toBe(expected);
        expect(await edit([]), told).toBe(expected);
        // The whole form with the same members changes none.
        expect(await edit([member]), told).toBe(200);
        expect(await bulk({ addUserIds: [world.person] }), told).toBe(expected);
        expect(await bulk({ deleteUserIds: [member] }), told).toBe(expected);
        expect((await world.request(actor, 'DELETE', `/manage/groups/${groupId}${dry}`)).status, told).toBe(expected);
      }
    }
  });

  test('with only roles is the business of manageUsers, but by it nobody takes a role for themselves', async () => {
    const groups = { managers: world.groupOfManagers, workspace: world.groupOfWorkspace, plain: world.plainGroup };
    for (const mine of people) {
      const actor = world.direct[nameOf(mine)]!;
      for (const [name, groupId] of Object.entries(groups)) {
        const form = (await world.request(actor, 'GET', `/manage/groups/${groupId}/edit`)).body;
        const present = form.members.map((user: { id: number }) => user.id) as number[];
        const attempt = async (added: number) => {
          const edited = await world.request(actor, 'PUT', `/manage/groups/${groupId}${dry}`, {
            name: form.name,
            visible: true,
            memberIds: [...present, added],
            occToken: form.occToken,
          });
          const bulk = await world.request(actor, 'PUT', `/manage/groups/members${dry}`, {
            groupMembers: [{ id: groupId, occToken: form.occToken, addUserIds: [added] }],
          });
          return [edited.status, bulk.body.successGroups.length];
        };
        expect(await attempt(world.direct['none']!), name).toEqual([200, 1]);
        const gains = name !== 'plain' && !mine.includes('manageDigitalWorplace');
        expect(await attempt(actor), `${nameOf(mine)} into ${name}`).toEqual(gains ? [403, 0] : [200, 1]);
      }
    }
  });
});
