/** Recipes of administration: people, groups, the workspace, catalogs. */
import { randomBytes } from 'node:crypto';
import type { OperationId } from '@portico/contract';
import { TOTP } from 'otpauth';
import { hashPassword } from '../../src/modules/people/users/passwords.ts';
import type { TestWorld } from '../support/test-world.ts';
import type { Body, Recipe } from './recipe-types.fixture.ts';

export const PASSWORD = 'a password of hers';
let hash: string | undefined;
const unique = () => randomBytes(5).toString('hex');
const ADMIN = '/portal/api/external/v2/admin/manage';
/** A request of the administrator that must succeed. @returns its body */
export async function admin(world: TestWorld, method: string, path: string, body?: Body) {
  const answer = await world.tenant.request(world.people.admin, method, `${ADMIN}/${path}`, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
export async function user(world: TestWorld): Promise<{ userId: number; occToken: number }> {
  const made = await admin(world, 'POST', 'users', { firstname: 'Nina', lastname: 'New' });
  return { userId: made.userId, occToken: made.nextOccToken };
}
/** A person able to receive links. */
async function person(world: TestWorld): Promise<number> {
  const name = unique();
  const made = await admin(world, 'POST', 'users', {
    firstname: 'Pia',
    lastname: 'Nuova',
    contactEmail: `${name}@x.test`,
    userCredentialsConfiguration: { custom: { username: name, active: true } },
  });
  return made.userId;
}
async function group(world: TestWorld): Promise<{ groupId: number; occToken: number }> {
  const made = await admin(world, 'POST', 'groups', { name: `Group ${unique()}`, visible: true });
  return { groupId: made.groupId, occToken: made.nextOccToken };
}
async function catalog(world: TestWorld): Promise<{ catalogId: number; occToken: number }> {
  const made = await admin(world, 'POST', 'catalogs', { name: { en: `Catalog ${unique()}` } });
  return { catalogId: made.catalog.id, occToken: made.occToken };
}
/** A catalog with one entry. */
export async function entry(world: TestWorld): Promise<{ catalogId: number; entryId: number; occToken: number }> {
  const { catalogId } = await catalog(world);
  const made = await admin(world, 'POST', `catalogs/${catalogId}/entries`, { label: { en: 'One' } });
  return { catalogId, entryId: made.entry.id, occToken: made.occToken };
}

/** Entries of a recipe: an existing entry that is edited, and a new one. */
async function entriesOf(world: TestWorld): Promise<{ params: Record<string, number>; body: Body }> {
  const { catalogId } = await entry(world);
  return { params: { catalogId }, body: { entries: [{ label: { en: 'One', it: 'Uno' } }, { label: { en: 'Two' } }] } };
}

async function program(world: TestWorld): Promise<{ userId: number; occToken: number }> {
  const made = await admin(world, 'POST', 'service-accounts', { name: `Program ${unique()}` });
  return { userId: made.userId, occToken: made.nextOccToken };
}
const connection = () => ({
  key: `p-${unique()}`,
  name: 'Provider',
  issuer: 'https://id.acme.example',
  clientId: 'portico',
  clientSecret: 'not a secret',
});
async function provider(world: TestWorld): Promise<{ identityProviderId: number; occToken: number }> {
  const made = await admin(world, 'POST', 'identity-providers', connection());
  return { identityProviderId: made.identityProviderId, occToken: made.nextOccToken };
}
/** Links a person to an identity. @returns the provider */
async function linkedIdentity(world: TestWorld, userId: number): Promise<number> {
  const { identityProviderId } = await provider(world);
  await world.db.execute(
    `INSERT INTO user_identities (tenant_id, provider_id, subject, user_id, linked_at) VALUES ($1, $2, $3, $4, now())`,
    [world.db.tenantId, identityProviderId, unique(), userId],
  );
  return identityProviderId;
}
/** Gives a person a password, unless they have one, and removes their authenticator app. */
export async function withPassword(world: TestWorld, userId: number): Promise<void> {
  await world.db.execute('DELETE FROM recovery_codes WHERE tenant_id = $1 AND user_id = $2', [
    world.db.tenantId,
    userId,
  ]);
  await world.db.execute('DELETE FROM totp_factors WHERE tenant_id = $1 AND user_id = $2', [world.db.tenantId, userId]);
  // The interface takes passwords for new users only.
  hash ??= await hashPassword(PASSWORD);
  await world.db.execute(
    `UPDATE users SET custom_username = 'person.' || id, custom_active = true, password_hash = $3
      WHERE tenant_id = $1 AND id = $2 AND password_hash IS NULL`,
    [world.db.tenantId, userId, hash],
  );
}
/** Begins to set up an authenticator app. @returns a code that it shows */
async function startedTotp(world: TestWorld, userId: number): Promise<string> {
  await withPassword(world, userId);
  const path = '/portal/api/core/auth/manage/totp/start';
  const { status, text, body } = await world.tenant.request(userId, 'POST', path, { password: PASSWORD });
  if (status !== 200) throw new Error(`startTotp: ${status} ${text}`);
  return new TOTP({ secret: body.secret }).generate();
}
/** Sets up an authenticator app. @returns a recovery code */
async function confirmedTotp(world: TestWorld, userId: number): Promise<string> {
  const code = await startedTotp(world, userId);
  const { status, text, body } = await world.tenant.request(
    userId,
    'POST',
    '/portal/api/core/auth/manage/totp/confirm',
    {
      code,
    },
  );
  if (status !== 200) throw new Error(`confirmTotp: ${status} ${text}`);
  return body.recoveryCodes[0];
}

/** Signs a person in, in a browser of their own. @returns the id of the session */
async function session(world: TestWorld, userId: number): Promise<number> {
  await withPassword(world, userId);
  const path = '/portal/api/core/auth/start-session';
  const credentials = { username: `person.${userId}`, password: PASSWORD };
  const { status, text, body } = await world.tenant.request(null, 'POST', path, credentials);
  if (status !== 200) throw new Error(`startSession: ${status} ${text}`);
  return body.sessionId;
}

/** Recipes by operation id. */
export const adminRecipes: Partial<Record<OperationId, Recipe>> = {
  createUser: {
    by: 'admin',
    prepare: async () => ({
      params: {},
      body: { firstname: 'Una', lastname: 'Nuova', contactEmail: `${unique()}@x.test` },
    }),
    other: { firstname: 'Ugo' },
    refused: [
      {
        change: { firstname: undefined, lastname: '' },
        faults: ['firstname REQUIRED_FIELD', 'lastname REQUIRED_FIELD'],
      },
    ],
  },
  editUser: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { userId, occToken } = await user(world);
      return { params: { userId }, body: { firstname: 'Edi', lastname: 'Ted', occToken } };
    },
    other: { firstname: 'Ugo' },
    refused: [{ change: { firstname: undefined }, faults: ['firstname REQUIRED_FIELD'] }],
  },
  deleteUser: {
    by: 'admin',
    prepare: async (world) => ({ params: { userId: (await user(world)).userId } }),
  },
  blockUser: { by: 'admin', prepare: async (world) => ({ params: { userId: (await user(world)).userId } }) },
  unblockUser: {
    by: 'admin',
    prepare: async (world) => {
      const { userId } = await user(world);
      await admin(world, 'POST', `users/${userId}/block`);
      return { params: { userId } };
    },
  },
  signOutUser: { by: 'admin', prepare: async (world) => ({ params: { userId: (await user(world)).userId } }) },
  startTotp: {
    by: 'author',
    open: 'own',
    prepare: async (world) => {
      await withPassword(world, world.people.author);
      return { params: {}, body: { password: PASSWORD } };
    },
    refused: [{ change: { password: 'of somebody else' }, faults: ['password INVALID_VALUE'] }],
  },
  confirmTotp: {
    by: 'author',
    open: 'own',
    prepare: async (world) => ({ params: {}, body: { code: await startedTotp(world, world.people.author) } }),
    refused: [{ change: { code: 'no code' }, faults: ['code INVALID_VALUE'] }],
  },
  removeTotp: {
    by: 'author',
    open: 'own',
    prepare: async (world) => ({ params: {}, body: { code: await confirmedTotp(world, world.people.author) } }),
    refused: [{ change: { code: 'no code' }, faults: ['code INVALID_VALUE'] }],
  },
  revokeSession: {
    by: 'author',
    open: 'own',
    prepare: async (world) => ({ params: { sessionId: await session(world, world.people.author) } }),
  },
  revokeOtherSessions: {
    by: 'author',
    open: 'anyone',
    audited: true,
    prepare: async (world) => {
      await session(world, world.people.author);
      return { params: {} };
    },
  },
  removeUserTotp: {
    by: 'admin',
    prepare: async (world) => {
      const { userId } = await user(world);
      await confirmedTotp(world, userId);
      return { params: { userId } };
    },
  },
  eraseUser: { by: 'admin', prepare: async (world) => ({ params: { userId: (await user(world)).userId } }) },
  createServiceAccount: {
    by: 'admin',
    prepare: async (world) => ({
      params: {},
      body: {
        name: `Program ${unique()}`,
        adminCapabilities: ['manageUsers'],
        roleId: 3,
        communityRoles: [{ communityId: world.communityId, roleId: 2 }],
      },
    }),
    other: { name: 'Another program' },
    refused: [
      {
        change: { name: ' ', roleId: 3, communityRoles: [{ roleId: 2 }] },
        faults: ['name REQUIRED_FIELD', 'communityRoles[0].communityId REQUIRED_FIELD'],
      },
    ],
    references: [{ kind: 'communityId', change: (communityId) => ({ communityRoles: [{ communityId, roleId: 3 }] }) }],
  },
  editServiceAccount: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { userId, occToken } = await program(world);
      const communityRoles = [{ communityId: world.communityId, roleId: 1 }];
      return { params: { serviceAccountId: userId }, body: { name: 'Renamed', roleId: 2, communityRoles, occToken } };
    },
    other: { name: 'Renamed otherwise' },
    refused: [{ change: { name: undefined }, faults: ['name REQUIRED_FIELD'] }],
    references: [{ kind: 'communityId', change: (communityId) => ({ communityRoles: [{ communityId, roleId: 3 }] }) }],
  },
  createServiceAccountKey: {
    by: 'admin',
    prepare: async (world) => {
      const { userId } = await program(world);
      const soon = Date.now() + 86_400_000;
      return {
        params: { serviceAccountId: userId },
        body: { name: 'Nightly', expiryTimestamp: soon, otherKeysExpiryTimestamp: soon },
      };
    },
    other: { name: 'Weekly' },
    refused: [
      {
        change: { expiryTimestamp: 1, otherKeysExpiryTimestamp: 1, name: 'x'.repeat(201) },
        faults: ['name TEXT_TOO_LONG', 'expiryTimestamp INVALID_VALUE', 'otherKeysExpiryTimestamp INVALID_VALUE'],
      },
    ],
  },
  revokeServiceAccountKey: {
    by: 'admin',
    prepare: async (world) => {
      const { userId } = await program(world);
      const { keyId } = await admin(world, 'POST', `service-accounts/${userId}/keys`, {});
      return { params: { serviceAccountId: userId, keyId } };
    },
  },
  createIdentityProvider: {
    by: 'admin',
    prepare: async (world) => ({
      params: {},
      body: {
        ...connection(),
        scopes: ['email', 'groups'],
        enabled: true,
        createUsers: true,
        linkByVerifiedEmail: true,
        emailDomains: ['acme.example'],
        groupsClaim: 'groups',
        groupMappings: [{ value: 'staff', groupId: (await group(world)).groupId }],
      },
    }),
    other: { name: 'Another provider' },
    refused: [
      {
        change: {
          key: 'No Key',
          name: ' ',
          issuer: 'http://id.acme.example',
          scopes: ['a b'],
          emailDomains: ['@'],
          groupsClaim: undefined,
          groupMappings: [{ value: ' ' }],
        },
        faults: [
          'emailDomains[0] INVALID_VALUE',
          'groupMappings[0].groupId REQUIRED_FIELD',
          'groupMappings[0].value REQUIRED_FIELD',
          'issuer INVALID_VALUE',
          'key INVALID_VALUE',
          'name REQUIRED_FIELD',
          'scopes[0] INVALID_VALUE',
        ],
      },
      { change: { issuer: 'https://10.0.0.1' }, faults: ['issuer INVALID_VALUE'] },
      { change: { groupsClaim: undefined }, faults: ['groupsClaim REQUIRED_FIELD'] },
    ],
    references: [
      { kind: 'groupId', change: (groupId) => ({ groupsClaim: 'g', groupMappings: [{ value: 'v', groupId }] }) },
    ],
  },
  editIdentityProvider: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { identityProviderId, occToken } = await provider(world);
      const groupMappings = [{ value: 'staff', groupId: (await group(world)).groupId }];
      return {
        params: { identityProviderId },
        body: { name: 'Renamed', clientId: 'portico', groupsClaim: 'groups', groupMappings, enabled: true, occToken },
      };
    },
    other: { name: 'Renamed otherwise' },
    refused: [{ change: { name: undefined }, faults: ['name REQUIRED_FIELD'] }],
    references: [
      { kind: 'groupId', change: (groupId) => ({ groupsClaim: 'g', groupMappings: [{ value: 'v', groupId }] }) },
    ],
  },
  deleteIdentityProvider: {
    by: 'admin',
    prepare: async (world) => ({
      params: { identityProviderId: (await provider(world)).identityProviderId },
    }),
  },
  removeMyIdentity: {
    by: 'author',
    open: 'own',
    prepare: async (world) => {
      await withPassword(world, world.people.author);
      return { params: { identityProviderId: await linkedIdentity(world, world.people.author) } };
    },
  },
  revokeUserSession: {
    by: 'admin',
    prepare: async (world) => {
      const { userId } = await user(world);
      return { params: { userId, sessionId: await session(world, userId) } };
    },
  },
  removeUserIdentity: {
    by: 'admin',
    prepare: async (world) => {
      const { userId } = await user(world);
      return { params: { userId, identityProviderId: await linkedIdentity(world, userId) } };
    },
  },
  inviteUser: { by: 'admin', prepare: async (world) => ({ params: { userId: await person(world) } }) },
  sendPasswordReset: { by: 'admin', prepare: async (world) => ({ params: { userId: await person(world) } }) },
  editUserCredentials: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { userId } = await user(world);
      const form = await admin(world, 'GET', `users/${userId}/credentials/edit`);
      return {
        params: { userId },
        body: {
          occToken: form.occToken,
          userCredentialsConfiguration: { google: { googleAccountId: `${unique()}@x.test`, enabled: true } },
        },
      };
    },
    other: { userCredentialsConfiguration: {} },
    refused: [
      {
        change: { userCredentialsConfiguration: { custom: { username: 'someone' } } },
        faults: ['userCredentialsConfiguration.custom.active REQUIRED_FIELD'],
      },
    ],
  },
  createGroup: {
    by: 'admin',
    prepare: async () => ({ params: {}, body: { name: `Group ${unique()}`, visible: true } }),
    other: { visible: false },
    refused: [{ change: { name: undefined }, faults: ['name REQUIRED_FIELD'] }],
    references: [{ kind: 'userId', change: (id) => ({ memberIds: [id] }) }],
  },
  editGroup: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { groupId, occToken } = await group(world);
      return { params: { groupId }, body: { name: `Renamed ${unique()}`, visible: true, occToken } };
    },
    other: { visible: false },
    refused: [{ change: { name: undefined }, faults: ['name REQUIRED_FIELD'] }],
    references: [{ kind: 'userId', change: (id) => ({ memberIds: [id] }) }],
  },
  deleteGroup: { by: 'admin', prepare: async (world) => ({ params: { groupId: (await group(world)).groupId } }) },
  editGroupMembers: {
    by: 'admin',
    prepare: async (world) => {
      const { groupId, occToken } = await group(world);
      return {
        params: {},
        body: { groupMembers: [{ id: groupId, occToken, addUserIds: [world.people.author] }] },
      };
    },
    other: { groupMembers: [] },
    references: [{ kind: 'groupId', change: (id) => ({ groupMembers: [{ id, occToken: 1, addUserIds: [] }] }) }],
  },
  editWorkspace: {
    by: 'admin',
    token: 'occToken',
    prepare: async (world) => {
      const [workspace] = await world.rows<{ id: number }>('SELECT id FROM workspaces WHERE tenant_id = $1');
      const form = await admin(world, 'GET', `workspaces/${workspace!.id}/edit`);
      return { params: { workspaceId: workspace!.id, occToken: form.occToken }, body: { name: 'Head office' } };
    },
    other: { name: 'Elsewhere' },
    refused: [{ change: { name: '' }, faults: ['name REQUIRED_FIELD'] }],
    references: [
      { kind: 'userId', change: (id) => ({ addUserIds: [id] }) },
      { kind: 'groupId', change: (id) => ({ addGroupIds: [id] }) },
    ],
  },
  createCatalog: {
    by: 'admin',
    prepare: async () => ({ params: {}, body: { name: { en: `Catalog ${unique()}` } } }),
    other: { deleted: true },
    refused: [{ change: { name: {} }, faults: ['name REQUIRED_FIELD'] }],
    references: [{ kind: 'catalogId', change: (parentId) => ({ parentId }) }],
  },
  editCatalog: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { catalogId, occToken } = await catalog(world);
      return { params: { catalogId }, body: { name: { en: `Renamed ${unique()}` }, deleted: false, occToken } };
    },
    other: { deleted: true },
    refused: [{ change: { name: {} }, faults: ['name REQUIRED_FIELD'] }],
    references: [{ kind: 'catalogId', change: (parentId) => ({ parentId }) }],
  },
  editCatalogDeleted: {
    by: 'admin',
    prepare: async (world) => ({ params: { catalogId: (await catalog(world)).catalogId }, body: { deleted: true } }),
    other: { deleted: false },
    refused: [{ change: { deleted: undefined }, faults: ['deleted REQUIRED_FIELD'] }],
  },
  createCatalogEntry: {
    by: 'admin',
    prepare: async (world) => ({
      params: { catalogId: (await catalog(world)).catalogId },
      body: { label: { en: 'Red' } },
    }),
    other: { label: { en: 'Green' } },
    refused: [{ change: { label: {} }, faults: ['label REQUIRED_FIELD'] }],
    references: [{ kind: 'entryId', change: (id) => ({ parentIds: [id] }) }],
  },
  putCatalogEntries: {
    by: 'admin',
    prepare: entriesOf,
    other: { entries: [{ label: { en: 'Three' } }] },
    refused: [
      {
        change: {
          entries: [{ label: {} }, { label: { en: 'X' }, parentExternalIds: ['none'] }, { label: { en: 'X' } }],
        },
        faults: [
          'entries[0].label REQUIRED_FIELD',
          'entries[1].parentExternalIds[0] UNKNOWN_REFERENCE',
          'entries[2].label DUPLICATE_VALUE',
        ],
      },
    ],
    references: [{ kind: 'entryId', change: (id) => ({ entries: [{ label: { en: 'X' }, parentIds: [id] }] }) }],
  },
  editCatalogEntry: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { catalogId, entryId, occToken } = await entry(world);
      return { params: { catalogId, entryId }, body: { label: { en: 'Two' }, occToken } };
    },
    other: { label: { en: 'Green' } },
    refused: [{ change: { label: {} }, faults: ['label REQUIRED_FIELD'] }],
    references: [{ kind: 'entryId', change: (id) => ({ parentIds: [id] }) }],
  },
  editCatalogEntryDeleted: {
    by: 'admin',
    prepare: async (world) => {
      const { catalogId, entryId } = await entry(world);
      return { params: { catalogId, entryId }, body: { deleted: true } };
    },
    other: { deleted: false },
    refused: [{ change: { deleted: undefined }, faults: ['deleted REQUIRED_FIELD'] }],
  },
};
