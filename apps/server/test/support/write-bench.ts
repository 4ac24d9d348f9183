/** A tenant for measuring writes: one community whose posts have ten custom fields of common types. */
import { FieldType } from '@portico/contract';
import { addField } from '../../src/modules/communities/define-fields.ts';
import {
  createCommunity,
  createWorkspace,
  type NewField,
  setCommunityRoles,
} from '../../src/modules/communities/index.ts';
import { tenantScope } from '../../src/modules/tenants/index.ts';
import { withOperator } from '../../src/process/operator.ts';

export interface WriteBench {
  tenantId: number;
  communityId: number;
  /** Path of create-post. */
  path: string;
  token: string;
  body: object;
}

const FIELDS: readonly { field: Omit<NewField, 'label'>; value: unknown }[] = [
  { field: { type: FieldType.STRING }, value: 'Bolt M8' },
  { field: { type: FieldType.STRING }, value: 'Left shelf' },
  { field: { type: FieldType.TEXT_AREA }, value: 'Delivered in two parts; the second one comes on Thursday.' },
  { field: { type: FieldType.INT }, value: 40 },
  { field: { type: FieldType.BIGINT }, value: 4_000_000_000 },
  { field: { type: FieldType.DECIMAL, metadata: { decimal_digits: '2' } }, value: 12.5 },
  { field: { type: FieldType.DATE }, value: Date.UTC(2027, 0, 10) },
  { field: { type: FieldType.DATETIME }, value: Date.UTC(2027, 0, 10, 8, 30) },
  { field: { type: FieldType.FLAG }, value: true },
  { field: { type: FieldType.FEEDBACK, metadata: { feedback_max_value: '5' } }, value: 4 },
];

/** Makes the tenant in the installation that the environment names, which need not run. */
export function prepareWriteBench(env: NodeJS.ProcessEnv): Promise<WriteBench> {
  return withOperator(async (session, services) => {
    const { adminUserId } = await session.createTenant({
      name: 'bench',
      hosts: ['127.0.0.1'],
      adminEmail: 'ada@bench.test',
    });
    const scope = () => session.systemScope('bench');
    const workspaceId = await createWorkspace(await scope(), { name: 'Bench' });
    const communityId = await createCommunity(await scope(), { workspaceId, name: 'Bench' });
    await setCommunityRoles(await scope(), communityId, [{ principal: adminUserId, role: 2 }]);
    const customData: Record<string, unknown> = {};
    for (const [index, { field, value }] of FIELDS.entries()) {
      const { id } = await addField(await scope(), { communityId }, { label: `Field ${index}`, ...field });
      customData[id] = value;
    }
    const { tenant } = await scope();
    return {
      tenantId: tenant.id,
      communityId,
      path: `/portal/api/external/v2/communication/posts/manage/create-post/${communityId}`,
      token: await services.tokens.issue(await tenantScope(services, tenant, 'http://127.0.0.1'), {
        userId: adminUserId,
        keyId: null,
        sessionVersion: 1,
      }),
      body: {
        announcement: false,
        title: 'A delivery of bolts',
        description: 'Forty bolts came in this morning and were put on the left shelf.',
        descriptionFormat: 2,
        customData,
      },
    };
  }, env);
}

/** A tenant as {@link prepareWriteBench} makes it, whose posts have forty fields of all kinds: values, choices and people. */
export async function prepareBulkBench(env: NodeJS.ProcessEnv): Promise<WriteBench> {
  const bench = await prepareWriteBench(env);
  return withOperator(async (session) => {
    const scope = () => session.systemScope('bench');
    const { actor } = await scope();
    const customData: Record<string, unknown> = { ...(bench.body as { customData: object }).customData };
    const people = { generic_entity_list_config_id: 'core.user' };
    for (let round = 0; round < 30; round++) {
      const { field, value } = FIELDS[round % FIELDS.length]!;
      const more = round % 2 === 0 ? { type: FieldType.GENERIC_ENTITY_LIST, metadata: people } : field;
      const owner = { communityId: bench.communityId };
      const { id } = await addField(await scope(), owner, { label: `Further field ${round}`, ...more });
      customData[id] = round % 2 === 0 ? [actor.userId] : value;
    }
    return { ...bench, body: { ...bench.body, customData } };
  }, env);
}

/** A tenant as {@link prepareWriteBench} makes it, whose community has so many posts: copies of one, straight into their tables. */
export async function prepareDefinitionsBench(
  env: NodeJS.ProcessEnv,
  posts: number,
): Promise<WriteBench & { fieldId: number }> {
  const bench = await prepareWriteBench(env);
  const { customData } = bench.body as { customData: Record<string, unknown> };
  const fieldId = Number(Object.keys(customData)[0]);
  await withOperator(async (session) => {
    const { db, actor } = await session.systemScope('bench');
    const parameters = [db.tenantId, bench.communityId];
    for (let made = 0; made < posts; made += 10_000) {
      await db.execute(
        `INSERT INTO posts (tenant_id, community_id, custom_no, visibility, creator_id, created_at, modifier_id, modified_at,
           token_by, token_at, operated_at, active_at, recent_at, title, title_key, custom_data, published_at)
         SELECT $1, $2, n, 2, $3, now(), $3, now(), $3, now(), now(), now(), now(), 'Bolts', 'bolts', $6::jsonb, now()
           FROM generate_series($4::integer, $5::integer) AS n`,
        [
          ...parameters,
          actor.userId,
          1_000_000 + made,
          1_000_000 + Math.min(posts, made + 10_000) - 1,
          JSON.stringify(customData),
        ],
      );
      await db.execute(
        `INSERT INTO post_values (tenant_id, field_id, post_id, ord, empty, txt)
         SELECT p.tenant_id, $3, p.id, 0, false, 'bolt m8' FROM posts p
          WHERE p.tenant_id = $1 AND p.community_id = $2 AND p.custom_no >= $4`,
        [...parameters, fieldId, 1_000_000 + made],
      );
    }
  }, env);
  return { ...bench, fieldId };
}
