/** Recipes of community builders: workspaces and communities. */
import { randomBytes } from 'node:crypto';
import { FieldType, type OperationId, ValidationType } from '@portico/contract';
import { createCommunity, setCommunityRole } from '../../src/modules/communities/index.ts';
import type { TestWorld } from '../support/test-world.ts';
import { admin, user } from './admin-recipes.fixture.ts';
import type { Recipe } from './recipe-types.fixture.ts';
import { settingsRecipes } from './settings-recipes.fixture.ts';

const unique = () => randomBytes(5).toString('hex');

async function workspace(world: TestWorld): Promise<number> {
  const { workspaceId } = await admin(world, 'POST', 'workspaces', { name: `Workspace ${unique()}` });
  return workspaceId;
}

const refusedMembers = [
  {
    change: { userRoles: [{ roleId: 2 }, { userId: 1 }], groupRoles: [{ roleId: 1 }] },
    faults: [
      'groupRoles[0].groupId REQUIRED_FIELD',
      'userRoles[0].userId REQUIRED_FIELD',
      'userRoles[1].roleId REQUIRED_FIELD',
    ],
  },
  { change: { removeUserIds: [1, 1] }, faults: ['removeUserIds[1] DUPLICATE_VALUE'] },
];

export async function community(world: TestWorld): Promise<{ communityId: number; occToken: number }> {
  const system = await world.tenant.scope(world.tenant.systemUserId);
  const communityId = await createCommunity(system, {
    workspaceId: await workspace(world),
    name: `Community ${unique()}`,
  });
  await setCommunityRole(system, communityId, [world.people.reader], 3);
  return { communityId, occToken: 1 };
}

/** A community with a draft of its definition. */
async function draft(world: TestWorld): Promise<{ communityId: number; file: object }> {
  const { communityId } = await community(world);
  const { $schema, ...file } = await admin(world, 'GET', `communities/${communityId}/file`);
  await admin(world, 'PUT', `communities/${communityId}/draft`, { file });
  return { communityId, file };
}

/** A community with a workflow that has a field of screens. */
async function screenField(
  world: TestWorld,
): Promise<{ communityId: number; screenFieldId: number; occToken: number }> {
  const { communityId } = await community(world);
  const path = `communities/${communityId}/workflow`;
  await admin(world, 'POST', path, { title: 'Approval', states: [{ name: 'Requested', initial: true }] });
  const body = { label: 'Verdict', type: FieldType.ENUM, enumValues: [{ label: 'Yes' }, { label: 'No' }] };
  const { fieldId, nextOccToken } = await admin(world, 'POST', `${path}/fields`, body);
  return { communityId, screenFieldId: fieldId, occToken: nextOccToken };
}

export async function field(world: TestWorld): Promise<{ communityId: number; fieldId: number; occToken: number }> {
  const { communityId } = await community(world);
  const body = { label: 'Priority', type: FieldType.ENUM, enumValues: [{ label: 'High' }, { label: 'Low' }] };
  const { fieldId, nextOccToken } = await admin(world, 'POST', `communities/${communityId}/fields`, body);
  return { communityId, fieldId, occToken: nextOccToken };
}

export const communityRecipes: Partial<Record<OperationId, Recipe>> = {
  ...settingsRecipes,
  createWorkspace: {
    by: 'admin',
    prepare: async () => ({
      params: {},
      body: {
        name: `Workspace ${unique()}`,
        translations: { it: 'Spazio' },
        description: { en: 'A place' },
        externalId: unique(),
      },
    }),
    other: { name: 'Another workspace' },
    refused: [
      {
        change: { name: ' ', translations: { '?': 'x' }, externalId: 'x'.repeat(256) },
        faults: ['externalId TEXT_TOO_LONG', 'name REQUIRED_FIELD', 'translations.? INVALID_VALUE'],
      },
    ],
  },
  archiveWorkspace: {
    by: 'admin',
    prepare: async (world) => ({ params: { workspaceId: await workspace(world) }, body: { archived: true } }),
    other: { archived: false },
    refused: [{ change: { archived: undefined }, faults: ['archived REQUIRED_FIELD'] }],
  },
  deleteWorkspace: { by: 'admin', prepare: async (world) => ({ params: { workspaceId: await workspace(world) } }) },
  createCommunity: {
    by: 'admin',
    prepare: async (world) => ({
      params: {},
      body: {
        workspaceId: await workspace(world),
        name: `Community ${unique()}`,
        description: 'What it is for',
        colorCode: '#2f6f4f',
        externalId: unique(),
        draft: true,
        workspaceMemberRoleId: 0,
        titleEnabled: 2,
        hashTagEnabled: false,
        defaultPostVisibility: 1,
        attachmentMaxSize: 1_000_000,
      },
    }),
    other: { draft: false },
    refused: [
      {
        change: {
          name: ' ',
          colorCode: 'red',
          description: 'x'.repeat(10_001),
          externalId: 'x'.repeat(256),
          attachmentMaxSize: 0,
          newCoverImageContentRef: 'f'.repeat(64),
        },
        faults: [
          'attachmentMaxSize INVALID_VALUE',
          'colorCode INVALID_VALUE',
          'description TEXT_TOO_LONG',
          'externalId TEXT_TOO_LONG',
          'name REQUIRED_FIELD',
          'newCoverImageContentRef CONTENT_REF_INVALID',
        ],
      },
      { change: { workspaceId: undefined }, faults: ['workspaceId REQUIRED_FIELD'] },
    ],
    references: [{ kind: 'workspaceId', change: (workspaceId) => ({ workspaceId }) }],
  },
  editCommunity: {
    by: 'admin',
    unseen: true,
    token: 'body.occToken',
    prepare: async (world) => {
      const { communityId, occToken } = await community(world);
      return {
        params: { communityId },
        body: { name: 'Renamed', draft: true, workspaceMemberRoleId: 2, likeEnabled: false, occToken },
      };
    },
    other: { name: 'Renamed otherwise' },
    refused: [
      { change: { name: undefined, colorCode: '#12' }, faults: ['colorCode INVALID_VALUE', 'name REQUIRED_FIELD'] },
    ],
  },
  editMembersEverywhere: {
    by: 'admin',
    prepare: async (world) => ({
      params: {},
      body: { userRoles: [{ userId: (await user(world)).userId, roleId: 2 }], removeUserIds: [world.people.reader] },
    }),
    other: { removeUserIds: [] },
    refused: refusedMembers,
    references: [
      { kind: 'userId', change: (userId) => ({ userRoles: [{ userId, roleId: 3 }] }) },
      { kind: 'groupId', change: (groupId) => ({ groupRoles: [{ groupId, roleId: 3 }] }) },
    ],
  },
  editCommunityMembers: {
    by: 'admin',
    unseen: true,
    prepare: async (world) => ({
      params: { communityId: (await community(world)).communityId },
      body: { userRoles: [{ userId: world.people.author, roleId: 2 }], removeUserIds: [world.people.reader] },
    }),
    other: { removeUserIds: [] },
    refused: refusedMembers,
    references: [
      { kind: 'userId', change: (userId) => ({ userRoles: [{ userId, roleId: 3 }] }) },
      { kind: 'groupId', change: (groupId) => ({ groupRoles: [{ groupId, roleId: 3 }] }) },
    ],
  },
  applyCommunity: {
    by: 'admin',
    prepare: async (world) => {
      const { communityId } = await community(world);
      const { $schema, ...file } = await admin(world, 'GET', `communities/${communityId}/file`);
      const field = { key: 'kind', label: 'Kind', type: 'ENUM', values: [{ key: 'a', label: 'A' }] };
      return { params: {}, body: { file: { ...file, fields: [field] } } };
    },
    other: {
      planToken: undefined,
      file: { version: 1, workspace: { key: 'o', name: 'O' }, community: { key: 'o', name: 'O' } },
    },
    refused: [
      {
        change: {
          file: { version: 2, workspace: {}, fields: [{ key: 'x' }, { key: 'x', type: 'ENUM', catalog: 'none' }] },
        },
        faults: [
          'file.community.key REQUIRED_FIELD',
          'file.fields[0].type REQUIRED_FIELD',
          'file.fields[1].catalog UNKNOWN_REFERENCE',
          'file.fields[1].key DUPLICATE_VALUE',
          'file.version INVALID_VALUE',
          'file.workspace.key REQUIRED_FIELD',
        ],
      },
    ],
  },
  saveCommunityDraft: {
    by: 'admin',
    unseen: true,
    prepare: async (world) => {
      const { communityId, file } = await draft(world);
      return { params: { communityId }, body: { file, occToken: 1 } };
    },
    token: 'body.occToken',
    other: { file: { version: 1, workspace: { key: 'o', name: 'O' }, community: { key: 'o', name: 'O' } } },
    refused: [{ change: { file: undefined }, faults: ['file REQUIRED_FIELD'] }],
  },
  deleteCommunityDraft: {
    by: 'admin',
    unseen: true,
    prepare: async (world) => {
      const { communityId } = await draft(world);
      return { params: { communityId } };
    },
  },
  createPostField: {
    by: 'admin',
    unseen: true,
    prepare: async (world) => {
      const { communityId } = await community(world);
      return {
        params: { communityId },
        body: {
          label: 'Amount',
          type: FieldType.DECIMAL,
          description: 'In euros',
          externalId: 'amount',
          required: true,
          sortable: true,
          metadata: { decimal_digits: '2' },
          validations: [{ validationTypeId: ValidationType.MIN_VALUE, parameter: '0' }],
        },
      };
    },
    other: { label: 'Another' },
    refused: [
      {
        change: {
          label: ' ',
          enumValues: [{ id: 1, label: ' ' }],
          validations: [{ parameter: '1' }],
        },
        faults: ['enumValues[0].id INVALID_VALUE', 'validations[0].validationTypeId REQUIRED_FIELD'],
      },
      {
        change: { label: ' ', enumValues: [{ label: ' ' }], validations: [{ validationTypeId: ValidationType.EMAIL }] },
        faults: [
          'enumValues INVALID_VALUE',
          'enumValues[0].label REQUIRED_FIELD',
          'label REQUIRED_FIELD',
          'validations[0] INVALID_VALUE',
        ],
      },
      { change: { type: undefined }, faults: ['type REQUIRED_FIELD'] },
    ],
    references: [
      {
        kind: 'catalogId',
        change: (catalogId) => ({ type: FieldType.ENUM, metadata: {}, validations: [], catalogId }),
      },
    ],
  },
  editPostField: {
    by: 'admin',
    unseen: true,
    token: 'body.occToken',
    prepare: async (world) => {
      const { communityId, fieldId, occToken } = await field(world);
      const enumValues = [{ label: 'New' }];
      return { params: { communityId, fieldId }, body: { label: 'Urgency', required: true, enumValues, occToken } };
    },
    other: { label: 'Another' },
    refused: [
      {
        change: { label: undefined, enumValues: [{ id: 4711, label: ' ' }] },
        faults: ['enumValues[0].id UNKNOWN_REFERENCE', 'enumValues[0].label REQUIRED_FIELD', 'label REQUIRED_FIELD'],
      },
    ],
  },
  createScreenField: {
    by: 'admin',
    unseen: true,
    prepare: async (world) => {
      const { communityId, screenFieldId } = await screenField(world);
      return {
        params: { communityId },
        body: {
          label: 'Reason',
          type: FieldType.STRING,
          required: true,
          conditions: [{ fieldId: screenFieldId, operator: 'notEmpty' }],
        },
      };
    },
    other: { label: 'Another' },
    refused: [
      { change: { type: undefined }, faults: ['type REQUIRED_FIELD'] },
      {
        change: { conditions: [{ fieldId: 4711, operator: 'empty' }, {}] },
        faults: [
          'conditions[0].fieldId UNKNOWN_REFERENCE',
          'conditions[1].fieldId REQUIRED_FIELD',
          'conditions[1].operator REQUIRED_FIELD',
        ],
      },
    ],
    references: [{ kind: 'catalogId', change: (catalogId) => ({ type: FieldType.ENUM, conditions: [], catalogId }) }],
  },
  editScreenField: {
    by: 'admin',
    unseen: true,
    token: 'body.occToken',
    prepare: async (world) => {
      const { communityId, screenFieldId, occToken } = await screenField(world);
      return {
        params: { communityId, screenFieldId },
        body: { label: 'Judgement', enumValues: [{ label: 'New' }], occToken },
      };
    },
    other: { label: 'Another' },
    refused: [
      {
        change: { label: undefined, conditions: [{ fieldId: 4711, operator: 'empty' }] },
        faults: ['conditions[0].fieldId UNKNOWN_REFERENCE', 'label REQUIRED_FIELD'],
      },
    ],
  },
  createCommunityWorkflow: {
    by: 'admin',
    unseen: true,
    prepare: async (world) => ({
      params: { communityId: (await community(world)).communityId },
      body: {
        title: 'Approval',
        states: [
          { name: 'Requested', initial: true, color: '#888888', screen: 'Request', edit: { byAuthor: true } },
          { name: 'Approved', terminal: true, description: 'Done', externalId: 'ok' },
        ],
        transitions: [
          { name: 'Approve', from: 'Requested', to: 'Approved', screen: 'Decision', run: { roles: [1], groupIds: [] } },
        ],
        screens: [
          { name: 'Request', fields: [{ label: 'Reason' }] },
          { name: 'Decision', message: 'Why?', fields: [{ label: 'Reason', required: true }, { label: 'Kind' }] },
        ],
        screenFields: [
          { label: 'Reason', type: FieldType.TEXT_AREA },
          { label: 'Kind', type: FieldType.ENUM, enumValues: [{ label: 'Small' }, { label: 'Large' }] },
        ],
      },
    }),
    other: { title: 'Another' },
    refused: [
      {
        change: {
          title: ' ',
          states: [{ name: ' ', color: 'red' }],
          transitions: [{ name: 'Go', from: 'x', to: 'y' }],
        },
        faults: [
          'states REQUIRED_FIELD',
          'states[0].color INVALID_VALUE',
          'states[0].name REQUIRED_FIELD',
          'title REQUIRED_FIELD',
          'transitions[0].from UNKNOWN_REFERENCE',
          'transitions[0].to UNKNOWN_REFERENCE',
        ],
      },
      { change: { screenFields: [{ label: 'Reason' }] }, faults: ['screenFields[0].type REQUIRED_FIELD'] },
    ],
    references: [
      {
        kind: 'groupId',
        change: (id) => ({
          states: [{ name: 'Requested', initial: true }, { name: 'Approved' }],
          transitions: [{ name: 'Approve', from: 'Requested', to: 'Approved', run: { groupIds: [id] } }],
        }),
      },
    ],
  },
  editCommunityWorkflow: {
    by: 'admin',
    unseen: true,
    token: 'body.occToken',
    prepare: async (world) => {
      const { communityId } = await community(world);
      const path = `communities/${communityId}/workflow`;
      const { stateIds } = await admin(world, 'POST', path, {
        title: 'Approval',
        states: [{ name: 'Requested', initial: true }, { name: 'Doubted' }, { name: 'Approved', terminal: true }],
        transitions: [{ name: 'Approve', from: 'Requested', to: 'Approved' }],
      });
      const { occToken } = await admin(world, 'GET', path);
      return {
        params: { communityId },
        body: {
          states: [
            { id: stateIds[0], name: 'Asked for', initial: true },
            { name: 'Refused', terminal: true },
          ],
          transitions: [{ name: 'Refuse', from: 'Asked for', to: 'Refused' }],
          occToken,
        },
      };
    },
    other: { title: 'Another' },
    refused: [
      {
        change: { states: [{ id: 4711, name: 'Open' }], transitions: [{ id: 4711, name: 'Go', from: 'x', to: 'y' }] },
        faults: ['states[0].id UNKNOWN_REFERENCE', 'transitions[0].id UNKNOWN_REFERENCE'],
      },
      {
        change: { states: [{ name: 'Open' }, { name: 'Open' }], transitions: [{ name: ' ', from: 'x', to: 'Open' }] },
        faults: [
          'states REQUIRED_FIELD',
          'states[1].name DUPLICATE_VALUE',
          'transitions[0].from UNKNOWN_REFERENCE',
          'transitions[0].name REQUIRED_FIELD',
        ],
      },
    ],
    references: [
      {
        kind: 'groupId',
        change: (id) => ({
          states: [{ name: 'Requested', initial: true }, { name: 'Approved' }],
          transitions: [{ name: 'Approve', from: 'Requested', to: 'Approved', run: { groupIds: [id] } }],
        }),
      },
    ],
  },
  archiveCommunity: {
    by: 'admin',
    prepare: async (world) => ({
      params: { communityId: (await community(world)).communityId },
      body: { archived: true },
    }),
    other: { archived: false },
    refused: [{ change: { archived: undefined }, faults: ['archived REQUIRED_FIELD'] }],
  },
  moveCommunity: {
    by: 'admin',
    prepare: async (world) => ({
      params: { communityId: (await community(world)).communityId },
      body: { workspaceId: await workspace(world) },
    }),
    other: { workspaceId: 0 },
    refused: [{ change: { workspaceId: undefined }, faults: ['workspaceId REQUIRED_FIELD'] }],
    references: [{ kind: 'workspaceId', change: (workspaceId) => ({ workspaceId }) }],
  },
  deleteCommunity: {
    by: 'admin',
    prepare: async (world) => ({ params: { communityId: (await community(world)).communityId } }),
  },
};
