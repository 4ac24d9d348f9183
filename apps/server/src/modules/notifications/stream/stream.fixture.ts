/** A portal with communities, and stream clients that keep a copy of the items they receive. */
import { expect } from 'vitest';
import type { TestPortal, TestTenant } from '../../../../test/support/index.ts';
import { createCommunity, createWorkspace, setCommunityRole } from '../../communities/index.ts';

export const STREAM = '/portal/api/external/v2/communication/posts/data/global-stream';

interface Stage {
  tenant: TestTenant;
  communities: number[];
  managerId: number;
}

/** Creates a tenant with communities and a manager of all. */
export async function stage(portal: TestPortal, communityCount: number): Promise<Stage> {
  const tenant = await portal.createTenant();
  const system = await tenant.scope(tenant.systemUserId);
  const workspaceId = await createWorkspace(system, { name: 'Work' });
  const communities: number[] = [];
  for (let index = 0; index < communityCount; index++) {
    communities.push(await createCommunity(system, { workspaceId, name: `Community ${index}`, descriptionEnabled: 1 }));
  }
  const managerId = await tenant.createUser({ firstName: 'Manager' });
  for (const id of communities) await setCommunityRole(system, id, [managerId], 1);
  return { tenant, communities, managerId };
}

interface Item {
  id: number;
  communityId: number;
  status: 'CREATED' | 'MODIFIED' | 'TOUCHED' | 'DELETED';
  deleted: boolean;
  title?: string;
}

/** A client of the stream that keeps a copy of the items it receives. */
export class Follower {
  readonly copy = new Map<number, string>();
  readonly log: Item[] = [];
  syncToken = '';
  readonly tenant: TestTenant;
  readonly userId: number;

  constructor(tenant: TestTenant, userId: number) {
    this.tenant = tenant;
    this.userId = userId;
  }

  /** Reads a round after every change committed so far has its number. */
  async settledRound(): Promise<Item[]> {
    await this.tenant.settleStream();
    return this.round();
  }

  async round(): Promise<Item[]> {
    const told: Item[] = [];
    let pageToken = '';
    do {
      const query = new URLSearchParams({
        ...(this.syncToken && { syncToken: this.syncToken }),
        ...(pageToken && { pageToken }),
      });
      const { status, body } = await this.tenant.request(this.userId, 'POST', `${STREAM}?${query}`, {});
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      told.push(...body.items);
      pageToken = body.nextPageToken ?? '';
      if (!pageToken) this.syncToken = body.nextSyncToken;
    } while (pageToken);
    expect(new Set(told.map((item) => item.id)).size, 'once per post').toBe(told.length);
    for (const item of told) {
      if (item.status === 'DELETED') this.copy.delete(item.id);
      else this.copy.set(item.id, item.title ?? '');
    }
    this.log.push(...told);
    return told;
  }

  /** Returns the present listing of every community. */
  async listing(communities: readonly number[]): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    for (const id of communities) {
      let pageToken: string | undefined;
      do {
        const { status, body } = await this.tenant.request(
          this.userId,
          'POST',
          `/portal/api/communication/posts/data/list/community/${id}`,
          { pageSize: 500, pageToken },
        );
        if (status === 404 || status === 403) break;
        expect(status).toBe(200);
        for (const post of body.items) found.set(post.id, post.title);
        pageToken = body.nextPageToken;
      } while (pageToken);
    }
    return found;
  }
}

export const MANAGE = '/portal/api/communication/posts/manage';

/** Creates a post by a request. @returns its id */
export async function createPost(
  tenant: TestTenant,
  userId: number,
  communityId: number,
  extra: object = {},
): Promise<number> {
  const { status, body } = await tenant.request(userId, 'POST', `${MANAGE}/create-post/${communityId}`, {
    announcement: false,
    title: 'A post',
    visibility: 2,
    ...extra,
  });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.postId;
}
