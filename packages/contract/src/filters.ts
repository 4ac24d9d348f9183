/** What lists may be filtered and ordered by: operators per type of field, names of orders. */
import { FilterType } from './codes/codes.ts';
import { type FieldType, fieldTypes, fieldTypesWhere } from './codes/field-types.ts';
import { listLimits } from './limits.ts';

/** The operators that a filter on a post or screen field may use, by type of field; any other pair is a 400. */
export const operatorsByFieldType = Object.fromEntries(
  Object.entries(fieldTypes).map(([type, { operators }]) => [type, operators]),
) as unknown as Readonly<Record<FieldType, readonly FilterType[]>>;

/** How many parameters an operator takes: at least `min`, at most `max`. */
export const operatorParameters: Readonly<Record<FilterType, { readonly min: number; readonly max: number }>> = {
  [FilterType.EQUAL]: { min: 1, max: 1 },
  [FilterType.INTERVAL]: { min: 2, max: 2 },
  [FilterType.LIKE]: { min: 1, max: 1 },
  [FilterType.IN]: { min: 1, max: listLimits.filterIds },
  [FilterType.CONTAINS]: { min: 1, max: 1 },
  [FilterType.IS_NULL_OR_IN]: { min: 0, max: listLimits.filterIds },
  [FilterType.IS_EMPTY]: { min: 0, max: 0 },
};

/** Types of field that may be ordered by; a list, many references and rich text have no order. */
export const sortableFieldTypes = fieldTypesWhere((facts) => facts.sortable);

/** `orderBy` of `listCommunityPostsFiltered`, beside {@link customFieldOrderPrefix} followed by a field id. */
export const postOrders = [
  'postCustomId',
  'postTitle',
  'postCreatorUser',
  'postCreationTimestamp',
  'postLastModifyUser',
  'postLastModifyTimestamp',
  'postLastModifyAndCommentTimestamp',
  'postViewedByMeTimestamp',
  'postModifiedByMeTimestamp',
  'postCommentedByMeTimestamp',
  'postScheduledPublication',
  'postRecency',
] as const;
export type PostOrder = (typeof postOrders)[number];

/** What a list of posts is ordered by when nothing is said. */
export const defaultPostOrder: PostOrder = 'postLastModifyAndCommentTimestamp';

/** `postCustomField-4711` orders by the custom field 4711. */
export const customFieldOrderPrefix = 'postCustomField-';

/** Layouts of a saved view. */
export const viewLayouts = ['table', 'board', 'calendar'] as const;
/** Columns of a saved view: members of the posts of a list, beside {@link customFieldOrderPrefix} followed by a field id. */
export const viewColumns = [
  'customId',
  'title',
  'type',
  'descriptionPlainText',
  'currentWorkflowState',
  'creatorUser',
  'creationTimestamp',
  'lastModifyUser',
  'lastModifyTimestamp',
  'lastOperationTimestamp',
  'visibility',
  'announcement',
  'attachmentsCount',
  'commentsCount',
  'likesCount',
  'tasksCount',
  'viewsCount',
  'watchersCount',
] as const;
/** What a saved view may group by, beside fields that hold one value of a list, or yes or no. */
export const viewGroups = ['currentWorkflowState', 'creatorUser', 'type'] as const;
/** The days on which a calendar shows posts, beside fields that hold dates. */
export const viewDates = ['event', 'creationTimestamp', 'lastModifyTimestamp', 'lastOperationTimestamp'] as const;

/** The field of a name such as `postCustomField-4711`. @returns null for another name */
export function customFieldOf(name: string): number | null {
  return customFieldId(name, customFieldOrderPrefix);
}

/** Order names of the deprecated `listCommunityPosts`, each with its present name. */
export const deprecatedPostOrders = {
  customId: 'postCustomId',
  title: 'postTitle',
  creatorUser: 'postCreatorUser',
  creationTimestamp: 'postCreationTimestamp',
  lastModifyUser: 'postLastModifyUser',
  lastModifyTimestamp: 'postLastModifyTimestamp',
  lastModifyAndCommentTimestamp: 'postLastModifyAndCommentTimestamp',
  viewedByMeTimestamp: 'postViewedByMeTimestamp',
  modifiedByMeTimestamp: 'postModifiedByMeTimestamp',
  commentedByMeTimestamp: 'postCommentedByMeTimestamp',
  scheduled_publication: 'postScheduledPublication',
  recency: 'postRecency',
} as const satisfies Readonly<Record<string, PostOrder>>;
export type DeprecatedPostOrder = keyof typeof deprecatedPostOrders;

/** Prefix of a custom field among the deprecated order names. */
export const deprecatedCustomFieldOrderPrefix = 'customField-';

/** What an `orderBy` of a list of posts asks for. */
export type ParsedPostOrder = { readonly order: PostOrder } | { readonly customFieldId: number };

function customFieldId(text: string, prefix: string): number | null {
  if (!text.startsWith(prefix)) return null;
  const digits = text.slice(prefix.length);
  if (!/^[0-9]{1,16}$/.test(digits)) return null;
  const id = Number(digits);
  return Number.isSafeInteger(id) ? id : null;
}

/**
 * Reads an `orderBy` of `listCommunityPostsFiltered`.
 * @returns null when the name is unknown (a 400 for the caller)
 */
export function parsePostOrder(orderBy: string): ParsedPostOrder | null {
  const order = postOrders.find((name) => name === orderBy);
  if (order) return { order };
  const id = customFieldId(orderBy, customFieldOrderPrefix);
  return id === null ? null : { customFieldId: id };
}

/**
 * Reads an `orderBy` of the deprecated `listCommunityPosts`, which has names of its own.
 * @returns null when the name is unknown (a 400 for the caller)
 */
export function parseDeprecatedPostOrder(orderBy: string): ParsedPostOrder | null {
  if (Object.hasOwn(deprecatedPostOrders, orderBy)) {
    return { order: deprecatedPostOrders[orderBy as DeprecatedPostOrder] };
  }
  const id = customFieldId(orderBy, deprecatedCustomFieldOrderPrefix);
  return id === null ? null : { customFieldId: id };
}

/** `orderTypeId` of the list of users; default `lastName`, then first name and id. */
export const userOrders = [
  'lastName',
  'firstName',
  'contactEmail',
  'externalId',
  'role',
  'place',
  'businessUnit',
  'area',
  'creationTimestamp',
  'lastAccessTimestamp',
  'id',
] as const;
export type UserOrder = (typeof userOrders)[number];

/** `orderTypeId` of the list of groups; default `name`. */
export const groupOrders = ['name', 'email'] as const;
/** `orderBy` of the list of a community's hashtags; default `name`. */
export const hashtagOrders = ['name', 'externalId'] as const;
/** `orderBy` of the entries of a catalog; default `label`. */
export const catalogEntryOrders = ['label', 'externalId'] as const;
/** `orderBy` of a post's attachments; default `creationTimestamp`. */
export const attachmentOrders = [
  'name',
  'mimeType',
  'size',
  'creatorUserId',
  'creationTimestamp',
  'entityType',
] as const;

/** Items on a page when `pageSize` is left out. */
export const defaultPageSize = 20;
/** A larger `pageSize` is cut to this. */
export const maximumPageSize = 500;
/** Most ids that a check of visibility or a bulk read takes. */
export const maximumBulkIds = 1000;

/** What an entry of the audit log says that happened. */
export const auditActions = ['created', 'modified', 'deleted', 'signedIn', 'signInFailed', 'exported'] as const;

/** Kinds of objects in the audit log. */
export const auditObjects = [
  'user',
  'group',
  'workspace',
  'community',
  'tenant',
  'identityProvider',
  'area',
  'businessUnit',
  'role',
  'calendarFeed',
  'import',
  'auditLog',
] as const;

/** Columns of a CSV file of people. */
export const importedColumns = [
  'firstname',
  'lastname',
  'contactEmail',
  'username',
  'externalId',
  'language',
  'role',
  'area',
  'businessUnit',
  'manager',
  'phone',
  'mobilePhone',
  'place',
  'adminCapabilities',
] as const;

/** States of outgoing mail. */
export const mailStates = ['waiting', 'failed', 'unsent', 'sent'] as const;

/** States of imports, and what one that runs is doing. */
export const importStates = ['waiting', 'running', 'done', 'cancelled', 'failed'] as const;
export type ImportState = (typeof importStates)[number];
export const importPhases = ['reading', 'preparing', 'writing', 'references', 'history'] as const;
export type ImportPhase = (typeof importPhases)[number];

/** What the tasks of a list are to the caller. */
export const taskRelations = ['assigned', 'created', 'watched', 'any'] as const;
/** Orders of lists of tasks. */
export const taskOrders = ['expiration', 'creationTimestamp', 'lastModifyTimestamp', 'priority'] as const;
