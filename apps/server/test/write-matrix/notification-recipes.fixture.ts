/** Recipes of notifications. */
import { createECDH, randomBytes } from 'node:crypto';
import { Following, NotificationKind, type OperationId, WaitingKind } from '@portico/contract';
import { deliverNotifications } from '../../src/modules/notifications/index.ts';
import type { TestWorld } from '../support/test-world.ts';
import type { Recipe } from './recipe-types.fixture.ts';

/** Mentions a person in a new post. @returns the id of their newest notification */
async function notified(world: TestWorld, userId: number): Promise<number> {
  await world.post(world.people.contributor, {
    description: JSON.stringify([{ insert: { mention: { id: userId, value: 'Somebody' } } }, { insert: '\n' }]),
    descriptionFormat: 1,
  });
  await deliverNotifications(world.db, Date.now());
  const { items } = await world.ok(userId, 'POST', 'notifications/data/notifications', { pageSize: 1 });
  return items[0].id;
}

let browsers = 0;
/** A subscription of a browser; ten addresses in turn. */
const newBrowser = () => ({
  endpoint: `https://push.example.com/send/${browsers++ % 10}`,
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
});

/** Recipes by operation id. */
export const notificationRecipes: Partial<Record<OperationId, Recipe>> = {
  markNotifications: {
    by: 'author',
    open: 'anyone',
    prepare: async (world) => ({
      params: {},
      body: { ids: [await notified(world, world.people.author)], read: true },
    }),
    refused: [
      { change: { ids: undefined }, faults: ['ids REQUIRED_FIELD'] },
      { change: { read: undefined }, faults: ['read REQUIRED_FIELD'] },
      { change: { read: false, done: true }, faults: ['read INVALID_VALUE'] },
    ],
  },
  editPostFollowing: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => ({
      params: { postId: await world.post(world.people.author) },
      body: { following: Following.MUTED },
    }),
    other: { following: Following.NONE },
    refused: [
      { change: { following: undefined }, faults: ['following REQUIRED_FIELD'] },
      { change: { following: 7 }, faults: ['following INVALID_VALUE'] },
    ],
  },
  editCommunityFollowing: {
    by: 'author',
    open: 'seen',
    prepare: async (world) => {
      const { communityId, people } = world;
      const path = `communities/data/following/${communityId}`;
      const { following } = await world.ok(people.author, 'GET', path);
      // Another than is set.
      return {
        params: { communityId },
        body: { following: following === Following.MUTED ? Following.FOLLOWED : Following.MUTED },
      };
    },
    other: { following: Following.NONE },
    refused: [{ change: { following: undefined }, faults: ['following REQUIRED_FIELD'] }],
  },
  markWaiting: {
    by: 'author',
    open: 'anyone',
    prepare: async (world) => {
      const { people } = world;
      const { taskId } = await world.ok(
        people.author,
        'POST',
        `tasks/manage/create-task/${await world.post(people.author)}`,
        {
          title: 'To do',
          assigneeUserId: people.author,
          expiration: { datetime: '2031-12-31T18:00:00', timezone: 'UTC' },
        },
      );
      return { params: {}, body: { items: [{ kind: WaitingKind.TASK, id: taskId }] } };
    },
    refused: [
      { change: { items: undefined }, faults: ['items REQUIRED_FIELD'] },
      { change: { items: [{}] }, faults: ['items[0].kind REQUIRED_FIELD', 'items[0].id REQUIRED_FIELD'] },
    ],
  },
  createPushSubscription: {
    by: 'author',
    open: 'anyone',
    prepare: async () => ({ params: {}, body: newBrowser() }),
    refused: [
      {
        change: { endpoint: 'http://push.example.com/1', p256dh: 'AAAA', auth: '?' },
        faults: ['endpoint INVALID_VALUE', 'p256dh INVALID_VALUE', 'auth INVALID_VALUE'],
      },
      { change: { endpoint: 'https://10.0.0.1/1' }, faults: ['endpoint INVALID_VALUE'] },
    ],
  },
  deletePushSubscription: {
    by: 'author',
    open: 'own',
    prepare: async (world) => {
      const path = 'notifications/manage/push-subscriptions';
      const { subscriptionId } = await world.ok(world.people.author, 'POST', path, newBrowser());
      return { params: { subscriptionId } };
    },
  },
  editNotificationPreferences: {
    by: 'author',
    open: 'anyone',
    prepare: async (world) => {
      const { preferences } = await world.ok(world.people.author, 'GET', 'notifications/data/preferences');
      // The opposite of the stored setting.
      return {
        params: {},
        body: { preferences: [{ kind: NotificationKind.STEP, enabled: !preferences[0]?.enabled, mail: 'bundled' }] },
      };
    },
    refused: [
      { change: { preferences: undefined }, faults: ['preferences REQUIRED_FIELD'] },
      {
        change: { preferences: [{}] },
        faults: ['preferences[0].kind REQUIRED_FIELD', 'preferences[0].enabled REQUIRED_FIELD'],
      },
      {
        change: { preferences: [{ kind: NotificationKind.STEP, enabled: true, communityId: 4_711_000 }] },
        faults: ['preferences[0].communityId UNKNOWN_REFERENCE'],
      },
    ],
  },
};
