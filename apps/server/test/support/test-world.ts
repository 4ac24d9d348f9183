/**
 * The world of most tests: a tenant with a community, people of every role, and shortcuts to write
 * and read as one of them.
 */

import type { TenantDb } from '@portico/platform/db/tenant-db';
import type pg from 'pg';
import { expect } from 'vitest';
import type { CommunityRole, Scope } from '../../src/kernel/scope.ts';
import type { NewCommunity } from '../../src/modules/communities/create-community.ts';
import { addField } from '../../src/modules/communities/define-fields.ts';
import {
  createCommunity,
  createWorkflow,
  ensureHashtags,
  type NewField,
  setCommunityRoles,
} from '../../src/modules/communities/index.ts';
import type { MadeWorkflow, NewWorkflow } from '../../src/modules/communities/workflow-input.ts';
import { createTestPortal, settingsReadAnew, type TestAnswer, type TestPortal, type TestTenant } from './index.ts';

const BASE = '/portal/api/external/v2/communication';

/** People by their role in the community; `outsider` has no role. */
export interface People {
  admin: number;
  manager: number;
  author: number;
  contributor: number;
  reader: number;
  outsider: number;
}

export interface TestWorld {
  portal: TestPortal;
  tenant: TestTenant;
  db: TenantDb;
  people: People;
  /** A group; `contributor` is its only member, unless the options say otherwise. */
  groupId: number;
  workspaceId: number;
  communityId: number;
  workflow: MadeWorkflow | undefined;
  fieldIds: Map<string, number>;
  /** In the order of the options. */
  hashtagIds: number[];
  /** A fresh scope of one of the people. */
  scope(userId: number): Promise<Scope>;
  /** Sends a request below `communication/`. */
  send(userId: number, method: string, path: string, body?: unknown): Promise<TestAnswer>;
  /** The same, for a request that must succeed. @returns its body */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  ok(userId: number, method: string, path: string, body?: unknown): Promise<any>;
  /** Makes a post. @returns its id */
  post(userId: number, body?: object): Promise<number>;
  /** Rows of a table of the tenant. */
  rows<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Sets which role a person has in the community. */
  role(userId: number, role: CommunityRole | null): Promise<void>;
  /** Attaches an uploaded file's content. @returns its contentRef */
  upload(userId: number, name?: string): Promise<string>;
}

interface TestWorldOptions {
  community?: Partial<NewCommunity>;
  workflow?: (world: { groupId: number; people: People }) => NewWorkflow;
  fields?: readonly NewField[];
  hashtags?: readonly string[];
  /** Nobody is in the group. */
  emptyGroup?: boolean;
}

/** Starts a portal. */
export { createTestPortal, settingsReadAnew, type TestPortal };

let uploads = 0;

/** A tenant of its own with a community. */
export async function createTestWorld(portal: TestPortal, options: TestWorldOptions = {}): Promise<TestWorld> {
  const tenant = await portal.createTenant();
  const db = portal.services.databases.for(tenant.tenant.id);
  const people: People = {
    admin: await tenant.createUser({ admin: true }),
    manager: await tenant.createUser({ firstName: 'Maria' }),
    author: await tenant.createUser({ firstName: 'Ada', username: 'ada' }),
    contributor: await tenant.createUser({ firstName: 'Carl' }),
    reader: await tenant.createUser({ firstName: 'Rita' }),
    outsider: await tenant.createUser({ firstName: 'Otto' }),
  };
  const scope = (userId: number) => tenant.scope(userId);
  const [group] = await db.query<{ id: number }>(
    `INSERT INTO groups (tenant_id, name, name_key, members_count) VALUES ($1, 'Editors', 'editors', $2) RETURNING id`,
    [db.tenantId, options.emptyGroup ? 0 : 1],
  );
  const groupId = group!.id;
  if (!options.emptyGroup)
    await db.execute('INSERT INTO group_members (tenant_id, group_id, user_id) VALUES ($1, $2, $3)', [
      db.tenantId,
      groupId,
      people.contributor,
    ]);
  const [workspace] = await db.query<{ id: number }>(
    `INSERT INTO workspaces (tenant_id, name, creator_id, modifier_id) VALUES ($1, 'Head office', $2, $2) RETURNING id`,
    [db.tenantId, people.admin],
  );
  const made =
    options.workflow && (await createWorkflow(await scope(people.admin), options.workflow({ groupId, people })));
  const communityId = await createCommunity(await scope(people.admin), {
    workspaceId: workspace!.id,
    name: 'News',
    acknowledgeTaskEnabled: true,
    ...(made && { workflowId: made.id }),
    ...options.community,
  });
  await setCommunityRoles(await scope(people.admin), communityId, [
    { principal: people.manager, role: 1 },
    { principal: people.author, role: 2 },
    { principal: people.contributor, role: 2 },
    { principal: people.reader, role: 3 },
  ]);
  const fieldIds = new Map<string, number>();
  for (const field of options.fields ?? []) {
    fieldIds.set(field.label, (await addField(await scope(people.admin), { communityId }, field)).id);
  }
  const hashtagIds = await ensureHashtags(
    await scope(people.admin),
    communityId,
    (options.hashtags ?? []).map((name) => ({ name })),
  );
  const send: TestWorld['send'] = (userId, method, path, body) =>
    tenant.request(userId, method, `${BASE}/${path}`, body);
  const ok: TestWorld['ok'] = async (userId, method, path, body) => {
    const answer = await send(userId, method, path, body);
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    return answer.body;
  };
  return {
    portal,
    tenant,
    db,
    people,
    groupId,
    workspaceId: workspace!.id,
    communityId,
    workflow: made,
    fieldIds,
    hashtagIds,
    scope,
    send,
    ok,
    post: async (userId, body = {}) => {
      const answer = await ok(userId, 'POST', `posts/manage/create-post/${communityId}`, {
        title: 'A post',
        description: 'Some text',
        descriptionFormat: 2,
        announcement: false,
        ...body,
      });
      return answer.postId;
    },
    rows: (text, values = []) => db.query(text, [db.tenantId, ...values]),
    role: async (userId, role) => {
      await setCommunityRoles(await scope(people.admin), communityId, [{ principal: userId, role }]);
    },
    upload: async (userId, name = 'note.txt') => {
      uploads += 1;
      const contentRef = uploads.toString(16).padStart(64, '0');
      await db.execute(
        `INSERT INTO file_contents (tenant_id, content_ref, storage_key, mime_type, size, md5, sha256, state, creator_id, created_at, uploaded_at)
          VALUES ($1, $2, $2, $3, 3, 'rL0Y20zC+Fzt72VPzMSk2A==', $2, 1, $4, now(), now())`,
        [db.tenantId, contentRef, name.endsWith('.png') ? 'image/png' : 'text/plain', userId],
      );
      return contentRef;
    },
  };
}

/** Faults of a 400 as `field: CODE`, in order. */
export function faults(answer: TestAnswer): string[] {
  const list = (answer.body?.validationErrors?.list ?? []) as { field: string; code: string }[];
  return list.map(({ field, code }) => `${field}: ${code}`);
}

/**
 * Returns the statements (their beginnings) of a read with warm caches. Not counted are statements
 * by the way: setting a pooled connection's tenant, the tenant's settings (read anew every few
 * seconds), views of earlier reads (written late, in batches).
 */
export async function statementsOf<T>(
  portal: TestPortal,
  request: () => Promise<T>,
): Promise<{ statements: string[]; result: T }> {
  await request();
  portal.takeStatements();
  const result = await request();
  const statements = portal
    .takeStatements()
    .filter(
      (statement) =>
        !/set_config|tenant_settings|tenant_hosts|signing_keys|post_view_counts|post_user_state|^(BEGIN|COMMIT)/.test(
          statement,
        ),
    );
  return { statements: statements.map((statement) => statement.replace(/\s+/g, ' ').slice(0, 80)), result };
}

/** Runs requests at the same time. @returns how many answered with each status */
export async function atOnce(
  count: number,
  send: (index: number) => Promise<TestAnswer>,
): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return statuses;
}
