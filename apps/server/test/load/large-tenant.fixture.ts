/** A tenant whose objects are about as large as the published limits let them be. */
import { definitionLimits, FieldType, listLimits, ValidationType, viewLimits } from '@portico/contract';
import { writeTransaction } from '../../src/kernel/access/index.ts';
import { addField } from '../../src/modules/communities/define-fields.ts';
import { getDefinition, type NewField } from '../../src/modules/communities/index.ts';
import { createPosts } from '../../src/modules/posts/index.ts';
import { indexNext } from '../../src/modules/search/index.ts';
import { type Attacked, makeAttacked, type Objects, ROOT } from '../security/objects.fixture.ts';
import type { TestPortal } from '../support/index.ts';

/** People, and members of the group and the workspace. */
const PEOPLE = 10_000;
const TEXT_FIELDS = 8;
/** Each with as many values as a field may have. */
const CHOICE_FIELDS = 3;
/** Each holds as many people as a field may hold. */
const PEOPLE_FIELDS = 10;
/** Their texts fill more than a page. */
const LONG_POSTS = 4;
const LONG_COMMENTS = 8;

export interface LargeTenant {
  attacked: Attacked;
  objects: Objects;
  /** Text fields of the post. */
  textFieldIds: number[];
  /** Fields with as many values as a field may have. */
  choiceFieldIds: number[];
  /** A rich-text field. */
  deltaFieldId: number;
  /** A text field whose patterns take long. */
  patternFieldId: number;
  /** The oldest version of the post of the objects. */
  firstVersion: number;
}

/** Words that differ from one another; `seed` makes other ones. */
export function manyWords(length: number, seed: string): string {
  let text = '';
  for (let n = 0; text.length < length; n++) text += `${seed}${n} `;
  return text.slice(0, length);
}

/** Letters in which slow patterns meet a new state at nearly every place. */
export function textWithoutPeriod(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state & 65_536 ? 'a' : 'b';
  }).join('');
}

/** Makes a tenant with large objects of every kind. */
export async function makeLargeTenant(portal: TestPortal): Promise<LargeTenant> {
  const attacked = await makeAttacked(portal, 'Quagganar');
  const fields = await manyFields(attacked);
  await manyPeople(attacked, portal);
  const firstVersion = await longTexts(attacked, portal, fields.textFieldIds);
  await manyReferences(attacked);
  await manyPosts(attacked, fields.textFieldIds);
  await manyComments(attacked);
  await manyRows(attacked, portal);
  await manyTransitions(attacked);
  const indexing = await attacked.world.tenant.scope(attacked.world.tenant.systemUserId);
  while (await indexNext(indexing));
  return { attacked, objects: attacked.open, ...fields, firstVersion };
}

async function ask({ world, chief }: Attacked, path: string, body: unknown) {
  const answer = await world.tenant.request(chief, 'POST', `${ROOT}/communication/posts/manage/${path}`, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 1_000)}`);
  return answer.body;
}

type ManyFields = Pick<LargeTenant, 'textFieldIds' | 'choiceFieldIds' | 'deltaFieldId' | 'patternFieldId'>;

async function manyFields({ world }: Attacked): Promise<ManyFields> {
  const { tenant, communityId } = world;
  const add = async (field: NewField) =>
    (await addField(await tenant.scope(tenant.systemUserId), { communityId }, field)).id;
  const textFieldIds: number[] = [];
  for (let n = 0; n < TEXT_FIELDS; n++)
    textFieldIds.push(await add({ type: FieldType.TEXT_AREA, label: `Text ${n}`, searchable: n % 2 === 0 }));
  const choiceFieldIds: number[] = [];
  for (let n = 0; n < CHOICE_FIELDS; n++) {
    const enumValues = Array.from({ length: definitionLimits.fieldValues }, (_, value) => ({
      label: `Value ${value}`,
    }));
    choiceFieldIds.push(await add({ type: FieldType.ENUM, label: `Choice ${n}`, enumValues }));
  }
  const patternFieldId = await add({
    type: FieldType.TEXT_AREA,
    label: 'Slow',
    searchable: false,
    validations: Array.from({ length: 5 }, (_, n) => ({
      typeId: ValidationType.PATTERN,
      parameter: `(?:(?:a|b)*a(?:a|b){30}){8}z${n}`,
    })),
  });
  return { textFieldIds, choiceFieldIds, deltaFieldId: world.fields['DELTA_AREA']!, patternFieldId };
}

/** Fields of people that the post holds, full. */
async function manyReferences(attacked: Attacked): Promise<void> {
  const { world, open } = attacked;
  const { tenant, communityId, db } = world;
  const people = await db.query<{ id: number }>(
    `SELECT id FROM users WHERE tenant_id = $1 AND contact_email LIKE '%@large.example' LIMIT $2`,
    [tenant.tenant.id, listLimits.items],
  );
  const customData: Record<number, number[]> = {};
  for (let n = 0; n < PEOPLE_FIELDS; n++) {
    const field = await addField(
      await tenant.scope(tenant.systemUserId),
      { communityId },
      {
        type: FieldType.GENERIC_ENTITY_LIST,
        label: `People ${n}`,
        searchable: false,
        metadata: { generic_entity_list_config_id: 'core.user' },
      },
    );
    customData[field.id] = people.map(({ id }) => id);
  }
  const patched = await ask(attacked, `patch-post/${open.postId}`, { occToken: open.tokens.post, customData });
  open.tokens.post = patched.nextOccToken;
}

/** Two versions of long texts whose words differ. @returns the older version of the post */
async function longTexts(attacked: Attacked, portal: TestPortal, textFieldIds: readonly number[]): Promise<number> {
  const { open, world } = attacked;
  const patch = async (body: object) => {
    const patched = { occToken: open.tokens.post, ...body };
    open.tokens.post = (await ask(attacked, `patch-post/${open.postId}`, patched)).nextOccToken;
  };
  for (const seed of ['a', 'b']) {
    await patch({ description: manyWords(500_000, seed), descriptionFormat: 2 });
    for (const [n, id] of textFieldIds.entries())
      await patch({
        customData: { [id]: n === 0 ? '😀'.repeat(100_000) + seed : manyWords(100_000, `${seed}"\n`) },
      });
  }
  const [oldest] = await portal.services.databases
    .for(world.tenant.tenant.id)
    .query<{ id: number }>('SELECT min(id) AS id FROM post_versions WHERE tenant_id = $1 AND post_id = $2', [
      world.tenant.tenant.id,
      open.postId,
    ]);
  return oldest!.id;
}

/** Some posts with two mebibytes of text, and more than a page of others. */
async function manyPosts({ world, chief }: Attacked, textFieldIds: readonly number[]): Promise<void> {
  const { tenant, communityId, fields, people } = world;
  const definition = (await getDefinition(await tenant.scope(tenant.systemUserId), communityId))!;
  const make = async (posts: readonly Parameters<typeof createPosts>[2][number][]) => {
    const outcomes = await writeTransaction(await tenant.scope(chief), 'none', (write) =>
      createPosts(write, definition, posts, { trusted: true }),
    );
    for (const { errors } of outcomes) if (errors) throw new Error(JSON.stringify(errors));
  };
  for (let n = 0; n < LONG_POSTS; n++)
    await make([
      {
        visibility: 2,
        title: `Long ${n}`,
        description: JSON.stringify([{ insert: `${manyWords(450_000, 'x"')}\n` }]),
        customData: Object.fromEntries(textFieldIds.map((id) => [id, manyWords(120_000, 'é"')])),
      },
    ]);
  for (let round = 0; round < 9; round++)
    await make(
      Array.from({ length: 60 }, (_, n) => ({
        visibility: 2,
        title: `Post ${round} ${n}`,
        description: JSON.stringify([{ insert: `${manyWords(2_000, 'word')} #tag${n}\n` }]),
        customData: { [fields['INT']!]: n, [fields['PEOPLE']!]: [people.author] },
      })),
    );
}

async function manyComments(attacked: Attacked): Promise<void> {
  const { postId } = attacked.open;
  for (let n = 0; n < LONG_COMMENTS; n++)
    await ask(attacked, `create-comment/${postId}`, { comment: manyWords(900_000, 'comment"'), commentFormat: 2 });
  for (let n = 0; n < 100; n++)
    await ask(attacked, `create-comment/${postId}`, { comment: `Comment ${n}`, commentFormat: 2 });
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

/** Nearly as many transitions as a workflow may have, open to nobody but the first, which names many groups. */
async function manyTransitions({ world, chief }: Attacked): Promise<void> {
  const { tenant, communityId, db } = world;
  const made = await db.query<{ id: number }>(
    `INSERT INTO groups (tenant_id, name, name_key)
     SELECT a.tenant_id, 'Many ' || n, 'many ' || n FROM tenant_versions a, generate_series(1, 300) AS n
      WHERE a.tenant_id = $1 RETURNING id`,
    [tenant.tenant.id],
  );
  const groupIds = made.map(({ id }) => id);
  await db.execute(
    `INSERT INTO group_members (tenant_id, group_id, user_id)
     SELECT a.tenant_id, g, $3 FROM tenant_versions a, unnest($2::bigint[]) AS g WHERE a.tenant_id = $1`,
    [tenant.tenant.id, groupIds, chief],
  );
  await db.execute(
    `INSERT INTO workflow_transitions (tenant_id, workflow_id, position, from_state_id, to_state_id, name, group_ids, roles, conditions)
     SELECT t.tenant_id, t.workflow_id, n, t.from_state_id, t.to_state_id, 'Many ' || n,
            CASE WHEN n = 1 THEN $3::bigint[] ELSE '{}' END, '{}', '[]'
       FROM workflow_transitions t JOIN communities c ON c.tenant_id = t.tenant_id AND c.workflow_id = t.workflow_id,
            generate_series(1, $4::integer) AS n
      WHERE t.tenant_id = $1 AND c.id = $2 AND t.name = 'finish'`,
    [tenant.tenant.id, communityId, groupIds, definitionLimits.transitions - 10],
  );
  await db.execute('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1', [
    tenant.tenant.id,
  ]);
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
