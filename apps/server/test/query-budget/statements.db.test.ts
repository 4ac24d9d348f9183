/**
 * No read costs a query per row: each read operation is asked of tenants with 1, 20 and 200 of everything, and the number
 * of statements is the same. The numbers, sign-in and tenant included, are the checked-in table `statements.json`; a read
 * that costs more than it did fails here.
 */
import { readFileSync } from 'node:fs';
import { operationList } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTransaction } from '../../src/kernel/access/index.ts';
import { addField } from '../../src/modules/communities/define-fields.ts';
import {
  attachWorkflow,
  createCatalogEntries,
  createCommunity,
  createWorkflow,
  createWorkspace,
  ensureCatalog,
  ensureHashtags,
  getDefinition,
  setCommunityRole,
  setWorkspaceMembers,
} from '../../src/modules/communities/index.ts';
import { createGroupRecord, createIdentityProvider, createUserRecords } from '../../src/modules/people/index.ts';
import { createPosts } from '../../src/modules/posts/index.ts';
import { indexNext } from '../../src/modules/search/index.ts';
import { sendWebhookTest } from '../../src/modules/webhooks/deliveries/send-again.ts';
import { createWebhook } from '../../src/modules/webhooks/edit-webhook.ts';
import { createTestPortal, type TestPortal, type TestTenant } from '../support/index.ts';

const SIZES = [1, 20, 200] as const;
const table = JSON.parse(readFileSync(new URL('./statements.json', import.meta.url), 'utf8')) as Record<string, number>;

interface Sized {
  tenant: TestTenant;
  userId: number;
  /** Ids by name of path parameter. */
  ids: Record<string, number | string>;
  communities: number[];
  posts: number[];
  attachments: number[];
  catalogs: number[];
}

let portal: TestPortal;
const sized = new Map<number, Sized>();

beforeAll(async () => {
  portal = await createTestPortal({ checkAnswers: false });
  for (const size of SIZES) {
    const made = await build(size);
    sized.set(size, made);
    const scope = await made.tenant.scope(made.tenant.systemUserId);
    while (await indexNext(scope));
  }
});
afterAll(() => portal.close());

async function build(size: number): Promise<Sized> {
  const tenant = await portal.createTenant();
  const system = () => tenant.scope(tenant.systemUserId);
  const userId = await tenant.createUser({ admin: true });
  const people = await writeTransaction(await system(), 'access', (write) =>
    createUserRecords(
      write,
      Array.from({ length: size }, (_, n) => ({
        firstName: `First ${n}`,
        lastName: `Last ${n}`,
        contactEmail: `p${n}@${tenant.host}`,
      })),
    ),
  );
  const programs = await writeTransaction(await system(), 'access', (write) =>
    createUserRecords(
      write,
      Array.from({ length: size }, (_, n) => ({ lastName: `Program ${n}`, serviceAccount: true })),
    ),
  );
  const providers = await Promise.all(
    Array.from({ length: size }, async (_, n) => {
      const { identityProviderId } = await createIdentityProvider(
        await system(),
        { key: `provider-${n}`, name: `Provider ${n}`, issuer: 'https://id.acme.example', clientId: 'portico' },
        [],
      );
      return identityProviderId!;
    }),
  );
  const webhooks: number[] = [];
  const messages: number[] = [];
  for (let n = 0; n < Math.min(size, 40); n++) {
    const settings = { name: `Webhook ${n}`, serviceAccountId: programs[0]!, address: 'https://hooks.acme.example/' };
    webhooks.push((await createWebhook(await system(), settings, [])).webhookId!);
    messages.push((await sendWebhookTest(await system(), webhooks[0]!)).deliveryId!);
  }
  const groupId = await writeTransaction(await system(), 'access', async (write) => {
    for (let n = 1; n < size; n++) await createGroupRecord(write, { name: `Group ${n}`, memberIds: [] });
    return createGroupRecord(write, { name: 'Group', memberIds: people });
  });
  const workspaceId = await createWorkspace(await system(), { name: 'Workspace' });
  await setWorkspaceMembers(
    await system(),
    workspaceId,
    people.map((principal) => ({ principal, roleId: null })),
  );
  const catalogs: number[] = [];
  for (let n = 0; n < Math.min(size, 40); n++)
    catalogs.push(await ensureCatalog(await system(), { name: { en: `Catalog ${n}` } }));
  const entryIds = await createCatalogEntries(
    await system(),
    catalogs[0]!,
    Array.from({ length: size }, (_, n) => ({ label: { en: `Entry ${n}` } })),
  );
  const workflow = await createWorkflow(await system(), {
    title: 'Flow',
    states: [
      { name: 'Open', initial: true },
      { name: 'Done', terminal: true },
    ],
    transitions: [{ name: 'Finish', from: 'Open', to: 'Done' }],
    screenFields: [{ label: 'Note', type: 6 }],
  });
  const communities: number[] = [];
  for (let n = 0; n < Math.min(size, 40); n++)
    communities.push(
      await createCommunity(await system(), { workspaceId, name: `Community ${n}`, descriptionEnabled: 1 }),
    );
  const communityId = communities[0]!;
  await attachWorkflow(await system(), communityId, workflow.id);
  for (const id of communities) await setCommunityRole(await system(), id, [userId], 1);
  await ensureHashtags(
    await system(),
    communityId,
    Array.from({ length: size }, (_, n) => `tag${n}`),
  );
  const entity = await addField(
    await system(),
    { communityId },
    { type: 15, label: 'People', metadata: { generic_entity_list_config_id: 'core.user' } },
  );
  const fromCatalog = await addField(
    await system(),
    { communityId },
    { type: 8, label: 'Entries', catalogId: catalogs[0]! },
  );
  const linked = await addField(
    await system(),
    { communityId },
    { type: 15, label: 'Posts', metadata: { generic_entity_list_config_id: 'communication.post' } },
  );
  const definition = (await getDefinition(await system(), communityId))!;
  const [target] = await writeTransaction(await tenant.scope(userId), 'none', (write) =>
    createPosts(write, definition, [{ type: 1, title: 'Target', visibility: 2 }], { trusted: true }),
  );
  const posts: number[] = [];
  for (let start = 0; start < size; start += 50) {
    const made = await writeTransaction(await tenant.scope(userId), 'none', (write) =>
      createPosts(
        write,
        definition,
        Array.from({ length: Math.min(50, size - start) }, (_, n) => ({
          type: 1,
          title: `Post ${start + n}`,
          visibility: 2,
          creatorId: people[(start + n) % people.length]!,
          watcherUserIds: [people[(start + n) % people.length]!],
          description: JSON.stringify([
            { insert: `Text #tag${start + n} ` },
            { insert: { mention: { id: people[(start + n) % people.length]!, value: 'somebody' } } },
            { insert: '\n' },
          ]),
          customData: {
            [entity.id]: [people[(start + n) % people.length]!],
            [fromCatalog.id]: [entryIds[(start + n) % entryIds.length]!],
            [linked.id]: [target!.postId!],
          },
          attachments: [
            {
              type: 2,
              name: `file ${n}.pdf`,
              drive: {
                driveId: `d${start + n}`,
                mimeType: 'application/pdf',
                size: 10,
                webViewLink: 'https://drive.example/x',
              },
            },
          ],
        })),
        { trusted: true },
      ),
    );
    for (const outcome of made) {
      if (outcome.errors) throw new Error(JSON.stringify(outcome.errors));
      posts.push(outcome.postId);
    }
  }
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await tenant.request(userId, method, `/portal/api/communication${path}`, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const postId = posts[0]!;
  let commentId = 0;
  for (let n = 0; n < size; n++) {
    const body = { comment: `Comment ${n}`, commentFormat: 2 };
    commentId = (await ask('POST', `/posts/manage/create-comment/${postId}`, body)).comment.id;
  }
  await ask('PUT', `/posts/manage/like/${postId}`, {});
  await ask('PUT', `/comments/manage/like/${commentId}`, {});
  for (let n = 1; n < Math.min(size, 40); n++)
    await ask('PUT', `/comments/manage/comment/${commentId}`, { comment: `${n}`, commentFormat: 2, occToken: n });
  let viewId = 0;
  for (let n = 0; n < Math.min(size, 40); n++) {
    const { id } = await ask('POST', `/views/manage/create-view/${communityId}`, { name: `View ${n}` });
    viewId = id;
    await ask('PUT', `/views/manage/favourite/${viewId}`, {});
  }
  for (let n = 0; n < Math.min(size, 40); n++)
    await ask('POST', `/posts/manage/create-template/${communityId}`, { name: `Template ${n}` });
  const db = portal.services.databases.for(tenant.tenant.id);
  const imports = await takeIds(db, 'imports', people.length);
  await db.execute(
    `INSERT INTO imports (tenant_id, id, community_id, creator_id, created_at, content_ref, file_name, mapping, trial, with_history,
        with_people, state, finished_at)
     SELECT a.tenant_id, p.import_id, $2, p.id, now(), 'x', 'x.csv', 'externalId: id', false, false, false, 'done', now()
       FROM tenant_versions a, unnest($3::bigint[], $4::bigint[]) AS p (id, import_id) WHERE a.tenant_id = $1`,
    [tenant.tenant.id, communityId, people, imports],
  );
  await db.execute(
    `INSERT INTO import_refusals (tenant_id, import_id, position, file, line, reason, lost)
     SELECT a.tenant_id, $2, n, 'rows', n, 'x', 'row'
       FROM tenant_versions a, generate_series(1, $3::integer) AS n WHERE a.tenant_id = $1`,
    [tenant.tenant.id, imports[0], size],
  );
  for (const id of communities) await ask('PUT', `/communities/manage/favourite/${id}`, {});
  const drives = Array.from({ length: size }, (_, n) => ({
    type: 2,
    name: `more ${n}.pdf`,
    drive: { driveId: `m${n}`, mimeType: 'application/pdf', size: 10, webViewLink: 'https://drive.example/y' },
  }));
  const { addedAttachments } = await ask('PUT', `/posts/manage/edit-post-attachments/${postId}`, {
    addAttachments: drives,
  });
  const { taskId } = await ask('POST', `/tasks/manage/create-task/${postId}`, {
    title: 'Task',
    expiration: { datetime: '2027-01-01T00:00:00', timezone: 'UTC' },
    assigneeUserId: userId,
    watcherUserIds: people,
    subTasks: Array.from({ length: size }, (_, n) => ({ description: `Step ${n}`, state: 1 })),
  });
  const { postId: eventId } = await ask('POST', `/posts/manage/create-event-post/${communityId}`, {
    announcement: false,
    title: 'Event',
    clientUid: `event-${size}`,
    event: {
      startAt: { localDatetime: '2026-12-01T10:00:00' },
      timezone: 'UTC',
      invitations: { users: people.map((id) => ({ id, typeId: 0 })), groups: [] },
    },
  });
  return {
    tenant,
    userId,
    ids: {
      postId,
      communityId,
      fieldId: entity.id,
      screenFieldId: [...workflow.fields.values()][0]!.id,
      groupId,
      userId: people[0]!,
      serviceAccountId: programs[0]!,
      identityProviderId: providers[0]!,
      webhookId: webhooks[0]!,
      deliveryId: messages[0]!,
      workspaceId,
      catalogId: catalogs[0]!,
      entryId: entryIds[0]!,
      taskId,
      commentId,
      viewId,
      importId: imports[0]!,
      version: definition.community.etag,
      attachmentId: addedAttachments[0].id,
      clientUid: `event-${size}`,
      eventId,
    },
    communities,
    posts,
    attachments: addedAttachments.map((item: { id: number }) => item.id),
    catalogs,
  };
}

const POST_FLAGS =
  'loadMainAttachment=true&loadMainAttachmentViewLink=true&loadMainAttachmentDownloadLink=true&loadMainAttachmentPreviewImageLink=true';

/** Input of each read: everything it can show. */
function input(id: string, at: Sized): { query: string; body: unknown } {
  const page = { pageSize: 500, calculateTotalItemsCount: true };
  switch (id) {
    case 'listCommunities':
    case 'listPostDefinitions':
      return { query: '', body: { communityIds: at.communities } };
    case 'previewCommunity':
    case 'planCommunity': {
      const named = { key: 'new', name: 'New' };
      return { query: '', body: { file: { version: 1, workspace: named, community: named } } };
    }
    case 'checkPostVisibility':
    case 'checkPostVisibilityWithComments':
      return { query: '', body: { ids: at.posts } };
    case 'summarisePosts':
      return { query: '', body: { groupBy: ['creatorUser', 'hashtags'] } };
    case 'checkAttachmentVisibility':
      return { query: '', body: { ids: at.attachments } };
    case 'getPostDefinitionCatalogs':
      return { query: '?loadEntries=true', body: { catalogIds: at.catalogs } };
    case 'getCommunitiesByViewPostCapabilityLevel':
      return { query: '?viewPostCapabilityLevel=ALL', body: undefined };
    case 'listCommunityPosts':
    case 'listCommunityPostsFiltered':
    case 'runSavedView':
      return { query: `?${POST_FLAGS}&loadCapabilities=true`, body: page };
    case 'searchEverything':
      return { query: '', body: { text: '"post"', kinds: ['post', 'person', 'community'] } };
    case 'getPostVersion':
      return { query: '', body: { versionNumber: 0 } };
    case 'comparePostVersions':
      return { query: '', body: { fromVersion: 0 } };
    case 'globalPostsStream':
    case 'getPostDetailById':
    case 'getPostDetailByClientUid':
      return { query: `?${POST_FLAGS}`, body: undefined };
    case 'listPostAttachmentsByPostId':
      return { query: '?loadPreviewImageLink=true', body: { ...page, types: [1, 2], entityTypes: [1, 2, 3, 4, 5] } };
    default:
      return { query: '', body: page };
  }
}

/** Reads that this test cannot ask in the same way at every size, each with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  confirmSession: 'needs the session of a browser; people/users/required-second-factor.db.test.ts asks it',
  readDeviceSignIn: 'needs the session of a browser; people/auth/device-sign-ins.db.test.ts asks it',
  confirmDeviceSignIn: 'needs the session of a browser; people/auth/device-sign-ins.db.test.ts asks it',
  refuseDeviceSignIn: 'needs the session of a browser; people/auth/device-sign-ins.db.test.ts asks it',
  testIdentityProvider: 'needs a provider that answers; test/security/provider-trial.db.test.ts asks it',
  finishIdentityProviderTest: 'needs an answer of a provider; test/security/provider-trial.db.test.ts asks it',
  getCommunityDraft: 'needs a draft; definitions/drafts/community-drafts.db.test.ts asks it',
  planCommunityArchive: 'needs a stored archive; imports/archives/import-archive.db.test.ts asks it',
  suggestImportMapping: 'needs a stored file; imports/suggestion/suggest-mapping.db.test.ts asks it',
  startPasskey: 'needs a password; people/users/passkeys.db.test.ts asks it',
  getPostWorkflowScreenDataForEdit: 'needs a state with a screen; posts/workflow/workflow.db.test.ts asks it',
};

/**
 * Statements now and then (registry, settings, keys) or after the response (views) belong to no
 * request.
 */
function beside(statement: string): boolean {
  return /FROM tenants t|FROM tenant_settings|signing_keys|INTO post_user_state|UPDATE post_user_state|INTO post_view_counts|FROM posts .* FOR KEY SHARE/.test(
    statement,
  );
}

describe('statements of reads', () => {
  const reads = operationList.filter(
    (operation) => operation.kind === 'read' && operation.permission !== 'public' && !(operation.id in ELSEWHERE),
  );
  it.each(reads.map((operation) => operation.id))('%s', async (id) => {
    const operation = reads.find((candidate) => candidate.id === id)!;
    const counts: number[] = [];
    const texts: string[][] = [];
    for (const size of SIZES) {
      const at = sized.get(size)!;
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        String(id.includes('Event') && name === 'postId' ? at.ids['eventId'] : at.ids[name]),
      );
      const { query, body } = input(id, at);
      const ask = () =>
        at.tenant.request(
          at.userId,
          operation.method,
          `/portal/api${path}${query}`,
          operation.method === 'GET' ? undefined : body,
        );
      const first = await ask(); // fills caches: definitions, actor
      expect(first.status, first.text).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 5));
      portal.takeStatements();
      expect((await ask()).status).toBe(200);
      const sent = portal.takeStatements().filter((statement) => !beside(statement));
      counts.push(sent.length);
      texts.push(sent);
    }
    if (process.env['PORTICO_SHOW_STATEMENTS']) process.stdout.write(`${JSON.stringify({ id, counts })}\n`);
    for (const other of texts) expect(other, `${id}: the statements with 1, 20 and 200`).toEqual(texts[0]);
    expect(counts[0], `${id} costs ${counts[0]} statements; test/query-budget/statements.json says ${table[id]}`).toBe(
      table[id],
    );
  });

  it('the table names every read and no other', () => {
    expect(Object.keys(table).sort(), 'test/query-budget/statements.json').toEqual(
      reads.map((operation) => operation.id).sort(),
    );
  });
});
