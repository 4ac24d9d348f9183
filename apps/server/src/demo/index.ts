/**
 * The demo: a tenant full of plausible content, so that a first start shows what the portal is. Seeded: every first start
 * makes the same ids, texts and kinds; only times follow the clock. Everything goes through the write verbs, as the people of the story and at its times; written directly
 * is only what no verb writes (stamps.ts, `retireStates`, answers to questionnaires).
 */

import type { Tenant } from '../kernel/scope.ts';
import { createServiceAccountKey, type ServiceAccountKeyFile } from '../modules/auth/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import type { FileStorage } from '../platform/files/index.ts';
import { liveThrough } from './around.ts';
import { makePeople, partPeople } from './cast.ts';
import { fileAway, giveTasks } from './errands.ts';
import { storePictures } from './pictures.ts';
import { communities, makeCatalogs, makeCommunities, makeWorkspaces } from './places.ts';
import { type MadePost, makePosts, publishPlanned } from './posts.ts';
import { type MadeCommunity, Stage } from './stage.ts';
import { countViews, finishStamps, noteWorkspaces } from './stamps.ts';

export { DEMO_ADMIN_EMAIL } from './content-people.ts';

/** Posts whose surroundings are written in one transaction. */
const AROUND_BATCH = 6;
/**
 * Fills a new tenant.
 * @param systemUserId the tenant's system account
 * @returns the key file of the demo's service account, an administrator who manages every community
 */
export async function createDemo(
  services: TenantServices,
  tenant: Tenant,
  systemUserId: number,
): Promise<ServiceAccountKeyFile> {
  const stage = new Stage(services, tenant, systemUserId);
  const { storage } = services;
  await makePeople(stage);
  // Making a pair of keys takes a while and waits for nothing.
  const [keyFile] = await Promise.all([
    createServiceAccountKey(services.databases.for(tenant.id), stage.serviceAccount, stage.now),
    tell(stage, storage),
  ]);
  return keyFile;
}

/** Everything but the people. */
async function tell(stage: Stage, storage: FileStorage): Promise<void> {
  await makeCatalogs(stage);
  const pictures = await storePictures(stage, storage);
  await makeWorkspaces(stage, pictures);
  await makeCommunities(stage, pictures);
  await finishStamps(stage, pictures);

  // Purchases name projects, and projects name one another.
  const first = stage.communities.get('projects') as MadeCommunity;
  const rest = communities.flatMap(({ key }) =>
    key === 'projects' ? [] : [stage.communities.get(key) as MadeCommunity],
  );
  const posts = new Map<string, MadePost[]>();
  // One after the other: the ids are then the same in every installation.
  for (const made of [first, ...rest]) await fill(stage, made, posts);
  for (const made of [first, ...rest]) await surround(stage, made, posts.get(made.spec.key) ?? [], storage);
  await countViews(stage, posts);
  await noteWorkspaces(stage, posts);
  await partPeople(await stage.system(stage.now - 60_000), stage);
}

async function fill(stage: Stage, made: MadeCommunity, posts: Map<string, MadePost[]>): Promise<void> {
  const own = stage.fork(1_000 + made.spec.posts.custom);
  const written = await makePosts(own, made);
  posts.set(made.spec.key, written);
  stage.posts.set(
    made.spec.key,
    written.filter((post) => post.visible === 'public').map((post) => post.id),
  );
}

async function surround(
  stage: Stage,
  made: MadeCommunity,
  posts: readonly MadePost[],
  storage: FileStorage,
): Promise<void> {
  const own = stage.fork(2_000 + made.spec.posts.custom);
  if (!made.spec.draft) await publishPlanned(own, made, 2);
  await fileAway(own, made, posts, storage);
  for (let start = 0; start < posts.length; start += AROUND_BATCH) {
    await own.transaction(async (tx) => {
      for (const [offset, post] of posts.slice(start, start + AROUND_BATCH).entries()) {
        await giveTasks(own, made, post, start + offset, tx);
        await liveThrough(own, made, post, start + offset, tx);
      }
    });
  }
}
