/** Recipes of imports. */
import type { OperationId } from '@portico/contract';
import { smallArchive, uploadArchive } from '../support/community-archive.ts';
import type { TestWorld } from '../support/test-world.ts';
import type { Body, Recipe } from './recipe-types.fixture.ts';

const MAPPING = 'externalId: id\ntitle: name\n';

const form = async (world: TestWorld): Promise<Body> => ({
  contentRef: await world.upload(world.people.manager),
  fileName: 'rows.csv',
  mapping: MAPPING,
});

/** An import that waits, which the manager started. @returns its id */
async function started(world: TestWorld): Promise<number> {
  // No worker runs: the imports created before would reach the limit.
  await world.db.execute(`UPDATE imports SET state = 'cancelled', finished_at = now() WHERE tenant_id = $1`, [
    world.db.tenantId,
  ]);
  const path = `/portal/api/external/v2/admin/manage/communities/${world.communityId}/imports`;
  const answer = await world.tenant.request(world.people.manager, 'POST', path, await form(world));
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body.id;
}

let archives = 0;

/** Recipes by operation id. */
export const importRecipes: Partial<Record<OperationId, Recipe>> = {
  startImport: {
    by: 'manager',
    prepare: async (world) => {
      await started(world);
      return { params: { communityId: world.communityId }, body: await form(world) };
    },
    other: { trial: true },
    refused: [
      {
        change: { mapping: 'title: 1', fileName: '', importId: 4_711_000 },
        faults: [
          'fileName REQUIRED_FIELD',
          'importId UNKNOWN_REFERENCE',
          'mapping INVALID_VALUE',
          'mapping.title INVALID_VALUE',
        ],
      },
    ],
  },
  importCommunityArchive: {
    by: 'admin',
    prepare: async (world) => {
      const archive = await smallArchive(`archive-${++archives}`);
      return {
        params: {},
        body: { contentRef: await uploadArchive(world.portal, await world.scope(world.people.admin), archive) },
      };
    },
    refused: [
      {
        change: {
          people: [
            { key: 'p9', userId: 1 },
            { key: 'p1', userId: 4_711_000 },
          ],
        },
        faults: ['people[0].key UNKNOWN_REFERENCE', 'people[1].userId UNKNOWN_REFERENCE'],
      },
    ],
  },
  cancelImport: {
    by: 'manager',
    prepare: async (world) => ({ params: { importId: await started(world) } }),
  },
  undoImport: {
    by: 'manager',
    prepare: async (world) => {
      const importId = await started(world);
      await world.db.execute(
        `UPDATE imports SET state = 'done', finished_at = now() WHERE tenant_id = $1 AND id = $2`,
        [world.db.tenantId, importId],
      );
      return { params: { importId }, body: {} };
    },
    other: { trial: true },
    refused: [{ change: { trial: 'perhaps' }, faults: ['trial INVALID_TYPE'] }],
  },
};
