/**
 * Objects that the tests of this folder attack: two tenants with people in every role and one
 * object of every kind that an id can name, above all private ones. Every text of the objects holds
 * a word by which a leak is detected.
 */

import { takeIds } from '@portico/platform/db/take-ids';
import { createCommunity, createWorkspace, setCommunityRoles } from '../../src/modules/communities/index.ts';
import { createIdentityProvider, createServiceAccountKey } from '../../src/modules/people/index.ts';
import { hashPassword } from '../../src/modules/people/users/passwords.ts';
import {
  createFieldWorld,
  createPost,
  type FieldWorld,
  makeUpload,
} from '../../src/modules/posts/writing/writing.fixture.ts';
import { sendWebhookTest } from '../../src/modules/webhooks/deliveries/send-again.ts';
import { createWebhook } from '../../src/modules/webhooks/edit-webhook.ts';
import { testSealer } from '../support/encryption.ts';
import type { TestPortal } from '../support/index.ts';

export const ROOT = '/portal/api/external/v2';

/** Password of the chief. */
export const CHIEF_PASSWORD = 'a password of the chief';

/** An object of every kind, in one community. The names are the kinds of ids. */
export interface Objects {
  postId: number;
  eventPostId: number;
  communityId: number;
  /** A community without posts, and a workspace without communities. */
  emptyCommunityId: number;
  /** Another one without posts, and fields of the post that it does not have. */
  moveTarget: { communityId: number; fieldMapping: { fromId: number }[] };
  emptyWorkspaceId: number;
  workspaceId: number;
  attachmentId: number;
  commentAttachmentId: number;
  taskId: number;
  commentId: number;
  userId: number;
  groupId: number;
  /** Units without people. */
  areaId: number;
  roleId: number;
  businessUnitId: number;
  /** A mail that failed. */
  mailId: number;
  serviceAccountId: number;
  keyId: number;
  identityProviderId: number;
  webhookId: number;
  /** A message of the webhook. */
  deliveryId: number;
  sessionId: number;
  /** A session of {@link userId}. */
  userSessionId: number;
  passkeyId: number;
  tokenId: number;
  feedId: number;
  subscriptionId: number;
  catalogId: number;
  entryId: number;
  hashtagId: number;
  stateId: number;
  workflowOperationId: number;
  fieldId: number;
  screenFieldId: number;
  enumValueId: number;
  /** A change of the definition of the community that goes on, and the present version of it. */
  changeId: number;
  version: number;
  roleAssociationId: number;
  /** A view of the community. */
  viewId: number;
  importId: number;
  templateId: number;
  contentRef: string;
  clientUid: string;
  /** Tokens of the objects that have one. */
  tokens: { post: number; event: number; task: number; community: number };
}

/** A tenant with everything in it. */
export interface Attacked {
  world: FieldWorld;
  /** Administrator, manager of both communities, author of nothing. */
  chief: number;
  /**
   * Roles in the first community (`world.communityId`); all but the manager see its private post
   * only by their part in it.
   */
  watcher: number;
  assignee: number;
  invited: number;
  blocked: number;
  /** Manager of the second community, no role in the first. */
  visitor: number;
  /** A group nobody is in. */
  emptyGroupId: number;
  /** In the first community: private, made by `world.people.author`. */
  hidden: Objects;
  /** In the first community: public. */
  open: Objects;
  /** In the second community: made by the visitor. */
  elsewhere: Objects;
  roleAssociationId: number;
  /** The word in all texts of the hidden objects. */
  word: string;
}

/** Moves all sequences to where ids are long and differ between tables, so that an id in a text is that id. */
export async function spreadIds(portal: TestPortal): Promise<void> {
  const { rows } = await portal.owner.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind = 'S' AND n.nspname = 'public' AND c.relname LIKE '%\\_id\\_seq' ORDER BY 1`,
  );
  for (const [index, { name }] of rows.entries()) {
    await portal.owner.query('SELECT setval($1, $2, false)', [name, 71_000_000 + index * 100_000]);
  }
}

/** Makes a tenant. Its people's names and all texts of its hidden objects hold `word`. */
export async function makeAttacked(portal: TestPortal, word: string): Promise<Attacked> {
  const world = await createFieldWorld(portal);
  const { tenant } = world;
  const person = (name: string, admin = false) =>
    tenant.createUser({ firstName: name, lastName: word, email: `${name}-${word}@example.org`, admin });
  const chief = await person('Chief', true);
  const watcher = await person('Watcher');
  const assignee = await person('Assignee');
  const invited = await person('Invited');
  const blocked = await person('Blocked');
  const visitor = await person('Visitor');
  const admin = () => tenant.scope(world.people.admin);
  await setCommunityRoles(await admin(), world.communityId, [
    { principal: chief, role: 1 },
    ...[watcher, assignee, invited, blocked].map((principal) => ({ principal, role: 3 as const })),
  ]);
  const db = portal.services.databases.for(tenant.tenant.id);
  const [first] = await db.query<{ workflowId: number }>(
    'SELECT workflow_id AS "workflowId" FROM communities WHERE tenant_id = $1 AND id = $2',
    [tenant.tenant.id, world.communityId],
  );
  const secondId = await createCommunity(await admin(), {
    workspaceId: world.workspaceId,
    name: `Second ${word}`,
    workspaceMemberRole: null,
    workflowId: first!.workflowId,
    descriptionEnabled: 2,
    eventsEnabled: true,
    acknowledgeTaskEnabled: true,
  });
  await setCommunityRoles(await admin(), secondId, [
    { principal: visitor, role: 1 },
    { principal: chief, role: 1 },
  ]);
  await db.execute(
    'UPDATE communities SET events_enabled = true, acknowledge_task_enabled = true WHERE tenant_id = $1 AND id = $2',
    [tenant.tenant.id, world.communityId],
  );
  await db.execute('UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1', [
    tenant.tenant.id,
  ]);
  const [group] = await db.query<{ id: number }>(
    `INSERT INTO groups (tenant_id, name, name_key) VALUES ($1, $2, $2) RETURNING id`,
    [tenant.tenant.id, `empty ${word}`],
  );
  const [association] = await db.query<{ id: number }>(
    'INSERT INTO workspace_members (tenant_id, workspace_id, principal, role_id) VALUES ($1, $2, $3, 4) RETURNING id',
    [tenant.tenant.id, world.workspaceId, -group!.id],
  );
  const attacked = {
    roleAssociationId: association!.id,
    world,
    chief,
    watcher,
    assignee,
    invited,
    blocked,
    visitor,
    emptyGroupId: group!.id,
    word,
  };
  const hidden = await makeObjects(attacked, world.communityId, world.people.author, 1);
  const open = await makeObjects(attacked, world.communityId, world.people.author, 2);
  const elsewhere = await makeObjects(attacked, secondId, visitor, 2);
  return { ...attacked, hidden, open, elsewhere };
}

type Partly = Pick<
  Attacked,
  'world' | 'chief' | 'watcher' | 'assignee' | 'invited' | 'emptyGroupId' | 'roleAssociationId' | 'word'
>;

/**
 * Makes a post with everything that belongs to posts, and an event.
 * @param visibility 1 private: all its texts hold the word  @param tag tells several apart
 */
export async function makeObjects(
  at: Partly,
  communityId: number,
  author: number,
  visibility: number,
  tag = '',
): Promise<Objects> {
  const { world, word } = at;
  const { tenant, portal } = world;
  const db = portal.services.databases.for(tenant.tenant.id);
  const inFirst = communityId === world.communityId;
  const secret = visibility === 1 ? word : 'Plain';
  const ok = async (method: string, path: string, body: unknown) => {
    const answer = await tenant.request(author, method, `${ROOT}/communication${path}`, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const clientUid = `uid-${secret}-${communityId}-${visibility}${tag}`;
  const { fields, values } = world;
  const made = await createPost(
    world,
    author,
    {
      title: `Title ${secret}`,
      description: `Text ${secret} #budget`,
      visibility,
      clientUid,
      ...(inFirst && {
        customData: {
          [String(fields['STRING'])]: `Value ${secret}`,
          [String(fields['INT'])]: visibility === 1 ? 777 : 3,
          [String(fields['ENUM'])]: values['ENUM']![0],
          [String(fields['PEOPLE'])]: [],
        },
      }),
      watcherUserIds: inFirst && visibility === 1 ? [at.watcher] : [],
      attachments: [{ contentRef: await makeUpload(world, author), name: `File ${secret}.png` }],
    },
    communityId,
  );
  const event = await ok('POST', `/posts/manage/create-event-post/${communityId}`, {
    title: `Event ${secret}`,
    description: `Plan ${secret}`,
    descriptionFormat: 2,
    visibility,
    event: {
      startAt: { localDatetime: '2027-03-01T10:00' },
      timezone: 'Europe/Rome',
      location: `Room ${secret}`,
      invitations: { users: inFirst ? [{ id: at.invited }] : [] },
    },
  });
  const task = await ok('POST', `/tasks/manage/create-task/${made.postId}`, {
    title: `Task ${secret}`,
    descriptionPlainText: `Do ${secret}`,
    expiration: { datetime: '2027-03-01T10:00', timezone: 'Europe/Rome' },
    assigneeUserId: inFirst ? at.assignee : author,
    subTasks: [{ description: `Step ${secret}`, state: 1 }],
    clientUid: `task-${clientUid}`,
  });
  await ok('POST', `/posts/manage/request-acknowledgements/${made.postId}`, { userIds: [at.chief] });
  const { comment } = await ok('POST', `/posts/manage/create-comment/${made.postId}`, {
    comment: `Comment ${secret}`,
    commentFormat: 2,
    clientUid: `comment-${clientUid}`,
    attachments: [{ contentRef: await makeUpload(world, author), name: `Comment file ${secret}.png` }],
  });
  const [attachment] = await db.query<{ id: number }>(
    'SELECT id FROM attachments WHERE tenant_id = $1 AND post_id = $2 AND comment_id IS NULL',
    [tenant.tenant.id, made.postId],
  );
  const [transition] = await db.query<{ id: number }>(
    'SELECT t.id FROM workflow_transitions t WHERE t.tenant_id = $1 ORDER BY id LIMIT 1',
    [tenant.tenant.id],
  );
  const [screenField] = await db.query<{ id: number }>(
    `SELECT f.id FROM fields f WHERE f.tenant_id = $1 AND f.workflow_id IS NOT NULL ORDER BY id LIMIT 1`,
    [tenant.tenant.id],
  );
  const [community] = await db.query<{ etag: number }>(
    'SELECT etag FROM communities WHERE tenant_id = $1 AND id = $2',
    [tenant.tenant.id, communityId],
  );
  const system = await tenant.scope(tenant.systemUserId);
  const emptyCommunityId = await createCommunity(system, { workspaceId: world.workspaceId, name: `Empty ${secret}` });
  const targetId = await createCommunity(system, { workspaceId: world.workspaceId, name: `Target ${secret}` });
  await setCommunityRoles(system, targetId, [{ principal: at.chief, role: 1 }]);
  const held = await db.query<{ fromId: number }>(
    `SELECT f.id AS "fromId" FROM fields f JOIN communities c ON c.tenant_id = $1 AND c.id = $2
      WHERE f.tenant_id = $1 AND (f.community_id = c.id OR f.workflow_id = c.workflow_id) AND NOT f.deleted`,
    [tenant.tenant.id, communityId],
  );
  const serviceAccountId = await tenant.createUser({ firstName: 'Program', lastName: secret, service: true });
  const key = await createServiceAccountKey(db, serviceAccountId, Date.now());
  const { identityProviderId } = await createIdentityProvider(
    system,
    { key: `p${made.postId}`, name: secret, issuer: 'https://id.acme.example', clientId: secret, enabled: true },
    [],
  );
  await setCommunityRoles(system, communityId, [{ principal: serviceAccountId, role: 3 }]);
  const webhook = { name: secret, serviceAccountId, address: `https://hooks.acme.example/${secret}` };
  const { webhookId } = await createWebhook(system, webhook, []);
  const { deliveryId } = await sendWebhookTest(system, webhookId!);
  const [session, userSession] = await db.query<{ id: number }>(
    `INSERT INTO user_sessions (tenant_id, user_id, session_version, secret_hash, renewed_at, created_at, last_used_at)
     SELECT a.tenant_id, u.id, 1, sha256('secret'), now(), now(), now()
       FROM tenant_versions a, unnest($2::bigint[]) WITH ORDINALITY u (id, n) WHERE a.tenant_id = $1 ORDER BY n
     RETURNING id`,
    [tenant.tenant.id, [at.chief, author]],
  );
  const [passkey] = await db.query<{ id: number }>(
    `INSERT INTO passkeys (tenant_id, user_id, credential_id, public_key, counter, name, transports, synced, created_at)
     VALUES ($1, $2, $3, '', 0, $3, '{}', false, now()) RETURNING id`,
    [tenant.tenant.id, at.chief, `${secret} ${made.postId}`],
  );
  const [token] = await db.query<{ id: number }>(
    `INSERT INTO personal_tokens (tenant_id, user_id, session_version, secret_hash, name, read_only, created_at, expires_at)
     VALUES ($1, $2, 1, sha256($3::bytea), 'Token', true, now(), now() + interval '1 day') RETURNING id`,
    [tenant.tenant.id, at.chief, `${secret} ${made.postId}`],
  );
  const [browserId] = await takeIds(db, 'push_subscriptions', 1);
  const [browser] = await db.query<{ id: number }>(
    `INSERT INTO push_subscriptions (tenant_id, id, user_id, session_version, address_hash, service, sealed_subscription, created_at)
     VALUES ($1, $5, $2, 1, sha256($3::bytea), 'push.example.com', $4, now()) RETURNING id`,
    [
      tenant.tenant.id,
      at.chief,
      `${secret} ${made.postId}`,
      testSealer.seal(Buffer.from('{}'), {
        tenantId: tenant.tenant.id,
        table: 'push_subscriptions',
        column: 'sealed_subscription',
        row: browserId!,
      }),
      browserId,
    ],
  );
  const [feed] = await db.query<{ id: number }>(
    `INSERT INTO calendar_feeds (tenant_id, user_id, community_id, secret_hash, created_at)
     VALUES ($1, $2, $3, sha256($4::bytea), now())
     ON CONFLICT ON CONSTRAINT calendar_feeds__calendar DO UPDATE SET created_at = excluded.created_at RETURNING id`,
    [tenant.tenant.id, at.chief, communityId, `${secret} ${made.postId}`],
  );
  await db.execute(
    `UPDATE users SET custom_username = 'chief.' || id, custom_active = true, password_hash = $3
      WHERE tenant_id = $1 AND id = $2 AND password_hash IS NULL`,
    [tenant.tenant.id, at.chief, await hashPassword(CHIEF_PASSWORD)],
  );
  // The author, and the users who unlink their own identities.
  await db.execute(
    `INSERT INTO user_identities (tenant_id, provider_id, subject, user_id, linked_at)
     SELECT u.tenant_id, $2, 'subject ' || u.id, u.id, now() FROM users u
      WHERE u.tenant_id = $1 AND (u.id = $3 OR u.manages_users) AND NOT u.service_account AND NOT u.system_account`,
    [tenant.tenant.id, identityProviderId, author],
  );
  const [view] = await db.query<{ id: number }>(
    `INSERT INTO saved_views (tenant_id, community_id, name, layout, creator_id, created_at, modifier_id, modified_at)
     VALUES ($1, $2, $3, 'table', $4, now(), $4, now()) RETURNING id`,
    [tenant.tenant.id, communityId, `View ${secret}`, author],
  );
  const [fileImport] = await db.query<{ id: number }>(
    `INSERT INTO imports (tenant_id, community_id, creator_id, created_at, content_ref, file_name, mapping, trial, with_history,
        with_people, state)
     VALUES ($1, $2, $3, now(), repeat('e', 64), $4, 'externalId: id', false, false, false, 'waiting') RETURNING id`,
    [tenant.tenant.id, communityId, author, `${secret}.csv`],
  );
  await db.execute(
    `INSERT INTO community_drafts (tenant_id, community_id, version, file, saved_by, saved_at)
     VALUES ($1, $2, 1, '{"version": 1}', $3, now()) ON CONFLICT DO NOTHING`,
    [tenant.tenant.id, communityId, author],
  );
  const [template] = await db.query<{ id: number }>(
    `INSERT INTO post_templates (tenant_id, community_id, name, creator_id, created_at, modifier_id, modified_at)
     VALUES ($1, $2, $3, $4, now(), $4, now()) RETURNING id`,
    [tenant.tenant.id, communityId, `Template ${secret}`, author],
  );
  const [role] = await db.query<{ id: number }>(
    'INSERT INTO own_roles (tenant_id, name, name_key, permissions, modifier_id, modified_at) VALUES ($1, $2, lower($2), 8, $3, now()) RETURNING id',
    [tenant.tenant.id, `Role ${secret} ${made.postId}`, author],
  );
  const [area] = await db.query<{ id: number }>(
    'INSERT INTO areas (tenant_id, name, name_key) VALUES ($1, $2, lower($2)) RETURNING id',
    [tenant.tenant.id, `Area ${secret} ${made.postId}`],
  );
  const [businessUnit] = await db.query<{ id: number }>(
    'INSERT INTO business_units (tenant_id, name, name_key) VALUES ($1, $2, lower($2)) RETURNING id',
    [tenant.tenant.id, `Unit ${secret} ${made.postId}`],
  );
  const [mail] = await db.query<{ id: number }>(
    `INSERT INTO outgoing_mails (tenant_id, user_id, message_id, recipient, template, language, sealed_content, expires_at, state, created_at,
       due_at, finished_at)
     VALUES ($1, $2, $3, $4, 'invitation', 'en', $5, now() + interval '10 years', 'failed', now(), now(), now()) RETURNING id`,
    [
      tenant.tenant.id,
      author,
      `${made.postId}`,
      `${secret}@example.org`,
      testSealer.seal(Buffer.from('{}'), {
        tenantId: tenant.tenant.id,
        table: 'outgoing_mails',
        column: 'sealed_content',
        row: made.postId,
      }),
    ],
  );
  const [change] = await db.query<{ id: number }>(
    `INSERT INTO definition_changes (tenant_id, community_id, kind, started_by, started_at)
     VALUES ($1, $2, 'refreshTexts', $3, now()) RETURNING id`,
    [tenant.tenant.id, communityId, author],
  );
  return {
    viewId: view!.id,
    importId: fileImport!.id,
    changeId: change!.id,
    version: community!.etag,
    templateId: template!.id,
    areaId: area!.id,
    roleId: role!.id,
    businessUnitId: businessUnit!.id,
    mailId: mail!.id,
    postId: made.postId,
    eventPostId: event.postId,
    communityId,
    workspaceId: world.workspaceId,
    emptyCommunityId,
    moveTarget: { communityId: targetId, fieldMapping: held },
    emptyWorkspaceId: await createWorkspace(system, { name: `Empty ${secret}` }),
    attachmentId: attachment!.id,
    commentAttachmentId: comment.attachments[0].id,
    taskId: task.taskId,
    commentId: comment.id,
    userId: author,
    groupId: at.emptyGroupId,
    serviceAccountId,
    keyId: key.private_key_id,
    identityProviderId: identityProviderId!,
    webhookId: webhookId!,
    deliveryId: deliveryId!,
    sessionId: session!.id,
    userSessionId: userSession!.id,
    passkeyId: passkey!.id,
    tokenId: token!.id,
    feedId: feed!.id,
    subscriptionId: browser!.id,
    catalogId: world.catalogId,
    entryId: world.entries[0]!,
    hashtagId: world.hashtagIds[0]!,
    stateId: world.states.get('Open')!,
    workflowOperationId: transition!.id,
    fieldId: fields['INT']!,
    screenFieldId: screenField!.id,
    enumValueId: values['ENUM']![0]!,
    roleAssociationId: at.roleAssociationId,
    contentRef: await makeUpload(world, author),
    clientUid,
    tokens: { post: made.token, event: event.nextOccToken, task: task.nextOccToken, community: community!.etag },
  };
}
