/** A portal with one community for tests of reading over HTTP. */
import { FieldType, sortableFieldTypes } from '@portico/contract';
import { expect } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { type LoadedPost, loadPosts, plainPost } from '../../../../test/support/post-loader.ts';
import { type CommunityDefinition, getDefinition } from '../../communities/index.ts';
import type { StoredValue } from '../../fields/index.ts';

/** Path prefix of reads of posts. */
export const PREFIX = '/portal/api/external/v2/communication/posts/data';
/** Creation time of the first post. */
export const START = Date.UTC(2026, 0, 1);
/** Every link of the main attachment. */
export const ALL_LINKS = {
  loadMainAttachmentViewLink: true,
  loadMainAttachmentDownloadLink: true,
  loadMainAttachmentPreviewImageLink: true,
  loadMainAttachmentPreviewImageAnimatedLink: true,
  loadMainAttachmentPreviewImageHiResLink: true,
  loadMainAttachmentPreviewImageHiResAnimatedLink: true,
};

export let portal: TestPortal;
export let tenant: TestTenant;
export let definition: CommunityDefinition;
export let manager: number;
export let reader: number;
export let outsider: number;
export let groupId: number;
let entryId: number;
let ownId: number;
export let stateId: number;
export let hashtagId: number;
export const fieldId = (type: FieldType, owner: 'post' | 'screen' = 'post') =>
  (owner === 'post' ? definition.fields : definition.workflow!.fields).find((field) => field.type === type)!.id;

/** Opens a portal with one community: fields of all types, a workflow, a manager and a reader. */
export async function openReading(): Promise<void> {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  manager = await tenant.createUser({ firstName: 'Ada', lastName: 'Manager' });
  reader = await tenant.createUser({ firstName: 'Bo', lastName: 'Reader' });
  outsider = await tenant.createUser();
  const db = portal.services.databases.for(tenant.tenant.id);
  const one = async (text: string, values: unknown[]) =>
    (await db.query<{ id: number }>(text, [db.tenantId, ...values]))[0]!.id;
  groupId = await one(`INSERT INTO groups (tenant_id, name, name_key) VALUES ($1, 'team', 'team') RETURNING id`, []);
  const workspaceId = await one(
    `INSERT INTO workspaces (tenant_id, name, creator_id, modifier_id) VALUES ($1, 'w', $2, $2) RETURNING id`,
    [manager],
  );
  const workflowId = await one(`INSERT INTO workflows (tenant_id, title) VALUES ($1, 'wf') RETURNING id`, []);
  const communityId = await one(
    `INSERT INTO communities (tenant_id, workspace_id, workflow_id, name, name_key, creator_id, comments_hidden_from_readers)
     VALUES ($1, $2, $3, 'c', 'c', $4, true) RETURNING id`,
    [workspaceId, workflowId, manager],
  );
  stateId = await one(
    `INSERT INTO workflow_states (tenant_id, workflow_id, name, color, initial) VALUES ($1, $2, 'Open', '#12fea4', true) RETURNING id`,
    [workflowId],
  );
  await one(
    `INSERT INTO workflow_transitions (tenant_id, workflow_id, from_state_id, to_state_id, name, roles) VALUES ($1, $2, $3, $3, 'again', '{1}') RETURNING id`,
    [workflowId, stateId],
  );
  hashtagId = await one(
    `INSERT INTO hashtags (tenant_id, community_id, name, name_key) VALUES ($1, $2, 'tag', 'tag') RETURNING id`,
    [communityId],
  );
  const catalogId = await one(`INSERT INTO catalogs (tenant_id, name) VALUES ($1, '{"en": "k"}') RETURNING id`, []);
  entryId = await one(
    `INSERT INTO catalog_entries (tenant_id, catalog_id, label, label_key, external_id) VALUES ($1, $2, '{"en": "Red", "it": "Rosso"}', 'red', 'R') RETURNING id`,
    [catalogId],
  );
  const metadata = (type: FieldType) =>
    type === FieldType.GENERIC_ENTITY_LIST ? { generic_entity_list_config_id: 'communication.post' } : {};
  for (const type of Object.values(FieldType)) {
    const id = await one(
      `INSERT INTO fields (tenant_id, community_id, catalog_id, type, label, sortable, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
      [
        communityId,
        type === FieldType.ENUM_LIST ? catalogId : null,
        type,
        `field ${type}`,
        sortableFieldTypes.includes(type),
        JSON.stringify(metadata(type)),
      ],
    );
    if (type === FieldType.ENUM) {
      ownId = await one(
        `INSERT INTO field_enum_values (tenant_id, field_id, label, label_key) VALUES ($1, $2, 'Own', 'own') RETURNING id`,
        [id],
      );
    }
  }
  await one(
    `INSERT INTO fields (tenant_id, community_id, type, label, searchable) VALUES ($1, $2, 1, 'hidden', false) RETURNING id`,
    [communityId],
  );
  await one(
    `INSERT INTO fields (tenant_id, workflow_id, type, label, metadata) VALUES ($1, $2, 15, 'people', '{"generic_entity_list_config_id": "core.user"}') RETURNING id`,
    [workflowId],
  );
  await db.execute(
    `INSERT INTO community_roles (tenant_id, community_id, principal, role_id) VALUES ($1, $2, $3, 1), ($1, $2, $4, 3)`,
    [db.tenantId, communityId, manager, reader],
  );
  definition = (await getDefinition(await tenant.scope(manager), communityId))!;
}

let lastId = 0;
/** Loads a post. @returns its id */
export async function make(given: Partial<LoadedPost> = {}): Promise<number> {
  const id = ++lastId;
  const post = plainPost({
    id,
    creatorId: manager,
    createdAt: START + id * 1000,
    title: `Post ${id}`,
    stateId,
    ...given,
  });
  await loadPosts(portal.services.databases.for(tenant.tenant.id), definition, [post]);
  return id;
}

export const detail = (user: number, id: number, query = '') =>
  tenant.request(user, 'GET', `${PREFIX}/post-detail-by-id/${id}${query}`);
export const list = (user: number, body: object = {}, query = '') =>
  tenant.request(user, 'POST', `${PREFIX}/list/community/${definition.id}${query}`, body);
export const queryOf = (flags: object) =>
  `?${Object.entries(flags)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`;

/** Returns a value of each type, in the stored form and in the form of responses. */
export function everyValue(
  other: number,
  hidden: number,
): { stored: Record<string, StoredValue>; read: Record<string, unknown> } {
  const delta = '[{"insert":"rich\\n"}]';
  const pairs: [FieldType, StoredValue, unknown][] = [
    [FieldType.INT, 7, 7],
    [FieldType.BIGINT, '9223372036854775807', '9223372036854775807'],
    [FieldType.DECIMAL, 1.5, 1.5],
    [FieldType.DATE, START, START],
    [FieldType.DATETIME, START + 5, START + 5],
    [FieldType.STRING, 'text', 'text'],
    [FieldType.ENUM, ownId, ownId],
    [
      FieldType.ENUM_LIST,
      [entryId],
      [expect.objectContaining({ id: entryId, label: 'Red', externalId: 'R', deleted: false })],
    ],
    [FieldType.TEXT_AREA, 'lines\nof text', 'lines\nof text'],
    [FieldType.FLAG, true, true],
    [FieldType.DELTA_AREA, delta, delta],
    [FieldType.FEEDBACK, 4, 4],
    [FieldType.LINK, 'https://example.org/', 'https://example.org/'],
    [
      FieldType.GENERIC_ENTITY_LIST,
      [other, hidden],
      [expect.objectContaining({ id: other, communityId: definition.id })],
    ],
  ];
  return {
    stored: Object.fromEntries(pairs.map(([type, stored]) => [String(fieldId(type)), stored])),
    read: Object.fromEntries(pairs.map(([type, , read]) => [String(fieldId(type)), read])),
  };
}
