/** Recipes of areas, business units, roles, outgoing mail, and people who leave. */
import { randomBytes } from 'node:crypto';
import type { OperationId } from '@portico/contract';
import type { TestWorld } from '../support/test-world.ts';
import { admin, user } from './admin-recipes.fixture.ts';
import type { Recipe } from './recipe-types.fixture.ts';

const unique = () => randomBytes(5).toString('hex');

/** Recipes of one kind of units. @param path of the kind @param param name of the id in paths */
function unitRecipes(path: string, param: 'areaId' | 'businessUnitId'): Record<'create' | 'edit' | 'delete', Recipe> {
  const made = async (world: TestWorld) => {
    const { id, nextOccToken } = await admin(world, 'POST', path, { name: `Unit ${unique()}` });
    return { params: { [param]: id }, occToken: nextOccToken };
  };
  const refused = [
    {
      change: { name: '', externalId: 'x'.repeat(256) },
      faults: ['name REQUIRED_FIELD', 'externalId TEXT_TOO_LONG'],
    },
  ];
  return {
    create: {
      by: 'admin',
      prepare: async () => ({ params: {}, body: { name: `Unit ${unique()}`, externalId: unique() } }),
      other: { name: 'Another unit' },
      refused,
    },
    edit: {
      by: 'admin',
      token: 'body.occToken',
      prepare: async (world) => {
        const { params, occToken } = await made(world);
        return { params, body: { name: `Unit ${unique()}`, description: 'What it does', occToken } };
      },
      other: { description: 'Another text' },
      refused,
    },
    delete: { by: 'admin', prepare: async (world) => ({ params: (await made(world)).params }) },
  };
}

const refusedRole = [
  {
    change: { name: 'Manager', description: 'x'.repeat(1_001) },
    faults: ['description TEXT_TOO_LONG', 'name DUPLICATE_VALUE'],
  },
];

/** A role of the tenant. */
async function madeRole(world: TestWorld) {
  const body = { name: `Role ${unique()}`, permissions: ['readPublicPosts'] };
  const { id, nextOccToken } = await admin(world, 'POST', 'roles', body);
  return { params: { roleId: id }, occToken: nextOccToken };
}

/** A mail to a person that the mail server refused. @returns its id */
async function failedMail(world: TestWorld): Promise<number> {
  const name = unique();
  const { userId } = await admin(world, 'POST', 'users', {
    firstname: 'Pia',
    lastname: 'Nuova',
    contactEmail: `${name}@x.test`,
    userCredentialsConfiguration: { custom: { username: name, active: true } },
  });
  await admin(world, 'POST', `users/${userId}/invite`);
  const [mail] = await world.rows<{ id: number }>(
    `UPDATE outgoing_mails SET state = 'failed', finished_at = now() WHERE tenant_id = $1 AND user_id = $2 RETURNING id`,
    [userId],
  );
  return mail!.id;
}

const areas = unitRecipes('areas', 'areaId');
const businessUnits = unitRecipes('business-units', 'businessUnitId');

/** Recipes by operation id. */
export const peopleRecipes: Partial<Record<OperationId, Recipe>> = {
  createRole: {
    by: 'admin',
    prepare: async () => ({ params: {}, body: { name: `Role ${unique()}`, permissions: ['readAllPosts'] } }),
    other: { name: 'Another role' },
    refused: refusedRole,
  },
  editRole: {
    by: 'admin',
    token: 'body.occToken',
    prepare: async (world) => {
      const { params, occToken } = await madeRole(world);
      return { params, body: { name: `Role ${unique()}`, permissions: ['comment'], occToken } };
    },
    other: { description: 'Another text' },
    refused: refusedRole,
  },
  deleteRole: { by: 'admin', prepare: async (world) => ({ params: (await madeRole(world)).params }) },
  createArea: areas.create,
  editArea: areas.edit,
  deleteArea: areas.delete,
  createBusinessUnit: businessUnits.create,
  editBusinessUnit: businessUnits.edit,
  deleteBusinessUnit: businessUnits.delete,
  importUsers: {
    by: 'admin',
    prepare: async () => {
      const [one, two] = [unique(), unique()];
      const csv = `firstname,lastname,contactEmail,manager\nIda,Nuova,${one}@x.test,\nIvo,Nuovo,${two}@x.test,${one}@x.test\n`;
      return { params: {}, body: { csv } };
    },
    other: { invite: false },
    refused: [
      { change: { csv: ' ' }, faults: ['csv REQUIRED_FIELD'] },
      {
        change: { csv: 'firstname;lastname;contactEmail;area\nIda;;not an address;Nowhere\n' },
        faults: ['lines[2].lastname REQUIRED_FIELD', 'lines[2].contactEmail INVALID_VALUE'],
      },
    ],
  },
  retryMail: { by: 'admin', prepare: async (world) => ({ params: { mailId: await failedMail(world) } }) },
  sendTestMail: {
    by: 'admin',
    prepare: async (world) => {
      await world.rows(`DELETE FROM outgoing_mails WHERE tenant_id = $1 AND template = 'test'`);
      await world.rows(`UPDATE users SET contact_email = 'admin@x.test' WHERE tenant_id = $1 AND id = $2`, [
        world.people.admin,
      ]);
      return { params: {} };
    },
  },
  discardMail: { by: 'admin', prepare: async (world) => ({ params: { mailId: await failedMail(world) } }) },
  changeUsers: {
    by: 'admin',
    prepare: async (world) => {
      const { userId } = await user(world);
      const { groupId } = await admin(world, 'POST', 'groups', { name: `Group ${unique()}`, visible: true });
      return { params: {}, body: { userIds: [userId], blocked: true, addGroupIds: [groupId] } };
    },
    other: { blocked: false },
    refused: [
      { change: { userIds: undefined }, faults: ['userIds REQUIRED_FIELD'] },
      { change: { userIds: [1, 1] }, faults: ['userIds[1] DUPLICATE_VALUE'] },
      { change: { blocked: undefined, addGroupIds: [] }, faults: ['blocked REQUIRED_FIELD'] },
      { change: { addGroupIds: [4_711_000] }, faults: ['addGroupIds[0] UNKNOWN_REFERENCE'] },
    ],
    references: [
      { kind: 'userId', change: (id) => ({ userIds: [id] }) },
      { kind: 'groupId', change: (id) => ({ addGroupIds: [id] }) },
    ],
  },
  leaveUser: {
    by: 'admin',
    prepare: async (world) => {
      const { userId } = await user(world);
      await world.role(userId, 2);
      return {
        params: { userId },
        body: { account: 'block', successorUserId: world.people.manager, communityIds: [world.communityId] },
      };
    },
    refused: [
      { change: { account: undefined }, faults: ['account REQUIRED_FIELD'] },
      { change: { successorUserId: undefined }, faults: ['successorUserId REQUIRED_FIELD'] },
      { change: { fieldIds: [4_711_000] }, faults: ['fieldIds[0] UNKNOWN_REFERENCE'] },
    ],
    references: [
      { kind: 'userId', change: (successorUserId) => ({ successorUserId }) },
      { kind: 'communityId', change: (id) => ({ communityIds: [id] }) },
      { kind: 'workspaceId', change: (id) => ({ workspaceIds: [id] }) },
    ],
  },
};
