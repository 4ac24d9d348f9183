/** Valid requests of every operation, and the places in them where ids stand: made from the contract. */
import { type Operation, type OperationId, operationById, operationList } from '@portico/contract';
import { type DeclaredName, declarations, type FieldSchema } from '@portico/contract/schemas';
import { CHIEF_PASSWORD, type Objects, ROOT } from './objects.fixture.ts';

/** The name of a member of {@link Objects} that an id is taken from. */
export type Kind = Exclude<keyof Objects, 'tokens' | 'moveTarget'>;

export interface Asked {
  operation: Operation;
  params: Record<string, string | number>;
  query: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

/** Operations about events: their `postId` is that of an event. */
const OF_EVENTS: readonly OperationId[] = [
  'listEventGuests',
  'getEventPostDataForEdit',
  'getEventPostDataForCopy',
  'editEventPost',
  'copyEventPost',
  'editPostEventPartecipate',
];

const event = { startAt: { localDatetime: '2027-05-01T10:00' }, timezone: 'Europe/Rome' };
const text = { title: 'Own title', description: 'Own text', descriptionFormat: 2 };
const expiration = { datetime: '2027-05-01T10:00', timezone: 'Europe/Rome' };

/** Bodies that are accepted, by operation; operations that are not here take `{}`. */
function bodyOf(id: string, own: Objects): Record<string, unknown> {
  switch (id) {
    case 'createPersonalToken':
      return { name: 'Report', access: 'read', validDays: 1, onlyCommunityIds: [own.communityId] };
    case 'createPushSubscription':
      return {
        endpoint: 'https://push.example.com/send/1',
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      };
    case 'markNotifications':
      return { ids: [4711], read: true };
    case 'editNotificationPreferences':
      return { preferences: [{ kind: 5, enabled: true, communityId: own.communityId }] };
    case 'markWaiting':
      return { items: [{ kind: 1, id: 4711 }] };
    case 'startImport':
      return { importId: own.importId, mapping: 'externalId: id' };
    case 'planCommunityArchive':
    case 'importCommunityArchive':
      return { contentRef: '0'.repeat(64) };
    case 'suggestImportMapping':
      return { importId: own.importId };
    case 'createPostTemplate':
      return { name: 'Some template' };
    case 'editPostTemplate':
      return { name: 'Some template', occToken: 1 };
    case 'createSavedView':
      return { name: 'Some view' };
    case 'editSavedView':
      return { name: 'Some view', occToken: 1 };
    case 'editDefaultView':
      return { viewId: own.viewId };
    case 'leaveUser':
      return { account: 'keep' };
    case 'changeUsers':
      return { userIds: [own.userId], blocked: false, addGroupIds: [own.groupId] };
    case 'reassignTasks':
      return { taskIds: [own.taskId], assigneeUserId: own.userId };
    case 'setTaskState':
      return { state: 2 };
    case 'renamePasskey':
      return { name: 'Laptop' };
    case 'editMyProfile':
      return { phone: '+39 06 1', occToken: 1 };
    case 'removePasskey':
      return { password: CHIEF_PASSWORD };
    case 'createUser':
      return { firstname: 'Some', lastname: 'Body' };
    case 'editUser':
      return { firstname: 'Some', lastname: 'Body', occToken: 1 };
    case 'editUserCredentials':
      return { userCredentialsConfiguration: {}, occToken: 1 };
    case 'createServiceAccount':
      return { name: 'Some program' };
    case 'editServiceAccount': {
      // Its present roles: others need another right.
      const communityRoles = [{ communityId: own.communityId, roleId: 3 }];
      return { name: 'Some program', communityRoles, occToken: 1 };
    }
    case 'createWebhook': {
      const seen = { serviceAccountId: own.serviceAccountId, communityIds: [own.communityId] };
      return { name: 'Some', ...seen, address: 'https://hooks.acme.example/' };
    }
    case 'editWebhook':
      return { name: 'Some', communityIds: [own.communityId], occToken: 1 };
    case 'replayWebhook':
      return { fromNumber: 1 };
    case 'createIdentityProvider':
    case 'editIdentityProvider': {
      const groups = { groupsClaim: 'groups', groupMappings: [{ value: 'staff', groupId: own.groupId }] };
      if (id === 'editIdentityProvider') return { name: 'Some provider', clientId: 'portico', ...groups, occToken: 1 };
      return { key: 'some', name: 'Some', issuer: 'https://id.acme.example', clientId: 'portico', ...groups };
    }
    case 'importUsers':
      return { csv: 'firstname,lastname\nSome,Body\n' };
    case 'createArea':
    case 'createBusinessUnit':
      return { name: 'Some unit' };
    case 'editArea':
    case 'editBusinessUnit':
      return { name: 'Some unit', occToken: 1 };
    case 'createRole':
      return { name: 'Some role', permissions: ['comment'] };
    case 'editRole':
      return { name: 'Some role', permissions: ['comment'], occToken: 1 };
    case 'createGroup':
      return { name: 'Some group', visible: true };
    case 'editGroup':
      return { name: 'Some group', visible: true, occToken: 1 };
    case 'createCatalog':
    case 'editCatalog':
      return { name: { en: 'Some catalog' }, occToken: 1 };
    case 'createCatalogEntry':
    case 'editCatalogEntry':
      return { label: { en: 'Some entry' }, occToken: 1 };
    case 'putCatalogEntries':
      return { entries: [{ label: { en: 'Some entry' } }] };
    case 'editCatalogDeleted':
    case 'editCatalogEntryDeleted':
      return { deleted: true };
    case 'createCommunity':
      return { name: 'Some community', workspaceId: own.workspaceId };
    case 'editCommunity':
      return { name: 'Some community', occToken: own.tokens.community };
    case 'editBranding':
      return { occToken: 1 };
    case 'editTenantSettings':
      return {
        defaultLanguage: 'en',
        defaultTimezone: 'UTC',
        corsOrigins: [],
        audiences: ['*/portal-authenticator'],
        loginDomains: [],
        occToken: 1,
      };
    case 'archiveCommunity':
    case 'archiveWorkspace':
      return { archived: false };
    case 'moveCommunity':
      return { workspaceId: own.workspaceId };
    case 'editMembersEverywhere':
    case 'editCommunityMembers':
      return { userRoles: [{ userId: own.userId, roleId: 3 }], groupRoles: [{ groupId: own.groupId, roleId: 3 }] };
    case 'saveCommunityDraft':
    case 'planCommunity':
    case 'previewCommunity':
    case 'applyCommunity': {
      const named = { key: 'some', name: 'Some name' };
      return { file: { version: 1, workspace: named, community: named } };
    }
    case 'createPostField':
    case 'createScreenField':
      return { label: 'Some field', type: 1 };
    case 'createCommunityWorkflow':
      return { title: 'Some workflow', states: [{ name: 'Open', initial: true }] };
    case 'editCommunityWorkflow': {
      const states = [{ id: own.stateId, name: 'Some state', initial: true }];
      return { states, transitions: [], onExisting: 'keep', occToken: own.tokens.community };
    }
    case 'editPostField':
    case 'editScreenField':
      return { label: 'Some field', occToken: own.tokens.community };
    case 'removeField':
    case 'restoreDefinitionVersion':
      return { onExisting: 'keep', occToken: own.tokens.community };
    case 'changeFieldType':
      return { type: 2, onExisting: 'clear', occToken: own.tokens.community };
    case 'createWorkspace':
    case 'editWorkspace':
      return { name: 'Some workspace' };
    case 'createCustomPost':
    case 'copyCustomPost':
    case 'createPostFromTemplate':
      return { ...text, announcement: false };
    case 'editCustomPost':
      return text;
    case 'patchPost':
      return { ...text, occToken: own.tokens.post };
    case 'createPosts':
      return { posts: [{ ...text, announcement: false }] };
    case 'patchPosts':
      return { postIds: [own.postId], patch: text };
    case 'deletePosts':
    case 'transitionPosts':
      return {
        postIds: [own.postId],
        ...(id === 'transitionPosts' && { workflowOperationId: own.workflowOperationId }),
      };
    case 'createEventPost':
    case 'copyEventPost':
    case 'editEventPost':
      return { ...text, event };
    case 'getPostVersion':
      return { versionNumber: 0 };
    case 'comparePostVersions':
      return { fromVersion: 0 };
    case 'movePost':
      return { ...own.moveTarget, occToken: own.tokens.post };
    case 'restorePostVersion':
      return { versionNumber: 0, occToken: own.tokens.post };
    case 'requestAcknowledgements':
      return { userIds: [own.userId] };
    case 'editTaskReminders':
      return { reminders: [] };
    case 'editPostFollowing':
    case 'editCommunityFollowing':
      return { following: 2 };
    case 'editPostEventPartecipate':
      return { typeId: 1 };
    case 'createPostComment':
      return { comment: 'Own comment', commentFormat: 2 };
    case 'editPostComment':
      return { comment: 'Own comment', commentFormat: 2, occToken: 1 };
    case 'createTask':
    case 'editTask':
      return { title: 'Own task', expiration, assigneeUserId: own.userId };
    default:
      return {};
  }
}

/** A request of an operation that is about one's own objects and is accepted. */
export function ownRequest(id: OperationId, own: Objects): Asked {
  const operation = operationById(id);
  const params: Asked['params'] = {};
  for (const name of Object.keys(operation.pathParams)) params[name] = paramOf(id, name, own);
  const query: Asked['query'] = operation.kind === 'write' ? { dryRun: 'true' } : {};
  if (operation.query['calculateTotalItemsCount']) query['calculateTotalItemsCount'] = 'true';
  return { operation, params, query, body: operation.body === null ? undefined : bodyOf(id, own) };
}

function paramOf(id: OperationId, name: string, own: Objects): string | number {
  if (name === 'occToken') {
    if (id === 'editTask') return own.tokens.task;
    if (id === 'editWorkspace') return 1;
    return OF_EVENTS.includes(id) ? own.tokens.event : own.tokens.post;
  }
  if (name === 'screenOccToken') return 1;
  return own[kindOfParam(id, name)];
}

/** Writes to a whole community, with a community that no other request is about. */
const ALONE: readonly string[] = ['deleteCommunity', 'createCommunityWorkflow', 'archiveCommunity', 'moveCommunity'];

/** Returns the kind of the id in a path parameter. */
function kindOfParam(id: OperationId, name: string): Kind {
  if (id === 'deleteWorkspace' || id === 'archiveWorkspace') return 'emptyWorkspaceId';
  if (name === 'communityId' && ALONE.includes(id)) return 'emptyCommunityId';
  if (id === 'revokeUserSession' && name === 'sessionId') return 'userSessionId';
  return name === 'postId' && OF_EVENTS.includes(id) ? 'eventPostId' : (name as Kind);
}

/** A place in a request where an id stands, and the kind of the id. */
export interface Place {
  id: OperationId;
  /** `path.postId`, `body.attachments[].attachmentId`. */
  where: string;
  kind: Kind;
  /** The request with a value in that place. */
  put(asked: Asked, value: string | number, own: Objects): Asked;
}

const BODY_KINDS: readonly (readonly [RegExp, Kind | undefined])[] = [
  [/^tables|licences|tags|clientUid$|subTasks|ackTaskIds|pageToken|Token$|typeId$|TypeId$/i, undefined],
  [/defaultTimezoneId|timeZoneIds|defaultLanguageId|areaIds|businessUnitIds|area\.|businessUnit\./, undefined],
  [/externalId$|AccountId$|driveId$|roleId$|loginProvider|orderTypeId/i, undefined],
  [/contentRef$/i, 'contentRef'],
  [/postFilePickerFieldId|wfScreenFilePickerFieldId/, 'fieldId'],
  [/screenFieldFilters\[\]\.columnId/, 'screenFieldId'],
  [/columnId$|context\.fieldId$/, 'fieldId'],
  [/hashtagIds\[\]$/i, 'hashtagId'],
  [/attachmentId$|(remove|restore)AttachmentIds\[\]$/i, 'attachmentId'],
  [/workspaceIds/, 'workspaceId'],
  [/communityIds?(\[\])?$/i, 'communityId'],
  [/catalogIds/, 'catalogId'],
  [/removeRoleAssociationIds/, 'roleAssociationId'],
  [/groupMembers\[\]\.id$|invitations\.groups\[\]\.id$|groupIds?(\[\])?$/i, 'groupId'],
  [/invitations\.users\[\]\.id$|(user|manager|member|actor|object)Ids?(\[\])?$/i, 'userId'],
  [/parentCommentId/, 'commentId'],
  [/workflowInitStateId|currentWorkflowStatusIds/, 'stateId'],
  [/workflowOperationId/, 'workflowOperationId'],
  [/viewId$/, 'viewId'],
  [/importId$/, 'importId'],
  [/postId$|post\.id$/, 'postId'],
];

function bodyKind(id: OperationId, path: string): Kind | undefined {
  if (path === 'ids[]') return id === 'checkAttachmentVisibility' ? 'attachmentId' : 'postId';
  // The other filters of a view are stored as they are sent.
  if (/SavedView$/.test(id) && path.startsWith('community') && !/columnId$/.test(path)) return undefined;
  if (path === 'parentId') return 'catalogId';
  if (path === 'parentIds[]' || path === 'entries[].parentIds[]') return 'entryId';
  return BODY_KINDS.find(([pattern]) => pattern.test(path))?.[1];
}

/** Paths of a body at which ids may stand, `[]` for elements of lists. */
function idPaths(name: DeclaredName, prefix = '', depth = 0): string[] {
  if (depth > 4) return [];
  return Object.entries<FieldSchema>(declarations[name].fields).flatMap(([field, schema]) => {
    const path = `${prefix}${field}`;
    const below = (ref: string, at: string) => idPaths(ref.slice(0, -1) as DeclaredName, at, depth + 1);
    if (schema.$ref) return below(schema.$ref, `${path}.`);
    if (schema.type === 'array' && schema.items?.$ref) return below(schema.items.$ref, `${path}[].`);
    if (!/(ids?|refs?|uid)$/i.test(field)) return [];
    return schema.type === 'array' ? [`${path}[]`] : [path];
  });
}

/** Every place of every operation. Values of custom data are places too, by the kind of the field. */
export function allPlaces(): Place[] {
  return operationList.flatMap((operation) => {
    const id = operation.id as OperationId;
    const places: Place[] = [];
    for (const [name, type] of Object.entries(operation.pathParams)) {
      if (/occToken|^version$/i.test(name) || (type === 'string' && name !== 'clientUid')) continue;
      places.push({
        id,
        where: `path.${name}`,
        kind: kindOfParam(id, name),
        put: (asked, value) => ({ ...asked, params: { ...asked.params, [name]: value } }),
      });
    }
    for (const name of ['workflowOperationId', 'userId'] as const) {
      if (!operation.query[name]) continue;
      places.push({
        id,
        where: `query.${name}`,
        kind: name,
        put: (asked, value) => ({ ...asked, query: { ...asked.query, [name]: String(value) } }),
      });
    }
    for (const path of operation.body === null ? [] : idPaths(operation.body as DeclaredName)) {
      const kind = bodyKind(id, path);
      if (!kind) continue;
      places.push({
        id,
        where: `body.${path}`,
        kind,
        put: (asked, value, own) => ({ ...asked, body: merge(asked.body ?? {}, beside(path, value, own)) }),
      });
    }
    return places;
  });
}

/** The value at its path, with the other members that make the server read it. */
function beside(path: string, value: unknown, own: Objects): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  let at: Record<string, unknown> = root;
  const parts = path.split('.');
  parts.forEach((part, index) => {
    const list = part.endsWith('[]');
    const name = part.replace('[]', '');
    if (index === parts.length - 1) {
      at[name] = list ? [value] : value;
      Object.assign(at, companions(path, name, own), { [name]: at[name] });
      return;
    }
    const next: Record<string, unknown> = {};
    at[name] = list ? [next] : next;
    at = next;
  });
  return root;
}

function companions(path: string, name: string, own: Objects): Record<string, unknown> {
  if (name === 'columnId') return { typeId: 7, parameters: [] };
  if (/^add(User|Group)RoleAssociations/.test(path)) return { roleId: 4 };
  if (path === 'communityRoles[].communityId') return { roleId: 3 };
  if (path === 'groupMembers[].id') return { occToken: 1, addUserIds: [] };
  if (/^groupMembers\[\]\.(add|delete)UserIds/.test(path)) return { id: own.groupId, occToken: 1 };
  if (/ttachments\[\]\.contentRef$/.test(path)) {
    return { name: 'x.png', ...(path.startsWith('update') && { attachmentId: own.attachmentId }) };
  }
  if (/ttachments\[\]\.(hashtagIds\[\]|referencedAttachmentId)$/.test(path)) return { attachmentId: own.attachmentId };
  if (path === 'assigneeGroupId') return { assigneeUserId: undefined };
  if (path.startsWith('context.')) return { type: 1 };
  return {};
}

function merge(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = merged[key];
    const both = [before, value].every((part) => typeof part === 'object' && part !== null && !Array.isArray(part));
    merged[key] = both ? merge(before as Record<string, unknown>, value as Record<string, unknown>) : value;
  }
  return merged;
}

/** Method, path and body of a request. */
export function wire(asked: Asked): { method: string; path: string; body: unknown } {
  const path = asked.operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(asked.params[name])),
  );
  const query = new URLSearchParams(asked.query).toString();
  return { method: asked.operation.method, path: `${ROOT}${path}${query && `?${query}`}`, body: asked.body };
}
