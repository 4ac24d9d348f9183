import { TextFormat } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { createPosts, type TrustedPost } from './create-posts.ts';
import { applyEdit } from './edit-post.ts';
import { openPost, requireDefinition } from './open-post.ts';
import { failScheduledPost, publishScheduledPost } from './publish-post.ts';
import { API, createFieldWorld, createPost, type FieldWorld, rows } from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

const T2001 = Date.UTC(2001, 1, 3);

async function make(posts: readonly TrustedPost[]) {
  const scope = await world.tenant.scope(world.people.manager);
  return writeTransaction(scope, 'none', async (write) =>
    createPosts(write, await requireDefinition(write, world.communityId), posts, { trusted: true }),
  );
}

describe('createPosts', () => {
  it('makes many posts with their own authors, times and states, in a number of statements that does not grow', async () => {
    const post = (index: number): TrustedPost => ({
      title: `Imported ${index}`,
      description: 'Old text #budget',
      descriptionFormat: 2,
      creatorId: index % 2 ? world.people.author : world.people.contributor,
      at: T2001 + index,
      stateId: world.states.get('Done')!,
      clientUid: `ext-${index}`,
      customData: {
        [world.fields['INT']!]: index,
        [world.fields['READONLY']!]: 'by import',
        [world.fields['STRING']!]: 'x',
      },
    });
    await make([post(0)]);
    portal.takeStatements();
    await make([post(1)]);
    const one = portal.takeStatements().length;
    const outcomes = await make(Array.from({ length: 200 }, (_, index) => post(index + 2)));
    expect(portal.takeStatements().length).toBe(one);
    expect(outcomes.every((outcome) => outcome.errors === undefined && outcome.created)).toBe(true);
    const made = await rows(
      world,
      `SELECT title, creator_id, created_at, published_at, recent_at, active_at, state_id, custom_no FROM posts
        WHERE tenant_id = $1 AND client_uid = 'ext-201'`,
    );
    const at = T2001 + 201;
    expect(made).toEqual([
      {
        title: 'Imported 201',
        creator_id: world.people.author,
        created_at: at,
        published_at: at,
        recent_at: at,
        active_at: at,
        state_id: world.states.get('Done'),
        custom_no: 202,
      },
    ]);
    const history = await rows(
      world,
      `SELECT h.at, h.author_id AS author FROM history_events h JOIN posts p ON p.tenant_id = h.tenant_id AND p.id = h.post_id
        WHERE h.tenant_id = $1 AND p.client_uid = 'ext-201'`,
    );
    expect(history).toEqual([{ at, author: world.people.author }]);
  });

  it('reports a faulty post alone and finds those that are there', async () => {
    const outcomes = await make([
      { title: 'good', description: 'a', descriptionFormat: 2, clientUid: 'b-1' },
      { title: 'bad', description: 'a', descriptionFormat: 2, customData: { [world.fields['INT']!]: 'x' } },
      { title: 'twice', description: 'a', descriptionFormat: 2, clientUid: 'b-1' },
    ]);
    expect(outcomes[0]).toMatchObject({ created: true });
    expect(outcomes[1]!.errors).toMatchObject([{ customFieldId: world.fields['INT'] }]);
    expect(outcomes[2]!.errors).toMatchObject([{ code: 'DUPLICATE_CLIENT_UID' }]);
    const again = await make([{ title: 'good', description: 'a', descriptionFormat: 2, clientUid: 'b-1' }]);
    expect(again[0]).toEqual({ postId: outcomes[0]!.postId, version: 1, created: false });
  });

  it('edits as an import, at its own time', async () => {
    const { postId } = await createPost(world, world.people.author);
    const scope = await world.tenant.scope(world.people.manager, { now: () => T2001 });
    await writeTransaction(scope, 'none', async (write) => {
      const open = await openPost(write, postId, { need: 'canModify' });
      const body = {
        title: 'Changed',
        description: 'x',
        descriptionFormat: TextFormat.PLAIN_TEXT,
        customData: { [world.fields['READONLY']!]: 'now' },
      };
      return applyEdit(write, open, { kind: 'custom', body }, { trusted: true });
    });
    const [row] = await rows<{ token_at: number; active_at: number; title: string }>(
      world,
      'SELECT title, token_at, active_at FROM posts WHERE tenant_id = $1 AND id = $2',
      [postId],
    );
    expect(row).toMatchObject({ title: 'Changed', token_at: T2001 });
    expect(row!.active_at).toBeGreaterThan(T2001);
  });
});

describe('publishScheduledPost', () => {
  const planned = (author = world.people.author) =>
    createPost(world, author, { scheduledPublication: { datetime: '2099-01-01T00:00:00', timezone: 'UTC' } });
  const later = { now: () => Date.UTC(2099, 0, 2) };

  it('publishes once, however many try, and only when it is time', async () => {
    const { postId } = await planned();
    expect(await publishScheduledPost(await world.tenant.scope(world.people.author), postId)).toBe('skipped');
    const scope = await world.tenant.scope(world.people.author, later);
    const results = await Promise.all(Array.from({ length: 20 }, () => publishScheduledPost(scope, postId)));
    expect(results.filter((result) => result === 'published')).toHaveLength(1);
    expect(results.filter((result) => result === 'skipped')).toHaveLength(19);
    const seen = await world.tenant.request(world.people.reader, 'GET', `${API}/data/post-detail-by-id/${postId}`);
    expect(seen.body).toMatchObject({ currentWorkflowState: { name: 'Open' } });
    const [row] = await rows(
      world,
      'SELECT draft, scheduled_result AS result, version FROM posts WHERE tenant_id = $1 AND id = $2',
      [postId],
    );
    expect(row).toEqual({ draft: false, result: 1, version: 2 });
    const kinds = await rows(world, 'SELECT kind FROM changes WHERE tenant_id = $1 AND post_id = $2 ORDER BY id', [
      postId,
    ]);
    expect(kinds).toEqual([{ kind: 1 }, { kind: 1 }]);
  });

  it('fails, once, when the author may no longer write', async () => {
    const { postId } = await planned();
    await rows(
      world,
      'UPDATE community_roles SET role_id = 3 WHERE tenant_id = $1 AND community_id = $2 AND principal = $3',
      [world.communityId, world.people.author],
    );
    await rows(world, 'UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1');
    const scope = await world.tenant.scope(world.people.author, later);
    const gone = await planned(world.people.contributor);
    expect(await failScheduledPost(await world.tenant.scope(world.people.manager), gone.postId)).toBe(false);
    expect(await failScheduledPost(await world.tenant.scope(world.people.manager, later), gone.postId)).toBe(true);
    expect(await failScheduledPost(await world.tenant.scope(world.people.manager, later), gone.postId)).toBe(false);
    expect(await publishScheduledPost(scope, postId)).toBe('failed');
    expect(await publishScheduledPost(scope, postId)).toBe('skipped');
    const [row] = await rows(
      world,
      'SELECT draft, scheduled_result AS result FROM posts WHERE tenant_id = $1 AND id = $2',
      [postId],
    );
    expect(row).toEqual({ draft: true, result: 2 });
  });
});

describe('changes', () => {
  it('name the transaction that wrote them', async () => {
    const fresh = await createFieldWorld(portal);
    const { postId } = await createPost(fresh, fresh.people.author);
    const changes = await rows<{ xid: string; xmin: string }>(
      fresh,
      'SELECT xid::text, xmin::text FROM changes WHERE tenant_id = $1 AND post_id = $2',
      [postId],
    );
    expect(changes).toHaveLength(1);
    for (const { xid, xmin } of changes) expect(BigInt(xid) % 2n ** 32n).toBe(BigInt(xmin));
  });
});
