/**
 * For every operation and every place in a request where an id can stand, somebody else's
 * real id is answered exactly as an id that never existed. "Somebody else" is another tenant; a community of the same
 * tenant in which one has no role; a private post of one's own community.
 */
import { type OperationId, operationList } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpTenant } from '../../src/modules/posts/writing/writing.fixture.ts';
import { createTestPortal, type TestAnswer, type TestPortal } from '../support/index.ts';
import { type Attacked, makeAttacked, type Objects, spreadIds } from './objects.fixture.ts';
import { type Asked, allPlaces, type Kind, ownRequest, type Place, wire } from './requests.fixture.ts';

const NOW = Date.parse('2027-01-15T12:00:00Z');
/** Ids and references that never existed, as long as existing ones. */
const NEVER = { id: 79_999_999, contentRef: 'f'.repeat(64), clientUid: 'uid-Xyzzyplugh-79999999-1' };

let portal: TestPortal;
let mine: Attacked;
let theirs: Attacked;

beforeAll(async () => {
  // Other tests check answers against the contract.
  portal = await createTestPortal({ clock: { now: () => NOW }, checkAnswers: false });
  await spreadIds(portal);
  mine = await makeAttacked(portal, 'Quagganar');
  theirs = await makeAttacked(portal, 'Zebracorn');
});

afterAll(async () => {
  await portal.close();
});

interface Attack {
  actor: number;
  own: Objects;
  target: Objects;
  /** Kinds of id that the actor must not know of. */
  kinds: readonly Kind[];
}

function send(actor: number, asked: Asked): Promise<TestAnswer> {
  const { method, path, body } = wire(asked);
  return mine.world.tenant.request(actor, method, path, body);
}

const answers = new Map<string, Promise<TestAnswer>>();

/** Sends a request that names ids of the own objects, or none that exist: the tests share its answer, as all writes run dry. */
function sendOnce(actor: number, asked: Asked): Promise<TestAnswer> {
  const key = JSON.stringify([actor, wire(asked)]);
  const answer = answers.get(key) ?? send(actor, asked);
  answers.set(key, answer);
  return answer;
}

/**
 * Returns an answer without parts that differ by nature: request ids, signatures, ids that the
 * write itself made.
 */
function comparable(answer: TestAnswer, value: string | number, known: ReadonlySet<string>): unknown {
  const text = answer.text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"R"')
    .replaceAll(/\/files\/[\w.~-]+/g, '/files/L')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_S')
    .replaceAll(/"nextPageToken":"[^"]*"/g, '"nextPageToken":"T"')
    .replaceAll(String(value), 'ASKED')
    .replaceAll(/\b7[0-9]{7}\b/g, (id) => (known.has(id) ? id : 'MADE'))
    .replaceAll(/"customId":"\d+"/g, '"customId":"N"');
  return { status: answer.status, text };
}

function idsOf(objects: Objects): string[] {
  return Object.values(objects).flatMap((value) => (typeof value === 'number' ? [String(value)] : []));
}

async function differences(attack: Attack, places: readonly Place[]): Promise<string[]> {
  const known = new Set([...idsOf(attack.own), ...idsOf(attack.target)]);
  const found: string[] = [];
  for (const place of places) {
    const target = attack.target[place.kind];
    const never = typeof target === 'number' ? NEVER.id : NEVER[place.kind as 'contentRef' | 'clientUid'];
    const asked = ownRequest(place.id, attack.own);
    const ask = attack.target === attack.own ? sendOnce : send;
    const real = await ask(attack.actor, place.put(asked, target, attack.own));
    const unknown = await sendOnce(attack.actor, place.put(asked, never, attack.own));
    const [one, other] = [comparable(real, target, known), comparable(unknown, never, known)];
    const name = `${place.id} ${place.where}`;
    if (JSON.stringify(one) !== JSON.stringify(other)) {
      found.push(`${name}: ${JSON.stringify(one).slice(0, 600)} <> ${JSON.stringify(other).slice(0, 600)}`);
    }
    if (real.status >= 500) found.push(`${name}: ${real.status}`);
    if (place.where.startsWith('path.') && real.status !== 404 && !PATHS_THAT_ARE_NOT_404.has(name)) {
      found.push(`${name}: ${real.status} ${real.text.slice(0, 300)}`);
    }
  }
  return found;
}

/** Lists that answer an unknown id with an empty page. */
const PATHS_THAT_ARE_NOT_404 = new Set<string>([]);

const places = allPlaces();

describe('the matrix', () => {
  test('covers every operation that takes an id', () => {
    const without = operationList.map(({ id }) => id).filter((id) => !places.some((place) => place.id === id));
    expect(without.sort()).toMatchInlineSnapshot(`
      [
        "collectDeviceSignIn",
        "confirmDeviceSignIn",
        "confirmPasskey",
        "confirmSession",
        "confirmTotp",
        "countNotifications",
        "countWaiting",
        "createAccessTokenByCredentials",
        "createAccessTokenByGoogleOAuth2",
        "createAccessTokenByPasskey",
        "createAccessTokenByServiceAccount",
        "createArea",
        "createBusinessUnit",
        "createPushSubscription",
        "createRole",
        "createWorkspace",
        "currentUserData",
        "editTenantSettings",
        "endSession",
        "finishIdentityProviderTest",
        "getBranding",
        "getCanCreatePostCommunities",
        "getCommunitiesByViewPostCapabilityLevel",
        "getCommunityTree",
        "getCurrentUserProfileInfo",
        "getNotificationPreferences",
        "getTenantHealth",
        "getTenantSettings",
        "getTotp",
        "globalPostsStream",
        "importUsers",
        "listAreas",
        "listBusinessUnits",
        "listCalendarFeeds",
        "listFavourites",
        "listIdentityProviders",
        "listManagedCommunities",
        "listMembersEverywhere",
        "listMyIdentities",
        "listPasskeys",
        "listPersonalTokens",
        "listPushSubscriptions",
        "listRoles",
        "listServiceAccounts",
        "listSessions",
        "listSignInProviders",
        "listWebhooks",
        "listWorkspaces",
        "markWaiting",
        "readDeviceSignIn",
        "refuseDeviceSignIn",
        "removeTotp",
        "requestPasswordReset",
        "revokeOtherSessions",
        "sendTestMail",
        "setPasswordByLink",
        "startDeviceSignIn",
        "startPasskey",
        "startPasskeySignIn",
        "startSession",
        "startSessionByPasskey",
        "startTotp",
        "uploadNewFile",
        "verifyAuditLog",
      ]
    `);
    expect(places.length).toBeGreaterThan(180);
  });

  test('starts from requests that are accepted', async () => {
    const refused: string[] = [];
    const expected: Partial<Record<OperationId, number>> = {
      // The workflow of these posts shows no screen in its first state: reading it is refused, the transition is not.
      getPostWorkflowScreenDataForEdit: 403,
      editPostWorkflowScreenData: 403,
      // The import waits, so that it can be cancelled.
      undoImport: 400,
      // No bytes are stored for it.
      suggestImportMapping: 400,
      planCommunityArchive: 400,
      importCommunityArchive: 400,
    };
    for (const id of new Set(places.map((place) => place.id))) {
      const answer = await sendOnce(mine.chief, ownRequest(id, mine.open));
      if (answer.status !== (expected[id] ?? 200)) refused.push(`${id}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    expect(refused, 'bodyOf of requests.fixture.ts has an accepted body of each').toEqual([]);
  });

  test('would notice a difference', async () => {
    const attack = { actor: mine.chief, own: mine.open, target: mine.open, kinds: [] };
    const noticed = new Set((await differences(attack, places)).map((line) => line.slice(0, line.indexOf(':'))));
    const blind = places.map(({ id, where }) => `${id} ${where}`).filter((name) => !noticed.has(name));
    expect(blind).toMatchInlineSnapshot(`
      [
        "editMyProfile body.profilePhoto.newContentRef",
        "listPostAttachmentsByPostId body.postFilePickerFieldId",
        "listPostAttachmentsByPostId body.wfScreenFilePickerFieldId",
        "editPostAttachments body.addAttachments[].contentRef",
        "editPostAttachments body.updateAttachments[].contentRef",
        "listSystemUsers body.workspaceIds[]",
        "listSystemUsers body.groupIds[]",
        "listSystemUsers body.managerIds[]",
        "listPeople body.ids[]",
        "createUser body.userCredentialsConfiguration.custom.profilePhoto.newContentRef",
        "editUserCredentials body.userCredentialsConfiguration.custom.profilePhoto.newContentRef",
        "listPeopleGroups body.ids[]",
        "listSystemGroups body.excludeGroupByMemberUserId",
        "editGroupMembers body.groupMembers[].deleteUserIds[]",
        "editMembersEverywhere body.userRoles[].userId",
        "editMembersEverywhere body.groupRoles[].groupId",
        "createIdentityProvider body.groupMappings[].groupId",
        "editIdentityProvider body.groupMappings[].groupId",
        "createWebhook body.filter.communityPostFilters.createdByUserId",
        "createWebhook body.filter.communityPostFilters.modifiedByUserId",
        "createWebhook body.filter.communityPostFilters.currentWorkflowStatusIds[]",
        "createWebhook body.filter.communityPostFilters.hashtagIds[]",
        "createWebhook body.filter.communityPostFilters.createdByUserIds[]",
        "createWebhook body.filter.communityPostFilters.createdByGroupIds[]",
        "createWebhook body.filter.communityPostFilters.postId",
        "createWebhook body.filter.communityAttachmentFilters.createdByUserId",
        "createWebhook body.filter.communityAttachmentFilters.createdByUserIds[]",
        "createWebhook body.filter.communityAttachmentFilters.createdByGroupIds[]",
        "createWebhook body.filter.communityAttachmentFilters.modifiedByUserId",
        "createWebhook body.filter.communityAttachmentFilters.postFilePickerFieldId",
        "createWebhook body.filter.communityAttachmentFilters.wfScreenFilePickerFieldId",
        "createWebhook body.filter.communityAttachmentFilters.hashtagIds[]",
        "editWebhook body.filter.communityPostFilters.createdByUserId",
        "editWebhook body.filter.communityPostFilters.modifiedByUserId",
        "editWebhook body.filter.communityPostFilters.currentWorkflowStatusIds[]",
        "editWebhook body.filter.communityPostFilters.hashtagIds[]",
        "editWebhook body.filter.communityPostFilters.createdByUserIds[]",
        "editWebhook body.filter.communityPostFilters.createdByGroupIds[]",
        "editWebhook body.filter.communityPostFilters.postId",
        "editWebhook body.filter.communityAttachmentFilters.createdByUserId",
        "editWebhook body.filter.communityAttachmentFilters.createdByUserIds[]",
        "editWebhook body.filter.communityAttachmentFilters.createdByGroupIds[]",
        "editWebhook body.filter.communityAttachmentFilters.modifiedByUserId",
        "editWebhook body.filter.communityAttachmentFilters.postFilePickerFieldId",
        "editWebhook body.filter.communityAttachmentFilters.wfScreenFilePickerFieldId",
        "editWebhook body.filter.communityAttachmentFilters.hashtagIds[]",
        "editBranding body.newLogoContentRef",
        "editWorkspace body.newCoverImageContentRef",
        "editWorkspace body.newLogoContentRef",
        "editWorkspace body.removeUserIds[]",
        "createCatalogEntry body.parentIds[]",
        "putCatalogEntries body.entries[].parentIds[]",
        "editCatalogEntry body.parentIds[]",
        "listPostDefinitionCatalogEntries body.context.fieldId",
        "listPostDefinitionCatalogEntries body.context.communityId",
        "listPostDefinitionCatalogEntries body.context.postContext.post.id",
        "listPostDefinitionCatalogEntries body.context.postContext.post.watcherUserIds[]",
        "listPostDefinitionCatalogEntries body.context.postContext.post.watcherGroupIds[]",
        "listPostDefinitionCatalogEntries body.context.postContext.post.workflowInitStateId",
        "listPostDefinitionCatalogEntries body.context.screenContext.postId",
        "listPostDefinitionCatalogEntries body.context.screenContext.workflowOperationId",
        "listPostDefinitionCatalogEntries body.context.taskContext.postId",
        "createCommunity body.newCoverImageContentRef",
        "editCommunity body.newCoverImageContentRef",
        "editCommunityMembers body.userRoles[].userId",
        "editCommunityMembers body.groupRoles[].groupId",
        "planCommunity body.communityId",
        "previewCommunity body.communityId",
        "applyCommunity body.communityId",
        "createPostField body.parentId",
        "createScreenField body.parentId",
        "listCommunityPostsFiltered body.communityPostFilters.createdByGroupIds[]",
        "listCommunityPostsFiltered body.communityAttachmentFilters.createdByGroupIds[]",
        "listCommunityPostsFiltered body.communityAttachmentFilters.postFilePickerFieldId",
        "listCommunityPostsFiltered body.communityAttachmentFilters.wfScreenFilePickerFieldId",
        "listCommunityPostsFiltered body.communityAttachmentFilters.hashtagIds[]",
        "listCommunityPostsFiltered body.createdByGroupIds[]",
        "summarisePosts body.communityPostFilters.createdByGroupIds[]",
        "summarisePosts body.communityAttachmentFilters.createdByGroupIds[]",
        "summarisePosts body.communityAttachmentFilters.postFilePickerFieldId",
        "summarisePosts body.communityAttachmentFilters.wfScreenFilePickerFieldId",
        "summarisePosts body.communityAttachmentFilters.hashtagIds[]",
        "summarisePosts body.createdByGroupIds[]",
        "listCommunityPosts body.attachmentHashtagIds[]",
        "createPostComment body.attachments[].contentRef",
        "editPostComment body.addAttachments[].contentRef",
        "editPostComment body.removeAttachmentIds[]",
        "createCustomPost body.attachments[].contentRef",
        "editCustomPost body.addAttachments[].contentRef",
        "editCustomPost body.updateAttachments[].contentRef",
        "patchPost body.workflowInitStateId",
        "patchPost body.addAttachments[].contentRef",
        "patchPost body.addAttachments[].referencedAttachmentId",
        "patchPost body.updateAttachments[].contentRef",
        "copyCustomPost body.addAttachments[].contentRef",
        "copyCustomPost body.updateAttachments[].contentRef",
        "copyCustomPost body.removeAttachmentIds[]",
        "copyCustomPost body.removeWatcherUserIds[]",
        "createEventPost body.coverImageContentRef",
        "createEventPost body.attachments[].contentRef",
        "editEventPost body.coverImageContentRef",
        "editEventPost body.addAttachments[].contentRef",
        "editEventPost body.updateAttachments[].contentRef",
        "editEventPost body.removeAttachmentIds[]",
        "editEventPost body.removeWatcherGroupIds[]",
        "copyEventPost body.coverImageContentRef",
        "copyEventPost body.addAttachments[].contentRef",
        "copyEventPost body.updateAttachments[].contentRef",
        "copyEventPost body.removeAttachmentIds[]",
        "copyEventPost body.removeWatcherUserIds[]",
        "copyEventPost body.removeWatcherGroupIds[]",
        "editPostWatchers body.removeWatcherUserIds[]",
        "patchPosts body.patch.workflowInitStateId",
        "patchPosts body.posts[].patch.watcherUserIds[]",
        "patchPosts body.posts[].patch.watcherGroupIds[]",
        "patchPosts body.posts[].patch.workflowInitStateId",
        "createPosts body.posts[].attachments[].contentRef",
        "createPosts body.posts[].attachments[].referencedAttachmentId",
        "withdrawAcknowledgements body.userIds[]",
        "listTasks body.assigneeUserIds[]",
        "listTasks body.assigneeGroupIds[]",
        "createTask body.attachments[].contentRef",
        "editTask body.addAttachments[].contentRef",
        "editTask body.removeAttachmentIds[]",
        "editTask body.removeWatcherGroupIds[]",
        "listNotifications body.communityId",
        "markNotifications body.ids[]",
        "startImport body.contentRef",
        "startImport body.changesContentRef",
        "suggestImportMapping body.contentRef",
        "planCommunityArchive body.contentRef",
        "importCommunityArchive body.contentRef",
        "importCommunityArchive body.people[].userId",
        "createPostFromTemplate body.attachments[].contentRef",
        "listAuditEntries body.actorIds[]",
        "searchEverything body.communityIds[]",
      ]
    `);
  });

  test("answers another tenant's ids as ids that never existed, to whoever may do everything in their own", async () => {
    const before = await dumpTenant(theirs.world);
    const attack = { actor: mine.chief, own: mine.open, target: theirs.hidden, kinds: [] };
    expect(await differences(attack, places)).toEqual([]);
    expect(await dumpTenant(theirs.world)).toEqual(before);
  });

  test('answers ids of a community without a role as ids that never existed', async () => {
    const kinds: Kind[] = ['postId', 'eventPostId', 'communityId', 'attachmentId', 'taskId', 'commentId', 'hashtagId'];
    kinds.push('fieldId', 'contentRef', 'clientUid');
    const attack = { actor: mine.visitor, own: mine.elsewhere, target: mine.hidden, kinds };
    const chosen = places.filter((place) => kinds.includes(place.kind));
    expect(await differences(attack, chosen)).toEqual([]);
  });

  test('answers ids of a private post as ids that never existed, to contributors of the same community', async () => {
    const kinds: Kind[] = ['postId', 'eventPostId', 'attachmentId', 'taskId', 'commentId', 'clientUid', 'contentRef'];
    const attack = { actor: mine.world.people.contributor, own: mine.open, target: mine.hidden, kinds };
    const chosen = places.filter((place) => kinds.includes(place.kind));
    expect(await differences(attack, chosen)).toEqual([]);
  });

  test('answers ids of a group that is not visible as ids that never existed, to who is not in it', async () => {
    const { db, people } = mine.world;
    const [group] = await db.query<{ id: number }>(
      `INSERT INTO groups (tenant_id, name, name_key, visible, members_count) VALUES ($1, $2, $2, true, 1) RETURNING id`,
      [db.tenantId, `board ${mine.word}`],
    );
    await db.execute('INSERT INTO group_members (tenant_id, group_id, user_id) VALUES ($1, $2, $3)', [
      db.tenantId,
      group!.id,
      people.author,
    ]);
    const chosen = places.filter((place) => place.kind === 'groupId' && place.where.startsWith('body.'));
    const found = (actor: number) =>
      differences({ actor, own: mine.open, target: { ...mine.open, groupId: group!.id }, kinds: ['groupId'] }, chosen);
    await db.execute('UPDATE groups SET visible = false WHERE tenant_id = $1 AND id = $2', [db.tenantId, group!.id]);
    expect(await found(people.contributor)).toEqual([]);
    expect(await found(people.manager)).toEqual([]);
    await db.execute('UPDATE groups SET visible = true WHERE tenant_id = $1 AND id = $2', [db.tenantId, group!.id]);
    expect((await found(people.manager)).length).toBeGreaterThan(15);
  });
});
