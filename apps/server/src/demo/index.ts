/**
 * The demo: a tenant full of plausible content, so that a first start shows what the portal is.
 * Seeded: every first start makes the same ids, texts and kinds; only times follow the clock.
 * Everything goes through the write verbs, as the people of `content/` and at its times, except
 * data that no verb writes (`backfill-metadata.ts`, `retireStates`, answers to questionnaires).
 */

import type { Tenant } from '../kernel/scope.ts';
import {
  createServiceAccountKey,
  giveOneTimePassword,
  type OneTimePassword,
  type ServiceAccountKeyFile,
} from '../modules/people/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import type { FileStorage } from '../platform/files/index.ts';
import { backfillMetadata, countViews, noteWorkspaces } from './backfill-metadata.ts';
import { cast, communities } from './content.ts';
import { DemoContext, type MadeCommunity } from './demo-context.ts';
import { makeCatalogs, makeCommunities, makeWorkspaces } from './make-communities.ts';
import { makePeople, removePeople } from './make-people.ts';
import { type MadePost, makePosts, publishPlanned } from './make-posts.ts';
import { storePictures } from './pictures.ts';
import { simulateActivity } from './simulate-activity.ts';
import { fileAway, giveTasks } from './tasks-and-files.ts';

/** Posts whose surroundings are written in one transaction. */
const AROUND_BATCH = 6;
/**
 * Fills a new tenant.
 * @param systemUserId the tenant's system account
 * @returns the key file of the demo's service account, an administrator who manages every community; how its administrator, the
 *   head of a department and a member sign in, once
 */
export async function createDemo(
  services: TenantServices,
  tenant: Tenant,
  systemUserId: number,
): Promise<{ key: ServiceAccountKeyFile; passwords: OneTimePassword[] }> {
  const context = new DemoContext(services, tenant, systemUserId);
  const { storage } = services;
  await makePeople(context);
  // Making a pair of keys takes a while and waits for nothing.
  const [key] = await Promise.all([
    createServiceAccountKey(services.databases.for(tenant.id), context.serviceAccount, context.now),
    tell(context, storage),
  ]);
  const scope = await context.system(context.now);
  const passwords: OneTimePassword[] = [];
  for (const index of [cast.administrator, ...cast.withPassword])
    passwords.push(await giveOneTimePassword(scope, context.people[index] as number));
  return { key, passwords };
}

/** Everything but the people. */
async function tell(context: DemoContext, storage: FileStorage): Promise<void> {
  await makeCatalogs(context);
  const pictures = await storePictures(context, storage);
  await makeWorkspaces(context, pictures);
  await makeCommunities(context, pictures);
  await backfillMetadata(context, pictures);

  // Purchases name projects, and projects name one another.
  const first = context.communities.get('projects') as MadeCommunity;
  const rest = communities.flatMap(({ key }) =>
    key === 'projects' ? [] : [context.communities.get(key) as MadeCommunity],
  );
  const posts = new Map<string, MadePost[]>();
  // Communities run one after the other, so that the ids are the same in every installation.
  for (const made of [first, ...rest]) await fill(context, made, posts);
  for (const made of [first, ...rest]) await surround(context, made, posts.get(made.spec.key) ?? [], storage);
  await countViews(context, posts);
  await noteWorkspaces(context, posts);
  await removePeople(await context.system(context.now - 60_000), context);
}

async function fill(context: DemoContext, made: MadeCommunity, posts: Map<string, MadePost[]>): Promise<void> {
  const own = context.fork(1_000 + made.spec.posts.custom);
  const written = await makePosts(own, made);
  posts.set(made.spec.key, written);
  context.posts.set(
    made.spec.key,
    written.filter((post) => post.visible === 'public').map((post) => post.id),
  );
}

async function surround(
  context: DemoContext,
  made: MadeCommunity,
  posts: readonly MadePost[],
  storage: FileStorage,
): Promise<void> {
  const own = context.fork(2_000 + made.spec.posts.custom);
  if (!made.spec.draft) await publishPlanned(own, made, 2);
  await fileAway(own, made, posts, storage);
  for (let start = 0; start < posts.length; start += AROUND_BATCH) {
    await own.transaction(async (tx) => {
      for (const [offset, post] of posts.slice(start, start + AROUND_BATCH).entries()) {
        await giveTasks(own, made, post, start + offset, tx);
        await simulateActivity(own, made, post, start + offset, tx);
      }
    });
  }
}
