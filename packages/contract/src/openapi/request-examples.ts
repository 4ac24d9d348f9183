/** Examples of request bodies: every order and every pair of operator and type of field of the main list, and the usual writes. */
import { FilterType, TextFormat, Visibility } from '../codes/codes.ts';
import { SubTaskState, TaskPriority, UserStatus } from '../codes/defined-codes.ts';
import { FieldType, fieldTypes } from '../codes/field-types.ts';
import {
  customFieldOrderPrefix,
  deprecatedCustomFieldOrderPrefix,
  deprecatedPostOrders,
  postOrders,
} from '../filters.ts';
import type { OperationId } from '../operations/index.ts';
import type { OperationIo } from '../operations/io.ts';

/** An example as OpenAPI has it. */
export interface Example<T = unknown> {
  readonly summary: string;
  readonly value: T;
}

type FilterBody = OperationIo['listCommunityPostsFiltered']['body'];

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1);

function nextValue(value: string | number | boolean): string | number | boolean {
  return typeof value === 'number' ? value + (value > 1_000_000_000_000 ? 30 * day : 1) : value;
}

function parametersFor(type: FieldType, operator: FilterType): (string | number | boolean)[] {
  const value = fieldTypes[type].example;
  switch (operator) {
    case FilterType.IS_EMPTY:
      return [];
    case FilterType.INTERVAL:
    case FilterType.IN:
    case FilterType.IS_NULL_OR_IN:
      return [value, nextValue(value)];
    default:
      return [value];
  }
}

/** One example for each operator that a type of field takes. */
function filterExamples(): Record<string, Example<FilterBody>> {
  const examples: Record<string, Example<FilterBody>> = {};
  for (const [typeName, type] of Object.entries(FieldType)) {
    for (const [operatorName, typeId] of Object.entries(FilterType)) {
      if (!fieldTypes[type].operators.includes(typeId)) continue;
      examples[`filter-${typeName}-${operatorName}`] = {
        summary: `Field of type ${typeName}, operator ${operatorName}`,
        value: { postFieldFilters: [{ columnId: 4100 + type, typeId, parameters: parametersFor(type, typeId) }] },
      };
    }
  }
  return examples;
}

/** One example for each order; dates and recency run downwards, names and numbers upwards. */
function orderExamples(): Record<string, Example<FilterBody>> {
  const examples: Record<string, Example<FilterBody>> = {};
  for (const orderBy of [...postOrders, `${customFieldOrderPrefix}4104` as const]) {
    const orderDesc = /Timestamp|Recency|Publication/.test(orderBy);
    examples[`order-${orderBy}`] = {
      summary: `Ordered by ${orderBy}, ${orderDesc ? 'descending' : 'ascending'}`,
      value: { orderBy, orderDesc, pinnedFirst: false },
    };
  }
  return examples;
}

function deprecatedOrderExamples(): Record<string, Example<OperationIo['listCommunityPosts']['body']>> {
  const names = Object.keys(deprecatedPostOrders) as (keyof typeof deprecatedPostOrders)[];
  const examples: Record<string, Example<OperationIo['listCommunityPosts']['body']>> = {};
  for (const orderBy of [...names, `${deprecatedCustomFieldOrderPrefix}4104` as const]) {
    examples[`order-${orderBy}`] = { summary: `Ordered by ${orderBy}`, value: { orderBy } };
  }
  return examples;
}

const delta = JSON.stringify([{ insert: 'Agenda and papers are attached.\n' }]);

/** Examples of request bodies by operation, each valid against the operation's body schema. */
export const requestExamples: {
  readonly [K in OperationId]?: Readonly<Record<string, Example<OperationIo[K]['body']>>>;
} = {
  createAccessTokenByServiceAccount: {
    assertion: { summary: 'Signed assertion', value: { jwtAssertion: 'eyJhbGciOiJSUzUxMiIsImtpZCI6Nn0.….…' } },
  },
  createAccessTokenByGoogleOAuth2: {
    token: { summary: 'Token of the provider', value: { googleOAuth2Token: 'ya29.…' } },
  },
  listCommunityPostsFiltered: {
    first: {
      summary: 'First page with its total',
      value: { pageSize: 20, calculateTotalItemsCount: true, orderBy: 'postLastModifyAndCommentTimestamp' },
    },
    nested: {
      summary: 'Filters nested, as existing clients send them',
      value: {
        communityPostFilters: { mentioned: false, postTypes: [], title: 'budget', postFieldFilters: [] },
        communityAttachmentFilters: { excludeFilePickers: false, hashtagIds: [] },
        orderBy: 'postLastModifyAndCommentTimestamp',
        orderDesc: true,
        pinnedFirst: true,
      },
    },
    text: {
      summary: 'Full text, in two workflow states',
      value: { containsText: 'budget', currentWorkflowStatusIds: [51, 52] },
    },
    mine: { summary: 'What I have to do', value: { toManage: true, orderBy: 'postRecency' } },
    screen: {
      summary: 'A field of a workflow screen within bounds',
      value: { screenFieldFilters: [{ columnId: 4205, typeId: FilterType.INTERVAL, parameters: [null, start] }] },
    },
    ...orderExamples(),
    ...filterExamples(),
  },
  listCommunityPosts: {
    first: { summary: 'First page', value: { pageSize: 20, calculateTotalItemsCount: false } },
    ...deprecatedOrderExamples(),
  },
  listSystemUsers: {
    search: {
      summary: 'Active people by name',
      value: {
        fullTextFilter: 'rossi',
        statusFilter: [UserStatus.ACTIVE],
        orderTypeId: 'lastName',
        orderDesc: false,
        pageSize: 50,
      },
    },
  },
  listSystemGroups: {
    byName: { summary: 'By name', value: { fullTextFilter: 'sales', orderTypeId: 'name', orderDesc: false } },
  },
  checkPostVisibility: { some: { summary: 'Three posts', value: { ids: [1201, 1202, 1203] } } },
  listPostAttachmentsByPostId: {
    pictures: {
      summary: 'Pictures, video and sound',
      value: { mimeTypeCategory: 'multimedia', orderBy: 'name', orderDesc: false },
    },
  },
  createCustomPost: {
    plain: {
      summary: 'Plain text and custom fields',
      value: {
        title: 'Budget 2027',
        description: 'First draft for discussion.',
        descriptionFormat: TextFormat.PLAIN_TEXT,
        announcement: false,
        visibility: Visibility.PUBLIC,
        customData: { 4104: '2026-12-01', 4107: [71], 4110: true, 4115: [17] },
        watcherUserIds: [17],
        clientUid: 'budget-2027',
      },
    },
    rich: {
      summary: 'Rich text, published later',
      value: {
        title: 'Board meeting',
        description: delta,
        announcement: true,
        scheduledPublication: { datetime: '2026-12-31T18:00:00', timezone: 'Europe/Rome' },
      },
    },
  },
  editCustomPost: {
    whole: {
      summary: 'The whole form sent back, with a new title',
      value: {
        title: 'Budget 2027, second draft',
        description: delta,
        customData: { 4104: start, 4107: [71] },
        visibility: Visibility.PUBLIC,
      },
    },
  },
  editPostCustomData: { one: { summary: 'One reference changed', value: { customData: { 4107: [72] } } } },
  createPostComment: {
    plain: {
      summary: 'Plain text',
      value: { comment: 'Looks good to me.', commentFormat: TextFormat.PLAIN_TEXT, clientUid: 'c-1' },
    },
  },
  executePostWorkflowOperation: {
    none: { summary: 'A transition without a screen', value: {} },
    screen: { summary: 'A transition with a screen', value: { screenOccToken: 3, screenData: { 4205: start } } },
  },
  createTask: {
    task: {
      summary: 'A task with two steps',
      value: {
        title: 'Collect figures',
        descriptionPlainText: 'From all departments.',
        expiration: { datetime: '2026-12-15T12:00:00', timezone: 'Europe/Rome' },
        priority: TaskPriority.HIGH,
        assigneeUserId: 17,
        subTasks: [
          { description: 'Sales', state: SubTaskState.TO_DO },
          { description: 'Production', state: SubTaskState.DONE },
        ],
      },
    },
  },
  createUser: {
    person: {
      summary: 'A person with a generated password',
      value: {
        firstname: 'Ada',
        lastname: 'Rossi',
        contactEmail: 'ada.rossi@example.org',
        userCredentialsConfiguration: { custom: { username: 'ada.rossi@example.org', active: true } },
        resetUserCustomCredentialsCommand: { generatePassword: true, forceCredentialsExpiration: true },
      },
    },
  },
  editGroupMembers: {
    two: {
      summary: 'Two groups at once',
      value: {
        groupMembers: [
          { id: 31, occToken: 4, addUserIds: [17] },
          { id: 32, occToken: 9, deleteUserIds: [18, 19] },
        ],
      },
    },
  },
  createCatalogEntry: {
    entry: { summary: 'In two languages', value: { label: { en: 'Blue', it: 'Blu' }, externalId: 'blue' } },
  },
};
