/** Recipes of personal access tokens, and of the caller's own profile. */
import type { OperationId } from '@portico/contract';
import type { TestWorld } from '../support/test-world.ts';
import type { Recipe } from './recipe-types.fixture.ts';

const NEW = { name: 'Report', access: 'write', validDays: 30 };

/** Creates a token for a person without tokens. @returns its id */
async function createdToken(world: TestWorld, userId: number): Promise<number> {
  await world.db.execute('DELETE FROM personal_tokens WHERE tenant_id = $1 AND user_id = $2', [
    world.db.tenantId,
    userId,
  ]);
  const path = '/portal/api/core/auth/manage/personal-tokens';
  const { status, text, body } = await world.tenant.request(userId, 'POST', path, NEW);
  if (status !== 200) throw new Error(`createPersonalToken: ${status} ${text}`);
  return body.tokenId;
}

/** The token of a person's profile, which the outsider's gets as well. */
async function profileToken(world: TestWorld, userId: number): Promise<number> {
  const { db, people } = world;
  const [row] = await db.query<{ version: number }>(
    `UPDATE users SET version = (SELECT max(version) + 1 FROM users WHERE tenant_id = $1)
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) RETURNING version`,
    [db.tenantId, [userId, people.outsider]],
  );
  return row!.version;
}

/** Counts the profiles written: each call changes its account. */
let written = 0;

/** Recipes by operation id. */
export const ownAccountRecipes: Partial<Record<OperationId, Recipe>> = {
  createPersonalToken: {
    by: 'author',
    open: 'anyone',
    audited: true,
    prepare: async () => ({ params: {}, body: NEW }),
    refused: [
      { change: { onlyCommunityIds: [4_711_000] }, faults: ['onlyCommunityIds UNKNOWN_REFERENCE'] },
      { change: { access: 'all', validDays: 367 }, faults: ['access INVALID_VALUE', 'validDays INVALID_VALUE'] },
    ],
  },
  editMyProfile: {
    by: 'author',
    open: 'anyone',
    audited: true,
    token: 'body.occToken',
    prepare: async (world) => ({
      params: {},
      body: {
        phone: '+39 06 1',
        biography: `Writes, for the ${++written}th time.`,
        privateEmail: 'ada@home.example',
        defaultLanguageId: 'it',
        defaultTimezoneId: 5,
        emailNotificationsEnabled: false,
        occToken: await profileToken(world, world.people.author),
      },
    }),
    other: { phone: '+39 06 2' },
    refused: [
      {
        change: { privateEmail: 'nowhere', defaultLanguageId: 'xx', defaultTimezoneId: 0 },
        faults: ['privateEmail INVALID_VALUE', 'defaultLanguageId INVALID_VALUE', 'defaultTimezoneId INVALID_VALUE'],
      },
    ],
  },
  createCalendarFeed: {
    by: 'author',
    open: 'anyone',
    audited: true,
    prepare: async () => ({ params: {}, body: {} }),
    refused: [{ change: { communityId: 4_711_000 }, faults: ['communityId UNKNOWN_REFERENCE'] }],
  },
  revokeCalendarFeed: {
    by: 'author',
    open: 'own',
    prepare: async (world) => {
      const path = '/portal/api/external/v2/core/auth/manage/calendar-feeds';
      const { body } = await world.tenant.request(world.people.author, 'POST', path, {});
      return { params: { feedId: body.feedId } };
    },
  },
  revokePersonalToken: {
    by: 'author',
    open: 'own',
    prepare: async (world) => ({ params: { tokenId: await createdToken(world, world.people.author) } }),
  },
};
