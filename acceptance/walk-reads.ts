/** Every read over the demo tenant, each with all its flags, on enough objects that all kinds of content occur. */
import { operations } from '@portico/contract';
import { assertion, type Json } from './client.ts';
import { idsOf, type Walk } from './walk.ts';
import { walkWebhookReads } from './walk-webhooks.ts';

/** Results of the reads, for the writes that follow. */
export interface Found {
  me: Json;
  users: Json[];
  groups: Json[];
  communities: Json[];
  definitions: Json;
  workspaceIds: number[];
  catalogs: Json[];
  /** Elements of post lists by community. */
  posts: Map<number, Json[]>;
  taskIds: number[];
  attachments: Json[];
}

/** All boolean flags of an operation, set. */
function allFlags(id: keyof typeof operations): Record<string, boolean> {
  const query: Readonly<Record<string, { type: string }>> = operations[id].query;
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, { type }]) => (type === 'boolean' ? [[name, true]] : [])),
  );
}

/** Walks all reads. */
export async function walkReads(walk: Walk): Promise<Found> {
  await walk.read('createAccessTokenByServiceAccount', { body: { jwtAssertion: assertion(walk.key) } });
  const { userData: me = {} } = (await walk.read('currentUserData')) as { userData?: Json };
  await walk.read('getCurrentUserProfileInfo');
  const people = await walkPeople(walk, me);
  const places = await walkPlaces(walk);
  const posts = await walkLists(walk, places.communities, places.definitions, people.users, me);
  const around = await walkPosts(walk, places.communities, posts);
  await walkStream(walk);
  return { me, ...people, ...places, posts, ...around };
}

async function walkPeople(walk: Walk, me: Json): Promise<{ users: Json[]; groups: Json[] }> {
  const users = await walk.items('listSystemUsers', {
    body: { statusFilter: [1, 2, 3], pageSize: 40, includeAccess: true },
  });
  const groups = await walk.items('listSystemGroups', { body: { statusFilter: [1, 2] } });
  await walk.items('listSystemGroups', { body: { excludeGroupByMemberUserId: users[3]?.id } });
  await walk.items('listPeople', { body: { fullTextFilter: 'a', ids: users.map(({ id }) => id as number) } });
  await walk.items('listPeopleGroups', {});
  await walk.read('getTotp', {});
  await walk.read('listSessions', {});
  await walk.read('listPasskeys', {});
  await walk.read('listPersonalTokens', {});
  await walk.read('listCalendarFeeds', {});
  await walk.items('listWaiting', { body: { pageSize: 20 } });
  await walk.items('listMyDrafts', { body: { pageSize: 20 } });
  await walk.items('listRecentPosts', { body: { pageSize: 20 } });
  await walk.items('listDeletedPosts', { body: { pageSize: 20 } });
  await walk.read('listFavourites', {});
  await walk.read('countWaiting');
  await walk.read('getCommunityTree');
  const notifications = await walk.items('listNotifications', { body: { pageSize: 20 } });
  for (const { postId } of notifications.slice(0, 3)) await walk.read('explainNotifications', { params: { postId } });
  await walk.read('countNotifications', {});
  await walk.read('explainRights', { query: { userId: me.id } });
  await walk.read('getNotificationPreferences', {});
  await walk.read('listPushSubscriptions', {});
  await walk.items('listTasks', { body: { orderBy: 'priority', orderDesc: true } });
  for (const text of ['projector in:nowhere', 'supp', 'proyector'])
    await walk.read('searchEverything', { body: { text } });
  await walk.read('startPasskeySignIn', {});
  const { deviceCode } = await walk.read('startDeviceSignIn', { body: { name: 'Walk' } });
  await walk.read('collectDeviceSignIn', { body: { deviceCode } });
  await walk.read('listSignInProviders', {});
  await walk.read('getBranding', {});
  await walk.read('listMyIdentities', {});
  for (const { id } of [...users.filter(({ deleted }) => !deleted).slice(0, 25), me]) {
    await walk.read('getUserForEdit', { params: { userId: id } });
    await walk.read('getUserCredentialsForEdit', { params: { userId: id } });
    await walk.read('getUserErasure', { params: { userId: id } });
    await walk.read('getUserLeaving', { params: { userId: id } });
    await walk.read('getUserAccess', { params: { userId: id } });
    await walk.read('listUserIdentities', { params: { userId: id } });
    await walk.read('listUserSignIns', { params: { userId: id } });
  }
  const programs = await walk.items('listServiceAccounts', {});
  for (const { userId } of programs)
    await walk.read('getServiceAccountForEdit', { params: { serviceAccountId: userId } });
  for (const { identityProviderId } of await walk.items('listIdentityProviders', {})) {
    await walk.read('getIdentityProviderForEdit', { params: { identityProviderId } });
    await walk.read('testIdentityProvider', { params: { identityProviderId } });
  }
  await walkWebhookReads(walk, me);
  for (const { id } of groups.filter(({ deleted }) => !deleted)) {
    await walk.items('listGroupsMembers', { params: { groupId: id } });
    await walk.read('getGroupForEdit', { params: { groupId: id } });
    await walk.read('getGroupAccess', { params: { groupId: id } });
  }
  await walk.items('listAuditEntries', { body: { pageSize: 100 } });
  await walk.read('verifyAuditLog', {});
  await walk.read('getTenantHealth', {});
  await walk.items('listAreas', { body: { nameFilter: 'a' } });
  await walk.items('listBusinessUnits', {});
  await walk.items('listMails', { body: { states: ['failed', 'unsent', 'waiting'] } });
  return { users, groups };
}

type Places = Pick<Found, 'communities' | 'definitions' | 'workspaceIds' | 'catalogs'>;

async function walkPlaces(walk: Walk): Promise<Places> {
  await walk.read('getCanCreatePostCommunities');
  let communities: Json[] = [];
  for (const level of ['PRIVATE', 'PUBLIC', 'ALL']) {
    const answer = await walk.read('getCommunitiesByViewPostCapabilityLevel', {
      query: { viewPostCapabilityLevel: level },
    });
    if (level === 'ALL') communities = (answer.communities as Json[] | undefined) ?? [];
  }
  const communityIds = idsOf(communities);
  const answer = await walk.read('listPostDefinitions', { body: { communityIds } });
  const definitions = (answer.communityPostDefinitionMap as Json | undefined) ?? {};
  await walk.read('listCommunities', { body: { communityIds } });
  for (const communityId of communityIds) {
    await walk.read('getCommunityDetails', { params: { communityId } });
    await walk.read('getCommunityFollowing', { params: { communityId } });
    await walk.read('explainCommunity', { params: { communityId } });
    await walk.read('listSavedViews', { params: { communityId } });
    await walk.read('checkCommunity', { params: { communityId } });
    await walk.items('listCommunityMembers', { params: { communityId }, body: { pageSize: 2 } });
    await walk.items('listTasks', { body: { communityId, open: true, pageSize: 20 } });
    await walk.read('getPostDefinition', { params: { communityId } });
    await walk.read('getPostSchemas', { params: { communityId } });
    await walk.read('listDefinitionChanges', { params: { communityId } });
    const { versions } = await walk.read('listDefinitionVersions', { params: { communityId } });
    for (const { version } of versions.slice(0, 1))
      await walk.read('getDefinitionVersion', { params: { communityId, version } });
    for (const { id: fieldId } of definitions[communityId]?.fieldDefinitions ?? [])
      await walk.read('getPostFieldForEdit', { params: { communityId, fieldId } });
    for (const { id: screenFieldId } of definitions[communityId]?.workflowDefinition?.screenFieldMetadatas ?? [])
      await walk.read('getScreenFieldForEdit', { params: { communityId, screenFieldId } });
    await walk.items('listHashtags', { params: { communityId }, body: { includeDeleted: true, pageSize: 2 } });
    await walk.read('getCustomPostDataForCreate', { params: { communityId } });
    if (communities.find(({ id }) => id === communityId)?.operationalCapabilities?.createEventPost) {
      await walk.read('getEventPostDataForCreate', { params: { communityId } });
    }
  }
  for (const { id } of await walk.items('listManagedCommunities', { body: { nameFilter: 'e', includeActivity: true } }))
    await walk.read('getCommunityForEdit', { params: { communityId: id } });
  await walk.read('getTenantSettings', {});
  await walk.items('listWorkspaces', { body: { pageSize: 1 } });
  for (const communityId of communityIds) {
    const file = await walk.read('exportCommunity', { params: { communityId } });
    const renamed = ({ entries = [], ...catalog }: Json) => ({
      ...catalog,
      entries: entries.map((entry: Json) => ({ ...entry, label: { ...entry.label, fr: 'Acceptance' } })),
    });
    const catalogs = file.catalogs?.map(renamed);
    const community = { ...file.community, color: '#123456' };
    await walk.read('planCommunity', { body: { file: { ...file, community, ...(catalogs && { catalogs }) } } });
  }
  const workspaceIds = idsOf(communities, 'workspaceId');
  for (const workspaceId of workspaceIds) await walk.read('getWorkspaceForEdit', { params: { workspaceId } });
  const { catalogs = [] } = (await walk.read('getPostDefinitionCatalogs', { query: { loadEntries: true } })) as {
    catalogs?: Json[];
  };
  for (const { id: catalogId } of catalogs) {
    await walk.read('getCatalogForEdit', { params: { catalogId } });
    const entries = await walk.items('listPostDefinitionCatalogEntries', { params: { catalogId } });
    for (const { id: entryId } of entries.slice(0, 3)) {
      await walk.read('getCatalogEntryForEdit', { params: { catalogId, entryId } });
    }
  }
  return { communities, definitions, workspaceIds, catalogs };
}

async function walkLists(
  walk: Walk,
  communities: readonly Json[],
  definitions: Json,
  users: readonly Json[],
  me: Json,
): Promise<Map<number, Json[]>> {
  const posts = new Map<number, Json[]>();
  for (const { id: communityId } of communities as { id: number }[]) {
    const params = { communityId };
    const query = allFlags('listCommunityPostsFiltered');
    const list = await walk.items('listCommunityPostsFiltered', { params, query, body: { pageSize: 50 } });
    posts.set(communityId, list);
    await walk.items(
      'listCommunityPosts',
      { params, query: allFlags('listCommunityPosts'), body: { pageSize: 50 } },
      2,
    );
    await walk.read('summarisePosts', { params, body: { groupBy: ['creationTimestamp.day', 'hashtags'] } });
    await walk.read('summarisePosts', { params, body: { measure: 'mean', measureOf: 'timeInState' } });
    const filters: Json[] = [
      { onlyPinned: true },
      { postIds: idsOf(list).slice(0, 9) },
      { draftType: 1 },
      { draftType: 2 },
      { postTypes: [2] },
      { postTypes: [3] },
      { createdByUserIds: idsOf(users).slice(0, 9) },
      { followedByMe: true },
      { mentioned: true },
      { toManage: true },
      { visibility: 1 },
      { createdByUserIds: [me.id], draft: true },
      { currentWorkflowStatusIds: idsOf((definitions[communityId]?.workflowDefinition?.states as Json[]) ?? []) },
    ];
    for (const communityPostFilters of filters) {
      await walk.items(
        'listCommunityPostsFiltered',
        { params, query: allFlags('listCommunityPostsFiltered'), body: { communityPostFilters, pageSize: 50 } },
        1,
      );
    }
  }
  const all = [...posts.values()].flat();
  await walk.read('checkPostVisibility', { body: { ids: idsOf(all) } });
  await walk.read('checkPostVisibilityWithComments', { body: { ids: idsOf(all) } });
  return posts;
}

/** Posts of a list that together have every kind of content. */
function varied(list: readonly Json[]): Json[] {
  const wanted = [
    (post: Json) => post.commentsCount > 2,
    (post: Json) => post.tasksCount > 0,
    (post: Json) => post.attachmentsCount > 0,
    (post: Json) => post.attachmentsCount > 1,
    (post: Json) => post.videoAttachmentsCount > 0,
    (post: Json) => post.coverImage !== undefined,
    (post: Json) => post.likesCount > 0,
    (post: Json) => post.currentWorkflowState?.terminal === true,
    (post: Json) => post.currentWorkflowState?.initState === false,
    (post: Json) => post.visibility === 1,
    (post: Json) => post.followedByMe === true,
    () => true,
  ];
  return [...new Set(wanted.flatMap((test) => list.filter(test).slice(0, 2)))];
}

async function walkPosts(
  walk: Walk,
  communities: readonly Json[],
  posts: ReadonlyMap<number, Json[]>,
): Promise<Pick<Found, 'taskIds' | 'attachments'>> {
  const taskIds = new Set<number>();
  const attachments: Json[] = [];
  for (const { id: communityId } of communities as { id: number }[]) {
    const list = posts.get(communityId) ?? [];
    const some = (communityPostFilters: Json, more: Json = {}) =>
      walk.items(
        'listCommunityPostsFiltered',
        { params: { communityId }, body: { communityPostFilters, pageSize: 60, ...more } },
        1,
      );
    const drafts = await some({ draft: true });
    const events = await some({ postTypes: [2] });
    const planned = await some({}, { orderBy: 'postScheduledPublication', pinnedFirst: false, pageSize: 3 });
    const eventIds = new Set([...idsOf(events), ...idsOf(await some({ postTypes: [2], draft: true }))]);
    for (const post of [...varied(list), ...drafts.slice(0, 6), ...events.slice(0, 12), ...planned]) {
      const params = { postId: post.id as number };
      await walk.read('getPostDetailById', { params, query: allFlags('getPostDetailById') });
      await walk.read('explainPost', { params });
      const comments = await walk.items('listPostComments', { params, body: { pageSize: 3 } });
      for (const { id: commentId } of comments.filter(({ capabilities }) => capabilities?.canEdit).slice(0, 2)) {
        await walk.read('getPostCommentForEdit', { params: { commentId } });
        await walk.read('explainComment', { params: { commentId } });
        await walk.items('listPostCommentVersions', { params: { commentId }, body: { pageSize: 1 } });
      }
      const { canModify } = await walk.read('getPostCapabilities', { params });
      if (canModify) {
        if (post.type === 2) await walk.items('listEventGuests', { params, body: { pageSize: 1 } });
        const versions = await walk.items('listPostVersions', { params, body: { pageSize: 1 } });
        const oldest = Number(versions.at(-1)?.versionNumber);
        await walk.read('getPostVersion', { params, body: { versionNumber: oldest } });
        await walk.read('comparePostVersions', { params, body: { fromVersion: oldest } });
      }
      await walk.items('listAcknowledgements', { params, body: { pageSize: 2 } });
      await walk.items('listPostLikes', { params, body: { pageSize: 2 } });
      for (const { id: commentId, deleted } of comments.slice(0, 2))
        if (!deleted) await walk.items('listPostCommentLikes', { params: { commentId }, body: { pageSize: 2 } });
      const history = await walk.items('listPostHistoryEvents', { params, body: { pageSize: 8 } });
      for (const event of history) for (const id of idsOf((event.tasks as Json[] | undefined) ?? [])) taskIds.add(id);
      const entityTypes = [1, 2, 3, 4, 5];
      const files = await walk.items('listPostAttachmentsByPostId', {
        params,
        query: allFlags('listPostAttachmentsByPostId'),
        body: { types: [1, 2], entityTypes, pageSize: 2 },
      });
      attachments.push(...files);
      const kind = eventIds.has(post.id as number) ? 'Event' : 'Custom';
      await walk.read(`get${kind}PostDataForEdit`, { params });
      await walk.read(`get${kind}PostDataForCopy`, { params });
      await walkScreens(walk, post);
    }
  }
  for (const { id: attachmentId } of attachments.slice(0, 40)) {
    await walk.read('getAttachmentDetailById', {
      params: { attachmentId },
      query: allFlags('getAttachmentDetailById'),
    });
  }
  await walk.read('checkAttachmentVisibility', { body: { ids: idsOf(attachments) } });
  for (const taskId of taskIds) {
    const answer = await walk.call('getTaskDetailById', { params: { taskId } });
    // The history mentions tasks that are deleted since.
    if (answer.status !== 200 && answer.status !== 404) walk.surprises.push(`task ${taskId}: ${answer.text}`);
    if (answer.status === 200) await walk.read('explainTask', { params: { taskId } });
  }
  await walkByClientUid(walk);
  return { taskIds: [...taskIds], attachments };
}

async function walkScreens(walk: Walk, post: Json): Promise<void> {
  const capabilities = post.capabilities as Json | undefined;
  const params = { postId: post.id as number };
  if (capabilities?.canEditWorkflowScreenData) await walk.read('getPostWorkflowScreenDataForEdit', { params });
  for (const operation of (capabilities?.workflowPermittedOperations as Json[] | undefined) ?? []) {
    if (!operation.screen) continue;
    await walk.read('getPostWorkflowScreenDataForEdit', {
      params,
      query: { workflowOperationId: operation.id as number },
    });
  }
}

/** The demo names every second post of a community, counted from 0. */
async function walkByClientUid(walk: Walk): Promise<void> {
  for (const clientUid of ['demo-servicedesk-0', 'demo-projects-2', 'demo-training-4']) {
    await walk.read('getPostDetailByClientUid', { params: { clientUid }, query: allFlags('getPostDetailByClientUid') });
  }
}

async function walkStream(walk: Walk): Promise<void> {
  const query = allFlags('globalPostsStream');
  let pageToken: string | undefined;
  for (let page = 0; page < 100; page++) {
    const answer = await walk.read('globalPostsStream', { query: { ...query, ...(pageToken && { pageToken }) } });
    pageToken = answer.nextPageToken as string | undefined;
    if (!pageToken) break;
  }
}
