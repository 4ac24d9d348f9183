/** Filters and orders of lists: operators per type of field, names of orders. */
import { FilterType } from './codes/codes.ts';
import { type FieldType, fieldTypes, fieldTypesWhere } from './codes/field-types.ts';
import { listLimits } from './limits.ts';

/**
 * The operators of filters on post and screen fields, by type of field; any other pair returns 400.
 */
export const operatorsByFieldType = Object.fromEntries(
  Object.entries(fieldTypes).map(([type, { operators }]) => [type, operators]),
) as unknown as Readonly<Record<FieldType, readonly FilterType[]>>;

/** Number of parameters of an operator: at least `min`, at most `max`. */
export const operatorParameters: Readonly<Record<FilterType, { readonly min: number; readonly max: number }>> = {
  [FilterType.EQUAL]: { min: 1, max: 1 },
  [FilterType.INTERVAL]: { min: 2, max: 2 },
  [FilterType.LIKE]: { min: 1, max: 1 },
  [FilterType.IN]: { min: 1, max: listLimits.filterIds },
  [FilterType.CONTAINS]: { min: 1, max: 1 },
  [FilterType.IS_NULL_OR_IN]: { min: 0, max: listLimits.filterIds },
  [FilterType.IS_EMPTY]: { min: 0, max: 0 },
};

/**
 * Types of field that lists can be ordered by; lists, multiple references and rich text have no
 * order.
 */
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

/** Default order of a list of posts. */
export const defaultPostOrder: PostOrder = 'postLastModifyAndCommentTimestamp';

/** `postCustomField-4711` orders by the custom field 4711. */
export const customFieldOrderPrefix = 'postCustomField-';

/** Layouts of a saved view that shows figures of posts. */
export const figureLayouts = ['bars', 'lines', 'numbers'] as const;
/** Layouts of a saved view. */
export const viewLayouts = ['table', 'board', 'calendar', ...figureLayouts] as const;
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
/**
 * Members that a saved view can group by, in addition to fields with a single value of a list and
 * flags.
 */
export const viewGroups = ['currentWorkflowState', 'creatorUser', 'type'] as const;
/** The dates by which a calendar shows posts, in addition to fields with dates. */
export const viewDates = ['event', 'creationTimestamp', 'lastModifyTimestamp', 'lastOperationTimestamp'] as const;

/** Properties by which `summarisePosts` groups, beside {@link customFieldOrderPrefix} followed by a field id. */
export const summaryGroups = ['currentWorkflowState', 'creatorUser', 'type', 'hashtags'] as const;
/** Times by which `summarisePosts` groups, each followed by a dot and one of {@link summaryPeriods}. */
export const summaryDates = ['creationTimestamp', 'lastModifyTimestamp'] as const;
/** Periods of groups by a date. */
export const summaryPeriods = ['day', 'week', 'month', 'year'] as const;
export type SummaryPeriod = (typeof summaryPeriods)[number];
/** Measures of `summarisePosts`. */
export const summaryMeasures = ['count', 'sum', 'mean', 'least', 'greatest'] as const;
export type SummaryMeasure = (typeof summaryMeasures)[number];
/** The measured time since a post entered its present state, beside number fields. */
export const timeInState = 'timeInState';

/**
 * Returns the field id of a name like `postCustomField-4711`.
 * @returns null for another name
 */
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

/** The order that an `orderBy` of a list of posts names. */
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
 * @returns null if the name is unknown (the operation returns 400)
 */
export function parsePostOrder(orderBy: string): ParsedPostOrder | null {
  const order = postOrders.find((name) => name === orderBy);
  if (order) return { order };
  const id = customFieldId(orderBy, customFieldOrderPrefix);
  return id === null ? null : { customFieldId: id };
}

/**
 * Reads an `orderBy` of the deprecated `listCommunityPosts`, which has its own names.
 * @returns null if the name is unknown (the operation returns 400)
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
export const catalogEntryOrders = ['label', 'externalId', 'position'] as const;
export type CatalogEntryOrder = (typeof catalogEntryOrders)[number];
/** `orderBy` of a post's attachments; default `creationTimestamp`. */
export const attachmentOrders = [
  'name',
  'mimeType',
  'size',
  'creatorUserId',
  'creationTimestamp',
  'entityType',
] as const;

/** Default page size, if `pageSize` is absent. */
export const defaultPageSize = 20;
/** Maximum page size; a larger `pageSize` is reduced to it. */
export const maximumPageSize = 500;
/** Maximum number of ids in a check of visibility or a bulk read. */
export const maximumBulkIds = 1000;

/** Actions in the audit log. */
export const auditActions = [
  'created',
  'modified',
  'deleted',
  'signedIn',
  'signInFailed',
  'exported',
  'tested',
] as const;

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
  'webhook',
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

/** States of imports, and phases of a running import. */
export const importStates = ['waiting', 'running', 'done', 'cancelled', 'failed'] as const;
export type ImportState = (typeof importStates)[number];
export const importPhases = ['reading', 'preparing', 'writing', 'references', 'history'] as const;
export type ImportPhase = (typeof importPhases)[number];

/**
 * Destination of a column of an imported file: nothing, a part of the post, a field of the
 * community, or a field that the import creates.
 */
export const importTargets = [
  'none',
  'externalId',
  'title',
  'body',
  'state',
  'hashtags',
  'visibility',
  'watchers',
  'author',
  'modifier',
  'created',
  'modified',
  'comments',
  'field',
  'newField',
] as const;
export type ImportTarget = (typeof importTargets)[number];

/** Reason for a suggested destination, the surest first. */
export const importReasons = ['key', 'label', 'preset', 'name', 'near', 'values'] as const;
export type ImportReason = (typeof importReasons)[number];

/** Programs whose exports imports recognise; each has a preset of mappings. */
export const importPresets = ['jira', 'redmine', 'trello', 'asana', 'github-issues', 'portico'] as const;
export type ImportPreset = (typeof importPresets)[number];

/** Relations of the caller to the tasks of a list. */
export const taskRelations = ['assigned', 'created', 'watched', 'any'] as const;
/** Orders of lists of tasks. */
export const taskOrders = ['expiration', 'creationTimestamp', 'lastModifyTimestamp', 'priority'] as const;

/** Events of webhooks, with their meanings. */
export const webhookEvents = {
  'post.created': 'a post has become visible to the account',
  'post.modified': 'the content of a post changed',
  'post.transition.run': 'a transition was run',
  'post.screen.modified': 'values of a workflow screen changed',
  'post.comment.added': 'a comment was added',
  'post.comment.deleted': 'a comment was deleted',
  'post.task.assigned': 'a task was assigned',
  'post.attachment.changed': 'attachments were added, replaced or removed',
  'post.like.changed': 'the post was liked, or a like was withdrawn',
  'post.touched': 'another part of a post changed',
  'post.gone': 'a post was deleted, or the account sees it no longer',
} as const;
/** Name of an event of webhooks. */
export type WebhookEvent = keyof typeof webhookEvents;

/** Forms of the messages of a webhook: Standard Webhooks, and incoming webhooks of chats. */
export const webhookForms = ['standard', 'slack', 'mattermost', 'teams'] as const;
/** Form of the messages of a webhook. */
export type WebhookForm = (typeof webhookForms)[number];
/** Placeholders of the template of a chat message, with their meanings. */
export const webhookPlaceholders = {
  event: "the event, in words of the tenant's default language",
  post: 'the title, as a link to the post',
  title: 'the title',
  link: 'the address of the post',
  number: 'the number of the post within its community',
  community: 'the name of the community',
  state: 'the name of the workflow state',
  author: 'the author of the post',
} as const;
/** Name of a placeholder. */
export type WebhookPlaceholder = keyof typeof webhookPlaceholders;
/** Kinds of signature of Standard Webhooks. */
export const webhookSignatures = ['v1', 'v1a'] as const;
/** Contents of the messages of a webhook. */
export const webhookContents = ['thin', 'whole'] as const;
/** States of a webhook. */
export const webhookStates = [
  'active',
  'paused',
  'gone',
  'failing',
  'filterInvalid',
  'secretLost',
  'accountBlocked',
] as const;
/** State of a webhook. */
export type WebhookState = (typeof webhookStates)[number];
/** States of the messages of a webhook. */
export const webhookDeliveryStates = ['waiting', 'sent', 'failed'] as const;
