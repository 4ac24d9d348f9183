/**
 * Writes rows that no verb of version 2 writes, directly as stored: last accesses, accepted terms,
 * pictures in use, profiles of service accounts; views, by the batch writer of reads; and the
 * history of workspaces (docs/decisions/writes.md).
 */
import { HistoryType } from '@portico/contract';
import { writeTransaction } from '../kernel/access/index.ts';
import { claimUploads } from '../modules/files/index.ts';
import { backfillAccess, updateUserRecord } from '../modules/people/index.ts';
import { type View, writeViews } from '../modules/posts/index.ts';
import { recordHistory } from '../modules/records/index.ts';
import { cast } from './content.ts';
import { DAY, type DemoContext, HOUR, SEED_DATE } from './demo-context.ts';
import type { MadePost } from './make-posts.ts';

/** Most views that one statement writes. */
const VIEW_BATCH = 500;

/** Stamps on people, and pictures taken into use. */
export async function backfillMetadata(context: DemoContext, pictures: ReadonlyMap<string, string>): Promise<void> {
  await writeTransaction(await context.system(SEED_DATE), 'both', async (write) => {
    await backfillAccess(
      write.tx,
      [...context.people, context.serviceAccount].map((id, index) => ({
        id,
        lastAccessAt: new Date(context.now - (index % 40) * 11 * HOUR - HOUR),
        termsAcceptedAt: new Date(SEED_DATE + (index % 20) * DAY),
      })),
    );
    await claimUploads(
      write,
      [...pictures.values()].map((contentRef) => ({ contentRef, field: 'contentRef' })),
    );
    for (const index of cast.photographed) {
      await updateUserRecord(write, context.people[index] as number, {
        photoContentRef: pictures.get(`photo:${index}`) as string,
      });
    }
    await dressAccount(context, write, pictures.get('photo:account') as string);
  });
}

/** The service account has a profile like everyone, so that its own reads show every part of one but ways of signing in. */
async function dressAccount(
  context: DemoContext,
  write: Parameters<typeof updateUserRecord>[0],
  photoContentRef: string,
): Promise<void> {
  const [units] = await write.tx.query<{ areaId: number; unitId: number }>(
    `SELECT (SELECT max(id) FROM areas WHERE tenant_id = $1) AS "areaId",
            (SELECT max(id) FROM business_units WHERE tenant_id = $1) AS "unitId"`,
    [write.tx.tenantId],
  );
  await updateUserRecord(write, context.serviceAccount, {
    firstName: 'Demo',
    lastName: 'integration',
    caption: 'Service account',
    contactEmail: 'integration@alveria.example',
    privateEmail: 'operators@mail.example',
    externalId: 'SVC-1',
    language: 'en',
    timezone: 'Europe/Rome',
    areaId: units?.areaId ?? null,
    businessUnitId: units?.unitId ?? null,
    managerId: context.people[6] as number,
    roleTitle: 'Integration',
    phone: '+39 0341 550000',
    internalPhone: '900',
    mobilePhone: '+39 300 5500000',
    place: 'Lecco',
    biography: 'Reads and writes on behalf of other systems.',
    photoContentRef,
  });
}

/** Records views of posts, with their users and times. */
export async function countViews(context: DemoContext, posts: ReadonlyMap<string, readonly MadePost[]>): Promise<void> {
  const { random } = context;
  const everyone = context.members.get('everyone') ?? [];
  const views: View[] = [];
  for (const written of posts.values()) {
    for (const [index, post] of written.entries()) {
      if (post.visible !== 'public') continue;
      const readers = random.some(everyone, random.int(0, 3));
      if (index % 6 === 1) readers.push(context.serviceAccount);
      for (const userId of readers) views.push({ userId, postId: post.id, at: context.later(post.at, 20 * DAY) });
    }
  }
  const db = context.services.databases.for(context.tenant.id);
  for (let start = 0; start < views.length; start += VIEW_BATCH)
    await writeViews(db, views.slice(start, start + VIEW_BATCH));
}

/** History of workspaces (kinds 9 and 10): told on the first pinned post of a community of each. */
export async function noteWorkspaces(
  context: DemoContext,
  posts: ReadonlyMap<string, readonly MadePost[]>,
): Promise<void> {
  await writeTransaction(await context.system(SEED_DATE), 'none', async (write) => {
    const told = new Set<string>();
    for (const [key, written] of posts) {
      const made = context.communities.get(key);
      const post = written.find(({ input, visible }) => input.pinned && visible === 'public') ?? written[0];
      if (!made || !post || told.has(made.spec.workspace)) continue;
      told.add(made.spec.workspace);
      const workspaceId = context.workspaces.get(made.spec.workspace) as number;
      const about = { postId: post.id, communityId: made.id, workspaceId };
      await recordHistory(write, [
        { ...about, typeId: HistoryType.WORKSPACE_CREATED, at: SEED_DATE, authorId: context.people[0] as number },
        {
          ...about,
          typeId: HistoryType.WORKSPACE_MODIFIED,
          at: SEED_DATE + 90 * DAY,
          authorId: context.people[5] as number,
          details: { notes: 'New logo and translations' },
        },
      ]);
    }
  });
}
