/** A tenant with one community that uses every type of field, a workflow, people in every role, and files. */
import { randomBytes } from 'node:crypto';
import { FieldType, ValidationType } from '@portico/contract';
import { sortKey } from '@portico/platform/text';
import type { TestAnswer, TestPortal } from '../../../../test/support/index.ts';
import { createTestWorld, type TestWorld } from '../../../../test/support/test-world.ts';
import type { NewCommunity } from '../../communities/create-community.ts';
import { addField } from '../../communities/define-fields.ts';
import { createCommunity, ensureCatalog, type NewField, setCommunityRoles } from '../../communities/index.ts';

export const API = '/portal/api/external/v2/communication/posts';
export const MANAGE = `${API}/manage`;

/** A {@link TestWorld} with a community that has fields of every type. */
export interface FieldWorld extends TestWorld {
  /** Ids of the fields by the name of their type, and of some more. */
  fields: Record<string, number>;
  /** Ids of own values by field name, in order. */
  values: Record<string, number[]>;
  catalogId: number;
  entries: number[];
  states: Map<string, number>;
}

/** Creates a community in the world's workspace with the usual roles. */
export async function makeCommunity(
  { tenant, people, workspaceId }: Pick<TestWorld, 'tenant' | 'people' | 'workspaceId'>,
  settings: Partial<NewCommunity> = {},
): Promise<number> {
  const scope = await tenant.scope(people.admin);
  const communityId = await createCommunity(scope, {
    workspaceId,
    name: `c-${randomBytes(4).toString('hex')}`,
    workspaceMemberRole: null,
    ...settings,
  });
  await setCommunityRoles(scope, communityId, [
    { principal: people.manager, role: 1 },
    { principal: people.author, role: 2 },
    { principal: people.contributor, role: 2 },
    { principal: people.reader, role: 3 },
  ]);
  return communityId;
}

export async function createFieldWorld(portal: TestPortal): Promise<FieldWorld> {
  const world = await createTestWorld(portal, {
    workflow: () => ({
      title: 'Flow',
      states: [
        { name: 'Open', initial: true },
        { name: 'Ready', initial: true },
        { name: 'Done', terminal: true },
      ],
      transitions: [{ name: 'finish', from: 'Open', to: 'Done' }],
      screenFields: [{ type: FieldType.STRING, label: 'Reason' }],
      screens: [{ name: 'Why', fields: [{ label: 'Reason' }] }],
    }),
    community: { workspaceMemberRole: null, initStateChoiceEnabled: true, descriptionEnabled: 2 },
    hashtags: ['budget', 'Café'],
    emptyGroup: true,
  });
  const { tenant, db, people, communityId } = world;
  const catalogId = await ensureCatalog(await tenant.scope(people.admin), { name: 'Colours' });
  const entries: number[] = [];
  for (const label of ['Red', 'Green', 'Blue']) {
    const [row] = await db.query<{ id: number }>(
      `INSERT INTO catalog_entries (tenant_id, catalog_id, label, label_key) VALUES ($1, $2, $3, $4) RETURNING id`,
      [tenant.tenant.id, catalogId, JSON.stringify({ en: label }), sortKey(label)],
    );
    entries.push(row!.id);
  }
  const fields: Record<string, number> = {};
  const values: Record<string, number[]> = {};
  const add = async (name: string, field: Omit<NewField, 'label'>) => {
    const made = await addField(
      await tenant.scope(people.admin),
      { communityId },
      { label: name, sortable: false, ...field },
    );
    fields[name] = made.id;
    values[name] = made.enumValueIds;
  };
  const labels = (...names: string[]) => names.map((label) => ({ label }));
  await add('INT', {
    type: FieldType.INT,
    sortable: true,
    externalId: 'AMOUNT',
    validations: [{ typeId: ValidationType.MAX_VALUE, parameter: '1000' }],
  });
  await add('BIGINT', { type: FieldType.BIGINT });
  await add('DECIMAL', { type: FieldType.DECIMAL, metadata: { decimal_digits: '2' } });
  await add('DATE', { type: FieldType.DATE, sortable: true });
  await add('DATETIME', { type: FieldType.DATETIME });
  await add('STRING', {
    type: FieldType.STRING,
    validations: [{ typeId: ValidationType.PATTERN, parameter: '[^!]*' }],
  });
  await add('ENUM', { type: FieldType.ENUM, enumValues: labels('one', 'two', 'three') });
  await add('ENUM_LIST', { type: FieldType.ENUM_LIST, catalogId });
  await add('TEXT_AREA', { type: FieldType.TEXT_AREA, searchable: false });
  await add('FLAG', { type: FieldType.FLAG });
  await add('DELTA_AREA', { type: FieldType.DELTA_AREA });
  await add('FEEDBACK', { type: FieldType.FEEDBACK, metadata: { feedback_max_value: '5' } });
  await add('HIERARCHICAL_ENUM', {
    type: FieldType.HIERARCHICAL_ENUM,
    parentId: fields['ENUM']!,
    enumValues: [
      { label: 'one-a', parents: ['one'] },
      { label: 'two-a', parents: ['two'] },
    ],
  });
  await add('LINK', { type: FieldType.LINK, readonly: false });
  await add('PEOPLE', {
    type: FieldType.GENERIC_ENTITY_LIST,
    metadata: { generic_entity_list_config_id: 'core.user', extends_post_visibility: 'true' },
  });
  await add('POSTS', {
    type: FieldType.GENERIC_ENTITY_LIST,
    metadata: { generic_entity_list_config_id: 'communication.post' },
  });
  await add('READONLY', { type: FieldType.STRING, readonly: true });
  return { ...world, fields, values, catalogId, entries, states: world.workflow!.states };
}

/** Returns a valid body of a new post. */
export function postBody(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { announcement: false, title: 'A title', description: 'Some text', descriptionFormat: 2, ...overrides };
}

/** Creates a post and throws on an error. */
export async function createPost(
  world: FieldWorld,
  userId: number,
  overrides: Record<string, unknown> = {},
  communityId = world.communityId,
): Promise<{ postId: number; token: number; data: TestAnswer['body'] }> {
  const answer = await world.tenant.request(
    userId,
    'POST',
    `${MANAGE}/create-post/${communityId}`,
    postBody(overrides),
  );
  if (answer.status !== 200) throw new Error(`create-post: ${answer.status} ${answer.text}`);
  return { postId: answer.body.postId, token: answer.body.nextOccToken, data: answer.body.postData };
}

/** Creates an uploaded file of a user. */
export async function makeUpload(
  world: FieldWorld,
  userId: number,
  mimeType = 'image/png',
  size = 10,
): Promise<string> {
  const contentRef = randomBytes(32).toString('hex');
  const at = new Date();
  await world.portal.services.databases.for(world.tenant.tenant.id).query(
    `INSERT INTO file_contents (tenant_id, content_ref, mime_type, size, creator_id, created_at, uploaded_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [world.tenant.tenant.id, contentRef, mimeType, size, userId, at],
  );
  return contentRef;
}

/** Reads rows of the tenant directly from the database. */
export function rows<R>(world: FieldWorld, sql: string, values: readonly unknown[] = []): Promise<R[]> {
  return world.portal.services.databases.for(world.tenant.tenant.id).query<R>(sql, [world.tenant.tenant.id, ...values]);
}

const ACCESS_TIMES: Readonly<Record<string, readonly string[]>> = {
  users: ['last_access_at'],
};

/** Every row of every table of the tenant, access times aside, as text that can be compared. */
export async function dumpTenant(world: Pick<FieldWorld, 'portal' | 'tenant'>): Promise<Map<string, string[]>> {
  const { owner } = world.portal;
  const tenantId = world.tenant.tenant.id;
  await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const dump = new Map<string, string[]>();
  for (const { name } of tables) {
    const { rows: found } = await owner.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) AS row FROM ${name} t WHERE tenant_id = $1`,
      [tenantId],
    );
    const lines = found.map(({ row }) => {
      for (const column of ACCESS_TIMES[name] ?? []) delete row[column];
      return JSON.stringify(row);
    });
    dump.set(name, lines.sort());
  }
  return dump;
}

/** Returns the latest row that the stream reads of a post. */
export async function lastChange(world: FieldWorld, postId: number) {
  const [change] = await rows<{
    kind: number;
    acl_changed: boolean;
    before_live: boolean | null;
    before_principals: number[] | null;
  }>(
    world,
    `SELECT kind, acl_changed, before_live, before_principals FROM changes
      WHERE tenant_id = $1 AND post_id = $2 ORDER BY id DESC LIMIT 1`,
    [postId],
  );
  return change;
}
