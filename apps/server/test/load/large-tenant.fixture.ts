/** A tenant whose objects are about as large as the published limits let them be. */
import { definitionLimits, FieldType, listLimits, viewLimits } from '@portico/contract';
import { writeTransaction } from '../../src/kernel/access/index.ts';
import { addField } from '../../src/modules/communities/define-fields.ts';
import { getDefinition } from '../../src/modules/communities/index.ts';
import { createPosts } from '../../src/modules/posts/writing/index.ts';
import { type Attacked, makeAttacked, type Objects, ROOT } from '../security/objects.fixture.ts';
import type { TestPortal } from '../support/index.ts';

/** People, and members of the group and the workspace. */
const PEOPLE = 10_000;
const TEXT_FIELDS = 8;

export interface LargeTenant {
  attacked: Attacked;
  objects: Objects;
  /** Text fields of the post. */
  textFieldIds: number[];
  posts: number[];
  longPosts: number[];
  /** The oldest version of the post of the objects. */
  firstVersion: number;
}

/** Words that differ from one another; `seed` makes other ones. */
export function manyWords(length: number, seed: string): string {
  let text = '';
  for (let n = 0; text.length < length; n++) text += `${seed}${n} `;
  return text.slice(0, length);
}

export async function makeLargeTenant(portal: TestPortal): Promise<LargeTenant> {
  const attacked = await makeAttacked(portal, 'Quagganar');
  const { world, chief, open } = attacked;
  const { tenant, communityId } = world;
  const system = () => tenant.scope(tenant.systemUserId);
  const db = portal.services.databases.for(tenant.tenant.id);
  const textFieldIds: number[] = [];
  for (let n = 0; n < TEXT_FIELDS; n++)
    textFieldIds.push(
      (
        await addField(
          await system(),
          { communityId },
          { type: FieldType.TEXT_AREA, label: `Text ${n}`, searchable: n % 2 === 0 },
        )
      ).id,
    );
  for (let n = 0; n < 3; n++)
    await addField(
      await system(),
      { communityId },
      {
        type: FieldType.ENUM,
        label: `Choice ${n}`,
        enumValues: Array.from({ length: definitionLimits.fieldValues }, (_, value) => ({ label: `Value ${value}` })),
      },
    );
  await manyPeople(attacked, portal);
  await db.execute(
    `INSERT INTO catalog_entries (tenant_id, catalog_id, label, label_key)
     SELECT a.tenant_id, $2, jsonb_build_object('en', 'Entry ' || n), convert_to('Entry ' || n, 'UTF8')::text
       FROM tenant_versions a, generate_series(1, 10000) AS n WHERE a.tenant_id = $1`,
    [tenant.tenant.id, world.catalogId],
  );
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await tenant.request(chief, method, `${ROOT}/communication${path}`, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 1_000)}`);
    return answer.body;
  };
  // Two versions of long texts, whose words differ.
  const patch = async (body: object) => {
    open.tokens.post = (
      await ask('POST', `/posts/manage/patch-post/${open.postId}`, { occToken: open.tokens.post, ...body })
    ).nextOccToken;
  };
  for (const seed of ['a', 'b']) {
    await patch({ description: manyWords(500_000, seed), descriptionFormat: 2 });
    for (const [n, id] of textFieldIds.entries())
      await patch({
        customData: {
          [id]:
            n === 0
              ? '😀'.repeat(100_000) + seed
              : manyWords(
                  100_000,
                  `${seed}"
`,
                ),
        },
      });
  }
  const definition = (await getDefinition(await system(), communityId))!;
  const make = async (count: number, body: (n: number) => object) => {
    const outcomes = await writeTransaction(await tenant.scope(chief), 'none', (write) =>
      createPosts(
        write,
        definition,
        Array.from({ length: count }, (_, n) => ({ type: 1 as const, visibility: 2 as const, ...body(n) })),
        { trusted: true },
      ),
    );
    return outcomes.map((outcome) => {
      if (outcome.errors) throw new Error(JSON.stringify(outcome.errors));
      return outcome.postId;
    });
  };
  const longPosts: number[] = [];
  for (let round = 0; round < 12; round++)
    longPosts.push(
      ...(await make(1, (n) => ({
        title: `Long ${round} ${n}`,
        description: JSON.stringify([{ insert: `${manyWords(450_000, 'x"')}\n` }]),
        customData: Object.fromEntries(textFieldIds.map((id) => [id, manyWords(150_000, 'é"')])),
      }))),
    );
  const posts: number[] = [];
  for (let round = 0; round < 10; round++)
    posts.push(
      ...(await make(60, (n) => ({
        title: `Post ${round} ${n}`,
        description: JSON.stringify([{ insert: `${manyWords(2_000, 'word')} #tag${n}\n` }]),
        customData: { [world.fields['INT']!]: n, [world.fields['PEOPLE']!]: [world.people.author] },
      }))),
    );
  for (let n = 0; n < 12; n++)
    await ask('POST', `/posts/manage/create-comment/${open.postId}`, {
      comment: manyWords(900_000, 'comment"'),
      commentFormat: 2,
    });
  for (let n = 0; n < 100; n++)
    await ask('POST', `/posts/manage/create-comment/${open.postId}`, { comment: `Comment ${n}`, commentFormat: 2 });
  await manyRows(attacked, portal);
  const [oldest] = await db.query<{ id: number }>(
    'SELECT min(id) AS id FROM post_versions WHERE tenant_id = $1 AND post_id = $2',
    [tenant.tenant.id, open.postId],
  );
  return { attacked, objects: open, textFieldIds, posts, longPosts, firstVersion: oldest!.id };
}

/** Ten thousand people in one group and one workspace. */
async function manyPeople({ world, emptyGroupId, open }: Attacked, portal: TestPortal): Promise<void> {
  const db = portal.services.databases.for(world.tenant.tenant.id);
  const { tenantId } = db;
  await db.execute(
    `INSERT INTO users (tenant_id, first_name, last_name, last_key, first_key, contact_email)
     SELECT a.tenant_id, 'First ' || n, 'Last ' || n, 'last ' || n, 'first ' || n, 'p' || n || '@large.example'
       FROM tenant_versions a, generate_series(1, $2::integer) AS n WHERE a.tenant_id = $1`,
    [tenantId, PEOPLE],
  );
  await db.execute(
    `INSERT INTO group_members (tenant_id, group_id, user_id)
     SELECT tenant_id, $2, id FROM users WHERE tenant_id = $1 AND contact_email LIKE '%@large.example'`,
    [tenantId, emptyGroupId],
  );
  await db.execute('UPDATE groups SET members_count = $3 WHERE tenant_id = $1 AND id = $2', [
    tenantId,
    emptyGroupId,
    PEOPLE,
  ]);
  await db.execute(
    `INSERT INTO workspace_members (tenant_id, workspace_id, principal, role_id)
     SELECT tenant_id, $2, id, NULL FROM users WHERE tenant_id = $1 AND contact_email LIKE '%@large.example'`,
    [tenantId, open.workspaceId],
  );
  await db.execute(
    `INSERT INTO post_watchers (tenant_id, post_id, principal)
     SELECT tenant_id, $2, id FROM users WHERE tenant_id = $1 AND contact_email LIKE '%@large.example' LIMIT $3`,
    [tenantId, open.postId, listLimits.items],
  );
  await portal.owner.query(
    'ANALYZE users, group_members, workspace_members, post_watchers, catalog_entries, field_enum_values',
  );
}

/** Saved views and templates, as many and as large as may be. */
async function manyRows({ world, chief }: Attacked, portal: TestPortal): Promise<void> {
  const db = portal.services.databases.for(world.tenant.tenant.id);
  const filters = JSON.stringify({ createdByUserIds: Array.from({ length: 1_200 }, (_, n) => 1_000_000 + n) });
  for (const owner of [null, chief])
    await db.execute(
      `INSERT INTO saved_views (tenant_id, community_id, user_id, name, post_filters, layout, creator_id, created_at,
          modifier_id, modified_at)
       SELECT a.tenant_id, $2, $3, 'View ' || n, $5, 'table', $4, now(), $4, now()
         FROM tenant_versions a, generate_series(1, $6::integer) AS n WHERE a.tenant_id = $1`,
      [db.tenantId, world.communityId, owner, chief, filters, viewLimits.views - 2],
    );
  await db.execute(
    `INSERT INTO post_templates (tenant_id, community_id, name, description, creator_id, created_at, modifier_id, modified_at)
     SELECT a.tenant_id, $2, 'Template ' || n, $4, $3, now(), $3, now()
       FROM tenant_versions a, generate_series(1, $5::integer) AS n WHERE a.tenant_id = $1`,
    [
      db.tenantId,
      world.communityId,
      chief,
      JSON.stringify([{ insert: `${manyWords(36_000, 'template"')}\n` }]),
      definitionLimits.templates - 2,
    ],
  );
}
