/** Recipes of changes of definitions while posts hold data. */
import { FieldType, type OperationId } from '@portico/contract';
import { community, field } from './community-recipes.fixture.ts';
import type { Recipe } from './recipe-types.fixture.ts';

export const definitionRecipes: Partial<Record<OperationId, Recipe>> = {
  removeField: {
    by: 'admin',
    unseen: true,
    once: true,
    token: 'body.occToken',
    prepare: async (world) => {
      const { communityId, fieldId, occToken } = await field(world);
      return { params: { communityId, fieldId }, body: { onExisting: 'keep', occToken } };
    },
    other: { onExisting: 'clear' },
    refused: [
      { change: { onExisting: 'map' }, faults: ['intoFieldId REQUIRED_FIELD'] },
      { change: { onExisting: 'map', intoFieldId: 4711 }, faults: ['intoFieldId UNKNOWN_REFERENCE'] },
    ],
  },
  changeFieldType: {
    by: 'admin',
    unseen: true,
    once: true,
    token: 'body.occToken',
    prepare: async (world) => {
      const { communityId, fieldId, occToken } = await field(world);
      return { params: { communityId, fieldId }, body: { type: FieldType.ENUM_LIST, occToken } };
    },
    other: { type: FieldType.TEXT_AREA },
    refused: [
      { change: { type: undefined }, faults: ['type REQUIRED_FIELD'] },
      { change: { type: FieldType.LINK }, faults: ['type INVALID_VALUE'] },
      { change: { enumValues: [{ label: 'A' }] }, faults: ['enumValues INVALID_VALUE'] },
    ],
  },
  restoreDefinitionVersion: {
    by: 'admin',
    unseen: true,
    token: 'body.occToken',
    prepare: async (world) => {
      const { communityId, occToken } = await field(world);
      return { params: { communityId, version: occToken - 1 }, body: { occToken } };
    },
    other: { onExisting: 'keep' },
    refused: [{ change: { occToken: undefined }, faults: ['occToken REQUIRED_FIELD'] }],
  },
  cancelDefinitionChange: {
    by: 'admin',
    unseen: true,
    quiet: true,
    prepare: async (world) => {
      const { communityId } = await community(world);
      const { db } = await world.tenant.scope(world.tenant.systemUserId);
      const [change] = await db.query<{ id: number }>(
        `INSERT INTO definition_changes (tenant_id, community_id, kind, started_by, started_at)
         VALUES ($1, $2, 'refreshTexts', $3, now()) RETURNING id`,
        [db.tenantId, communityId, world.tenant.systemUserId],
      );
      return { params: { communityId, changeId: change!.id } };
    },
  },
};
