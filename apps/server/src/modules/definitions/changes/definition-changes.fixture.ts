/** A tenant with communities whose definition changes while posts hold data. */
import { definitionLimits, type FieldType } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import { expect } from 'vitest';
import { createTestPortal } from '../../../../test/support/index.ts';
import { workOnChange } from './work-on-change.ts';

export const ADMIN = '/portal/api/admin/manage';
export const POSTS = '/portal/api/communication/posts';

/**
 * A portal with a tenant and its administrator, and functions that change definitions as the
 * administrator.
 */
export type ChangingPortal = Awaited<ReturnType<typeof createChangingPortal>>;

export async function createChangingPortal() {
  const portal = await createTestPortal();
  const tenant = await portal.createTenant();
  const admin = await tenant.createUser({ admin: true });
  const { workspaceId } = await ask('POST', '/workspaces', { name: 'Workspace' });

  async function ask(method: string, path: string, body?: object) {
    const sent = () => tenant.request(admin, method, `${ADMIN}${path}`, body);
    let { status, body: answer, text } = await sent();
    // Sixteen writers may hold every connection for longer than a request waits for one, so repeat
    // it.
    while (status === 503) ({ status, body: answer, text } = await sent());
    expect(status, text).toBe(200);
    return answer;
  }
  const refused = async (path: string, body: object, method = 'POST') => {
    const answered = await tenant.request(admin, method, `${ADMIN}${path}`, body);
    const { body: answer, text } = answered;
    expect<number>(answered.status, text).toBe(400);
    return answer.validationErrors.list;
  };
  /** Completes the work in the background. */
  async function work() {
    while (await workOnChange(await tenant.scope(tenant.systemUserId)));
  }

  /** Creates a community, with functions that change it. */
  async function purchasing() {
    const { communityId } = await ask('POST', '/communities', { workspaceId, name: 'Purchasing' });
    const path = `/communities/${communityId}`;
    const token = async () => (await ask('GET', path)).occToken as number;
    return {
      communityId,
      path,
      token,
      field: async (label: string, type: FieldType, more: object = {}) => {
        const { fieldId, enumValueIds } = await ask('POST', `${path}/fields`, { label, type, ...more });
        return { id: fieldId as number, values: enumValueIds as number[] };
      },
      post: async (customData: object) => {
        const body = { title: 'Order', description: 'Text', descriptionFormat: 2, announcement: false, customData };
        const made = await tenant.request(admin, 'POST', `${POSTS}/manage/create-post/${communityId}`, body);
        expect(made.status, made.text).toBe(200);
        return made.body.postId as number;
      },
      values: async (postId: number) => {
        const shown = await tenant.request(admin, 'GET', `${POSTS}/data/post-detail-by-id/${postId}`);
        expect(shown.status, shown.text).toBe(200);
        return (shown.body.customData ?? {}) as Record<string, unknown>;
      },
      find: async (filter: object) => {
        const body = { communityPostFilters: { postFieldFilters: [filter] } };
        const found = await tenant.request(admin, 'POST', `${POSTS}/data/list/community/${communityId}`, body);
        return found;
      },
      /**
       * Inserts more posts than a change processes at once, straight into their table, as copies of
       * one.
       */
      fill: async (postId: number, count: number = definitionLimits.postsAtOnce) => {
        const { db } = await tenant.scope(admin);
        const ids = await takeIds(db, 'posts', count);
        await db.execute(
          `INSERT INTO posts (tenant_id, id, community_id, custom_no, visibility, creator_id, created_at, modifier_id, modified_at,
             token_by, token_at, operated_at, active_at, recent_at, title, title_key, custom_data, screen_data, state_id, published_at)
           SELECT p.tenant_id, n.id, p.community_id, 100000 + n.place, p.visibility, p.creator_id, p.created_at, p.modifier_id,
                  p.modified_at, p.token_by, p.token_at, p.operated_at, p.active_at, p.recent_at, p.title, p.title_key, p.custom_data,
                  p.screen_data, p.state_id, p.published_at
             FROM posts p, unnest($3::bigint[]) WITH ORDINALITY AS n (id, place) WHERE p.tenant_id = $1 AND p.id = $2`,
          [db.tenantId, postId, ids],
        );
        await db.execute(
          `INSERT INTO post_values (tenant_id, field_id, post_id, ord, empty, big, num, txt, ref)
           SELECT v.tenant_id, v.field_id, n.id, v.ord, v.empty, v.big, v.num, v.txt, v.ref
             FROM post_values v, unnest($3::bigint[]) AS n (id) WHERE v.tenant_id = $1 AND v.post_id = $2`,
          [db.tenantId, postId, ids],
        );
      },
      /** Returns the values of a field in all posts, with the number of posts that have each. */
      count: async (fieldId: number) => {
        const { db } = await tenant.scope(admin);
        const rows = await db.query<{ value: unknown; posts: number }>(
          `SELECT custom_data -> $3 AS value, count(*) AS posts FROM posts
            WHERE tenant_id = $1 AND community_id = $2 AND custom_data ? $3 GROUP BY 1 ORDER BY 2`,
          [db.tenantId, communityId, String(fieldId)],
        );
        return rows.map(({ value, posts }) => [value, posts]);
      },
    };
  }

  return { portal, tenant, admin, ask, refused, work, purchasing };
}
