import { afterEach, describe, expect, it } from 'vitest';
import { ConfigurationError, ConflictError, PorticoClient, UpdateConflictError } from './node.ts';
import { type ScriptedAnswer, type SeenRequest, startWireServer, type WireServer } from './testing/wire-server.ts';

const servers: WireServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Post {
  title: string;
  customData: Record<string, unknown>;
  stateId: number;
}

/** A portal with one post, which others change before the first patches arrive. */
async function portal(others: ((post: Post) => void)[] = []) {
  const post: Post = { title: 'Old', customData: { 1: 'a', 2: [7] }, stateId: 31 };
  let version = 5;
  const server = await startWireServer(({ path, body }: SeenRequest): ScriptedAnswer | undefined => {
    if (path.includes('post-data-for-edit')) {
      const { title, customData, stateId } = post;
      const form = { contentData: { title, customData }, currentWorkflowState: { id: stateId } };
      return { body: { ...structuredClone(form), occToken: version, communityId: 2 } };
    }
    if (!path.includes('patch-post')) return undefined;
    const other = others.shift();
    if (other) {
      other(post);
      version += 1;
    }
    if (body.occToken !== version) return { status: 409, body: { code: 'CONFLICT', currentOccToken: version } };
    version += 1;
    return { body: { nextOccToken: version } };
  });
  servers.push(server);
  const client = new PorticoClient({ baseUrl: server.origin, credentials: { accessToken: 'x' } });
  return { client, patches: () => server.requests.filter(({ path }) => path.includes('patch-post')) };
}

describe('posts.update', () => {
  it('reads the version', async () => {
    const { client, patches } = await portal();
    expect((await client.posts.update(4711, { title: 'New' })).nextOccToken).toBe(6);
    expect(patches().map(({ body }) => body)).toEqual([{ title: 'New', occToken: 5 }]);
  });

  it('repeats after writes of other members and fields', async () => {
    const { client, patches } = await portal([
      (post) => {
        post.title = 'Theirs';
      },
      (post) => {
        post.customData['1'] = 'b';
      },
    ]);
    await client.posts.update(4711, { customData: { 2: [8] } });
    expect(patches().map(({ body }) => body.occToken)).toEqual([5, 6, 7]);
    expect(new Set(patches().map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  });

  it.each<[string, (post: Post) => void, object]>([
    [
      'the member',
      (post) => {
        post.title = 'Theirs';
      },
      { member: 'title', before: 'Old', present: 'Theirs', sent: 'New' },
    ],
    [
      'the field',
      (post) => {
        post.customData['2'] = [9];
      },
      { member: 'customData.2', before: [7], present: [9], sent: [8] },
    ],
    [
      'the state',
      (post) => {
        post.stateId = 32;
      },
      { member: 'currentWorkflowState', before: 31, present: 32 },
    ],
  ])('throws with both values if another write changed %s', async (_, other, conflict) => {
    const { client, patches } = await portal([other]);
    const error = await client.posts
      .update(4711, { title: 'New', customData: { 2: [8] } })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UpdateConflictError);
    expect((error as UpdateConflictError).conflicts).toEqual([expect.objectContaining(conflict)]);
    expect(patches()).toHaveLength(1);
  });

  it('never repeats with a given version', async () => {
    const { client, patches } = await portal();
    const error = await client.posts.update(4711, { title: 'New', version: 4 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).not.toBeInstanceOf(UpdateConflictError);
    expect(patches().map(({ body }) => body)).toEqual([{ title: 'New', occToken: 4 }]);
  });

  it('refuses a key without a version', async () => {
    const { client, patches } = await portal();
    const update = client.posts.update(4711, { title: 'New' }, { idempotencyKey: 'k' });
    await expect(update).rejects.toBeInstanceOf(ConfigurationError);
    expect(patches()).toEqual([]);
  });
});
