/** Every write over the demo tenant with `dryRun=true`: run in full, answered in full, undone. */
import type { Json } from './client.ts';
import { idsOf, type Walk } from './walk.ts';
import { walkAccounts } from './walk-accounts.ts';
import { walkDefinition } from './walk-drafts.ts';
import { walkImports } from './walk-imports.ts';
import { moveOf } from './walk-moves.ts';
import type { Found } from './walk-reads.ts';
import { EXPIRATION, walkTasks } from './walk-tasks.ts';
import { walkTemplates } from './walk-templates.ts';
import { walkUnits } from './walk-units.ts';
import { walkViews } from './walk-views.ts';
import { walkWebhookWrites } from './walk-webhooks.ts';

const DELTA = JSON.stringify([{ insert: 'Written by the acceptance suite.\n' }]);
/** A picture of one pixel (PNG). */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A text that names somebody else. */
function mentioning({ users, me }: Found): string {
  const other = users.find(({ id, deleted, blocked }) => id !== me.id && !deleted && !blocked) as Json;
  return JSON.stringify([{ insert: { mention: { id: other.id, value: other.lastName } } }, { insert: ' look.\n' }]);
}

/** A copy of read custom data in the written form: ids instead of objects. */
function written(data: Json | undefined): Json {
  const idOf = (value: unknown) => (typeof value === 'object' && value !== null && 'id' in value ? value.id : value);
  return Object.fromEntries(
    Object.entries(data ?? {}).map(([key, value]) => [key, Array.isArray(value) ? value.map(idOf) : idOf(value)]),
  );
}

/** Walks all writes. */
export async function walkWrites(walk: Walk, found: Found): Promise<void> {
  await walk.write('uploadNewFile');
  await walkPeople(walk, found, await uploadPicture(walk));
  await walkAdministration(walk, found);
  await walkPostWrites(walk, found);
  await walkEvents(walk, found);
  await walkWorkflow(walk, found);
  await walkTasks(walk, found);
  await walkImports(walk, found);
}

/** Uploads a picture for real, as clients do. */
async function uploadPicture(walk: Walk): Promise<string> {
  const { contentRef } = await walk.client.files.upload(new Blob([PIXEL], { type: 'image/png' }), {
    name: 'pixel.png',
  });
  return contentRef;
}

/** @param me the service account that walks */
async function walkServiceAccounts(walk: Walk, me: Json): Promise<void> {
  await walk.write('createServiceAccount', { body: { name: 'Acceptance', roleId: 3 } });
  const params = { serviceAccountId: me.id };
  const form = await walk.read('getServiceAccountForEdit', { params });
  const { name, adminCapabilities, roleId, communityRoles, keys, occToken } = form;
  await walk.write('editServiceAccount', {
    params,
    body: { name, adminCapabilities, roleId, communityRoles, occToken },
  });
  await walk.write('createServiceAccountKey', { params, body: { name: 'Acceptance' } });
  await walk.write('revokeServiceAccountKey', { params: { ...params, keyId: keys[0]?.id } });
}

async function walkIdentityProviders(walk: Walk): Promise<void> {
  await walk.write('createIdentityProvider', {
    body: { key: 'acceptance', name: 'Acceptance', issuer: 'https://id.alveria.example', clientId: 'portico' },
  });
  for (const { identityProviderId } of await walk.items('listIdentityProviders', {})) {
    const params = { identityProviderId };
    const { key, issuer, hasClientSecret, redirectUri, ...body } = await walk.read('getIdentityProviderForEdit', {
      params,
    });
    await walk.write('editIdentityProvider', { params, body });
    await walk.write('deleteIdentityProvider', { params });
  }
}

/** The administrator of the demo: an account with a user name. */
export const administratorOf = (users: readonly Json[]): number =>
  users.find(({ contactEmail }) => contactEmail === 'admin@alveria.example')?.id;

async function walkPeople(walk: Walk, { users, groups, me }: Found, picture: string): Promise<void> {
  await walk.write('createUser', {
    body: {
      firstname: 'Ada',
      lastname: 'Example',
      contactEmail: 'ada@people.example',
      userCredentialsConfiguration: {
        custom: { username: 'ada.example', active: true, profilePhoto: { newContentRef: picture } },
      },
      resetUserCustomCredentialsCommand: { generatePassword: true, forceCredentialsExpiration: true },
    },
  });
  await walk.write('importUsers', {
    body: { csv: 'firstname,lastname,contactEmail\nAda,Example,ada@people.example\nAda,Admin,admin@alveria.example\n' },
  });
  const present = users.filter(({ deleted, systemAccount, id }) => !deleted && !systemAccount && id !== me.id);
  const withPhoto = present.find(({ accountPhotoUrl }) => accountPhotoUrl) ?? present[0];
  for (const { id: userId } of [present[1], withPhoto] as Json[]) {
    const form = await walk.read('getUserForEdit', { params: { userId } });
    await walk.write('editUser', {
      params: { userId },
      body: {
        firstname: form.firstname,
        lastname: `${form.lastname} X`,
        contactEmail: form.contactEmail,
        occToken: form.occToken,
      },
    });
    const { occToken } = await walk.read('getUserCredentialsForEdit', { params: { userId } });
    await walk.write('editUserCredentials', {
      params: { userId },
      body: { userCredentialsConfiguration: { custom: { username: `user${userId}`, active: true } }, occToken },
    });
  }
  await walk.read('requestPasswordReset', { body: { username: 'nobody' } });
  await walk.read('endSession');
  await walk.write('revokeOtherSessions', {});
  const { occToken } = await walk.read('getCurrentUserProfileInfo');
  await walk.write('editMyProfile', {
    body: { phone: '+39 06 1', profilePhoto: { newContentRef: picture }, occToken },
  });
  await walkAccounts(walk, { administrator: administratorOf(users), present: idsOf(present) });
  await walkServiceAccounts(walk, me);
  await walkUnits(walk);
  await walkIdentityProviders(walk);
  await walkWebhookWrites(walk, me);
  const group = groups.find(({ deleted, systemAccount }) => !deleted && !systemAccount) as Json;
  await walk.write('createGroup', {
    body: {
      name: 'Acceptance',
      email: 'acceptance@groups.example',
      externalId: 'G-X',
      visible: true,
      memberIds: idsOf(present).slice(0, 3),
    },
  });
  await walk.write('editGroup', {
    params: { groupId: group.id },
    body: { name: `${group.name} X`, visible: true, occToken: group.occToken },
  });
  await walk.write('deleteGroup', { params: { groupId: group.id } });
  const addUserIds = idsOf(present).slice(0, 2);
  const other = groups.find(({ id, deleted }) => !deleted && id !== group.id);
  await walk.write('editGroupMembers', {
    body: {
      groupMembers: [
        { id: group.id, occToken: group.occToken, addUserIds },
        { id: other?.id, occToken: 999_999, addUserIds },
        { id: 4711, occToken: 1, addUserIds },
      ],
    },
  });
}

async function walkAdministration(
  walk: Walk,
  { users, workspaceIds, communities, definitions, catalogs }: Found,
): Promise<void> {
  const workspaceId = workspaceIds[0] as number;
  const form = await walk.read('getWorkspaceForEdit', { params: { workspaceId } });
  await walk.write('editWorkspace', {
    params: { workspaceId, occToken: form.occToken },
    body: {
      name: `${form.contentData?.name} X`,
      translations: form.contentData?.translations,
      description: form.contentData?.description,
    },
  });
  const {
    name: _name,
    hosts: _hosts,
    attachmentQuotaBytes: _quota,
    ...tenant
  } = await walk.read('getTenantSettings', {});
  await walk.write('editTenantSettings', { body: { ...tenant, accessTokenSeconds: 3600 } });
  const notice = { accentColor: '#0b6e4f', signInNotice: 'For employees.', imprintUrl: 'https://acme.example/imprint' };
  await walk.write('editBranding', { body: { ...notice, occToken: tenant.occToken } });
  await walk.write('createWorkspace', { body: { name: 'Acceptance', translations: { it: 'Collaudo' } } });
  await walk.write('createCommunity', { body: { workspaceId, name: 'Acceptance', draft: true } });
  const params = { communityId: communities[0]?.id };
  const {
    workspaceId: _where,
    coverImageTemporaryContentViewLink,
    ...settings
  } = await walk.read('getCommunityForEdit', { params });
  await walk.write('editCommunity', { params, body: { ...settings, name: `${settings.name} X` } });
  await walk.write('archiveWorkspace', { params: { workspaceId }, body: { archived: true } });
  await walk.write('archiveCommunity', { params, body: { archived: true } });
  await walk.write('moveCommunity', { params, body: { workspaceId } });
  const { items: [member] = [] } = await walk.read('listCommunityMembers', { params });
  const given = { userId: member?.user?.id ?? users[0]?.id, roleId: 2 };
  await walk.write('markWaiting', { body: { items: [{ kind: 1, id: 4711 }] } });
  await walk.write('markNotifications', { body: { untilId: 4711, read: true } });
  await walk.write('editNotificationPreferences', {
    body: { preferences: [{ kind: 5, enabled: true, mail: 'digest', push: true, communityId: communities[0]?.id }] },
  });
  await walk.write('createCalendarFeed', { body: { communityId: communities[0]?.id } });
  await walk.write('editCommunityFollowing', { params: { communityId: communities[0]?.id }, body: { following: 1 } });
  await walk.write('editCommunityMembers', { params, body: { userRoles: [given] } });
  await walkViews(walk, params.communityId as number, definitions[params.communityId as number]);
  await walkDefinition(walk, params);
  const plain = communities.find(({ id }) => definitions[id]?.workflowDefinition?.empty);
  await walk.write('createCommunityWorkflow', {
    params: { communityId: plain?.id },
    body: {
      title: 'Acceptance',
      states: [
        { name: 'Open', initial: true },
        { name: 'Closed', terminal: true },
      ],
      transitions: [{ name: 'Close', from: 'Open', to: 'Closed' }],
    },
  });
  const inUse = communities.find(({ id }) => definitions[id]?.workflowDefinition?.states?.length > 0);
  const moved = { communityId: inUse?.id };
  const { screenFields, ...workflow } = await walk.read('getCommunityWorkflowForEdit', { params: moved });
  await walk.write('editCommunityWorkflow', { params: moved, body: { ...workflow, title: 'Acceptance' } });
  const enumValues = [{ label: 'One', externalId: 'one' }];
  await walk.write('createScreenField', { params: moved, body: { label: 'Acceptance', type: 7, enumValues } });
  const ofScreen = { ...moved, screenFieldId: screenFields?.[0]?.fieldId };
  const { occToken: screenToken, description } = await walk.read('getScreenFieldForEdit', { params: ofScreen });
  await walk.write('editScreenField', {
    params: ofScreen,
    body: { label: 'Acceptance', description, occToken: screenToken },
  });
  await walk.write('createPostField', { params, body: { label: 'Acceptance', type: 7, enumValues } });
  const fieldId = definitions[params.communityId]?.fieldDefinitions?.[0]?.id;
  const fieldForm = await walk.read('getPostFieldForEdit', { params: { ...params, fieldId } });
  const { type, catalogId: _catalog, parentId: _parent, ...field } = fieldForm;
  await walk.write('editPostField', { params: { ...params, fieldId }, body: { ...field, label: 'Acceptance' } });
  const keep = { onExisting: 'keep', occToken: field.occToken };
  await walk.write('removeField', { params: { ...params, fieldId }, body: keep });
  const ofText = definitions[params.communityId]?.fieldDefinitions?.find((one: Json) => one.type === 6);
  const retyped = { ...params, fieldId: ofText?.id };
  await walk.write('changeFieldType', { params: retyped, body: { type: 9, occToken: field.occToken } });
  const { versions } = await walk.read('listDefinitionVersions', { params });
  const earliest = { ...params, version: versions.at(-1)?.version };
  await walk.write('restoreDefinitionVersion', { params: earliest, body: keep });
  const catalogId = catalogs[0]?.id as number;
  const { occToken, contentData } = await walk.read('getCatalogForEdit', { params: { catalogId } });
  const parentId = contentData?.parentCatalog?.id as number | undefined;
  await walk.write('createCatalog', { body: { name: { en: 'Acceptance' }, parentId: catalogId } });
  await walk.write('editCatalog', { params: { catalogId }, body: { name: { en: 'Sites X' }, parentId, occToken } });
  await walk.write('editCatalogDeleted', { params: { catalogId }, body: { deleted: true } });
  const [entry] = await walk.items('listPostDefinitionCatalogEntries', { params: { catalogId } }, 1);
  const entryId = entry?.id as number;
  const entryForm = await walk.read('getCatalogEntryForEdit', { params: { catalogId, entryId } });
  await walk.write('putCatalogEntries', {
    params: { catalogId },
    body: { entries: [{ label: { en: 'Acceptance' } }] },
  });
  await walk.write('createCatalogEntry', {
    params: { catalogId },
    body: { label: { en: 'Acceptance' }, externalId: 'ACC' },
  });
  await walk.write('editCatalogEntry', {
    params: { catalogId, entryId },
    body: { label: { en: 'X' }, parentIds: idsOf(entryForm.parents ?? []).slice(0, 1), occToken: entryForm.occToken },
  });
  await walk.write('editCatalogEntryDeleted', { params: { catalogId, entryId }, body: { deleted: true } });
}

/** Custom data that a form gives back, without fields that cannot be written. */
function writable(found: Found, communityId: number, data: Json | undefined): Json {
  const fields = (found.definitions[communityId]?.fieldDefinitions as Json[] | undefined) ?? [];
  const closed = new Set(
    fields.flatMap(({ id, readonly, visibleInEdit }) => (readonly || !visibleInEdit ? [String(id)] : [])),
  );
  return Object.fromEntries(Object.entries(written(data)).filter(([id]) => !closed.has(id)));
}

async function walkPostWrites(walk: Walk, found: Found): Promise<void> {
  for (const { id: communityId } of found.communities as { id: number }[]) {
    const list = (found.posts.get(communityId) ?? []).filter(({ capabilities }) => capabilities?.canModify);
    // The posts with the most content: their edits have the largest answers.
    const fullest = [...list].sort((a, b) => b.attachmentsCount - a.attachmentsCount).slice(0, 2);
    const planned = await walk.items(
      'listCommunityPostsFiltered',
      { params: { communityId }, body: { orderBy: 'postScheduledPublication', pinnedFirst: false, pageSize: 1 } },
      1,
    );
    for (const { id: postId, type } of [...fullest, ...planned] as { id: number; type: number }[]) {
      const params = { postId };
      const form = await walk.call('getCustomPostDataForEdit', { params });
      if (form.status !== 200 || !form.body) continue;
      const { contentData = {}, occToken } = form.body as { contentData?: Json; occToken: number };
      const customData = writable(found, communityId, contentData.customData);
      const body = { title: `${contentData.title} X`, description: contentData.descriptionDelta ?? DELTA, customData };
      await walk.write('editCustomPost', { params: { ...params, occToken }, body });
      await walk.write('patchPost', { params, body: { ...body, occToken } });
      await walk.write('restorePostVersion', { params, body: { versionNumber: 0, occToken } });
      if (type === 1) await walk.write('movePost', { params, body: { ...moveOf(found, communityId), occToken } });
      await walk.write('editPostCustomData', { params: { ...params, occToken }, body: { customData } });
      await walk.write('copyCustomPost', { params: { ...params, occToken }, body: { ...body, announcement: false } });
      await walk.write('editPostWatchers', { params, body: { removeWatcherUserIds: [found.me.id] } });
      const [file] = (contentData.attachments as Json[] | undefined) ?? [];
      if (file) {
        await walk.write('editPostAttachments', {
          params,
          body: {
            updateAttachments: [{ attachmentId: file.id, name: `x-${file.name}` }],
            addAttachments: [{ attachmentId: file.id }],
          },
        });
        await walk.write('editPostAttachments', { params, body: { removeAttachmentIds: [file.id] } });
      }
      await walk.write('createPostComment', {
        params,
        body: { comment: mentioning(found), clientUid: `acceptance-${postId}` },
      });
      const { canEditLike } = await walk.read('getPostCapabilities', { params });
      if (canEditLike) await walk.write('editPostLike', { params, body: { liked: true } });
      const { canModify } = await walk.read('getPostCapabilities', { params });
      if (canModify) {
        await walk.write('editPostPin', { params, body: { pinned: true } });
        await walk.write('editPostAnnouncement', { params, body: { announcement: true } });
      }
      const { canAcknowledge, canRequestAcknowledgements } = await walk.read('getPostCapabilities', { params });
      if (canRequestAcknowledgements) {
        await walk.write('requestAcknowledgements', { params, body: { userIds: [found.me.id] } });
        await walk.write('withdrawAcknowledgements', { params });
      }
      if (canAcknowledge) await walk.write('acknowledgePost', { params });
      await walk.write('editPostRead', { params, body: { read: false } });
      await walk.write('editPostFollowing', { params, body: { following: 2 } });
      const { items: comments = [] } = await walk.read('listPostComments', { params });
      const own = (comments as Json[]).find(({ capabilities }) => capabilities?.canEdit);
      if (own) {
        const comment = { commentId: own.id };
        const { occToken: commentToken } = await walk.read('getPostCommentForEdit', { params: comment });
        await walk.write('editPostComment', {
          params: comment,
          body: { comment: mentioning(found), occToken: commentToken },
        });
        if (canEditLike) await walk.write('editPostCommentLike', { params: comment, body: { liked: true } });
        await walk.write('deletePostComment', { params: comment });
        await walk.write('restorePostComment', { params: comment });
      }
      await walk.write('patchPosts', { params: {}, body: { posts: [{ postId, occToken, patch: body }] } });
      await walk.write('deletePosts', { params: {}, body: { postIds: [postId] } });
      await walk.write('markPostAsErasable', { params });
      await walk.write('deletePost', { params });
      await walk.write('restorePost', { params });
      if (fullest[0]?.id === postId) {
        await walk.write('createPosts', {
          params: { communityId },
          body: {
            posts: [{ ...body, announcement: false, clientUid: 'acceptance-many' }, { title: 'x'.repeat(1_001) }],
          },
        });
        await walkTemplates(walk, communityId, body);
        await walk.write('createCustomPost', {
          params: { communityId },
          body: { ...body, announcement: true, visibility: 2 },
        });
        await walk.write('createCustomPost', {
          params: { communityId },
          body: { ...body, announcement: false, draft: true, scheduledPublication: EXPIRATION },
        });
      }
    }
  }
}

async function walkEvents(walk: Walk, found: Found): Promise<void> {
  for (const { id: communityId, operationalCapabilities } of found.communities) {
    const events = await walk.items(
      'listCommunityPostsFiltered',
      { params: { communityId }, body: { communityPostFilters: { postTypes: [2] } } },
      1,
    );
    const covered = [...events].sort((a, b) => Number(b.coverImage !== undefined) - Number(a.coverImage !== undefined));
    for (const { id: postId } of covered.slice(0, 4) as { id: number }[]) {
      const form = await walk.read('getEventPostDataForEdit', { params: { postId } });
      const { contentData = {}, occToken } = form as { contentData?: Json; occToken: number };
      const body = {
        title: contentData.title,
        description: contentData.descriptionDelta ?? DELTA,
        event: contentData.event,
        ...(contentData.coverImageContentRef && { coverImageContentRef: contentData.coverImageContentRef }),
      };
      await walk.write('editEventPost', { params: { postId, occToken }, body });
      await walk.write('copyEventPost', { params: { postId, occToken }, body: { ...body, announcement: false } });
      await walk.write('editPostEventPartecipate', { params: { postId }, body: { typeId: 1, notes: 'Coming.' } });
    }
    if (!operationalCapabilities?.createEventPost) continue;
    await walk.write('createEventPost', {
      params: { communityId },
      body: {
        title: 'Acceptance',
        description: DELTA,
        announcement: false,
        event: { startAt: { localDatetime: '2031-05-02T09:00:00' }, timezone: 'Asia/Tokyo', location: 'Here' },
      },
    });
  }
}

async function walkWorkflow(walk: Walk, found: Found): Promise<void> {
  for (const [, list] of found.posts) {
    const runnable = list.filter(
      ({ capabilities }) => (capabilities?.workflowPermittedOperations as Json[] | undefined)?.length,
    );
    for (const post of runnable.slice(0, 6)) {
      const postId = post.id as number;
      for (const operation of post.capabilities.workflowPermittedOperations as Json[]) {
        const workflowOperationId = operation.id as number;
        const params = { postId, workflowOperationId };
        if (!operation.screen) {
          await walk.write('executePostWorkflowOperation', { params, body: {} });
          await walk.write('transitionPosts', { params: {}, body: { workflowOperationId, postIds: [postId] } });
          continue;
        }
        const form = await walk.read('getPostWorkflowScreenDataForEdit', {
          params: { postId },
          query: { workflowOperationId },
        });
        // Screens with missing values are refused; both answers are walked.
        await walk.call('executePostWorkflowOperation', {
          params,
          query: { dryRun: true },
          body: { screenData: written(form.screenData), screenOccToken: form.screenOccToken },
        });
      }
    }
    const editable = list.filter(({ capabilities }) => capabilities?.canEditWorkflowScreenData).slice(0, 4);
    for (const { id: postId } of editable as { id: number }[]) {
      const form = await walk.read('getPostWorkflowScreenDataForEdit', { params: { postId } });
      await walk.call('editPostWorkflowScreenData', {
        params: { postId, screenOccToken: form.screenOccToken },
        query: { dryRun: true },
        body: { screenData: written(form.screenData) },
      });
    }
  }
}
