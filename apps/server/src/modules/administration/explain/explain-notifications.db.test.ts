/** Explanations of notifications, by operation explainNotifications. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { sendNotificationMails } from '../../../jobs/send-notification-mails.ts';
import { deliverNotifications } from '../../notifications/index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
});
beforeEach(async () => {
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

const path = (postId: number, userId?: number) =>
  `posts/data/explain-notifications/${postId}${userId === undefined ? '' : `?userId=${userId}`}`;
/** Answers by event, the newest first. */
const explain = async (asker: number, postId: number, userId?: number) => {
  const { items } = await world.ok(asker, 'GET', path(postId, userId));
  return items.map(
    ({ typeDescription, reason, mail }: { typeDescription: string; reason?: string; mail?: Record<string, string> }) =>
      `${typeDescription}: ${reason ?? `${mail!['outcome']} ${mail!['reason']}`}`,
  ) as string[];
};
const work = async () => {
  await deliverNotifications(world.db, Date.now());
  await sendNotificationMails(portal.services, world.tenant.tenant);
};
const comment = (userId: number, postId: number) =>
  world.ok(userId, 'POST', `posts/manage/create-comment/${postId}`, { comment: 'SECRET', commentFormat: 2 });

describe('an explanation of notifications', () => {
  test('says why each event did or did not notify the person, now or by the present settings', async () => {
    const { people, communityId } = world;
    const postId = await world.post(people.author, {
      description: JSON.stringify([{ insert: { mention: { id: people.reader, value: 'Rita' } } }, { insert: '\n' }]),
      descriptionFormat: 1,
    });
    await comment(people.contributor, postId);
    expect(await explain(people.author, postId)).toContain('Comment added: pending');
    await work();
    expect(await explain(people.author, postId)).toContain('Comment added: held noServer');
    expect(await explain(people.author, postId)).toContain('Post created: ownAction');
    expect(await explain(people.reader, postId)).toContain('Mentioned in the post: held noServer');
    expect(await explain(people.reader, postId)).toContain('Comment added: notConcerned');
    await world.ok(people.author, 'PUT', `communities/manage/following/${communityId}`, { following: 2 });
    await comment(people.contributor, postId);
    await work();
    expect((await explain(people.author, postId))[0]).toBe('Comment added: muted');
    await world.ok(people.author, 'PUT', `communities/manage/following/${communityId}`, { following: 1 });
    expect((await explain(people.author, postId))[0]).toBe('Comment added: notKept');
    await world.ok(people.author, 'POST', 'notifications/manage/preferences', {
      preferences: [{ kind: 4, enabled: false }],
    });
    expect((await explain(people.author, postId))[0]).toBe('Comment added: kindOff');
  });

  test('is about others for holders of manageUsers alone, and has no text', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { title: 'SECRET', visibility: 1 });
    await comment(people.author, postId);
    await work();
    const own = await world.send(people.reader, 'GET', path(postId));
    expect(own.status).toBe(404);
    for (const asker of [people.reader, people.manager, people.author])
      expect((await world.send(asker, 'GET', path(postId, people.contributor))).status).toBe(403);
    // The administrator has no role in the community.
    const answer = await world.send(people.admin, 'GET', path(postId, people.reader));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ userId: people.reader, mailHeld: 'noServer' });
    expect(answer.body.items[0]).toMatchObject({ notified: false, reason: 'notVisible' });
    expect(answer.text).not.toContain('SECRET');
    expect((await world.send(people.admin, 'GET', path(4_711_000, people.reader))).status).toBe(404);
    expect((await world.send(people.admin, 'GET', path(postId, 4_711_000))).status).toBe(400);
  });
});
