/** Explanations of what people may do. */
import { defineOperations } from '../define.ts';
import type { QueryParam } from '../types.ts';

const userId = {
  type: 'integer',
  description:
    'Id of the person. Default: the caller. Editors of the community of the object, and ' +
    'holders of `manageUsers`, can ask about others.',
} as const satisfies QueryParam;

const capability = {
  type: 'string',
  description: 'Name of one capability. Default: all capabilities.',
} as const satisfies QueryParam;

const operationId = {
  type: 'string',
  description: 'Id of an operation of this interface: explains only the capabilities that the operation requires.',
} as const satisfies QueryParam;

const query = { userId, capability, operationId } as const;

const columns = ['capability', 'workflowOperationName', 'permitted', 'sentence'] as const;

const answers = { 200: 'ExplainResponse', 400: null, 403: null, 404: null } as const;

export const explanationOperations = defineOperations('explain', {
  explainPost: {
    method: 'GET',
    path: '/communication/posts/data/explain/{postId}',
    query: {
      ...query,
      workflowOperationId: { type: 'integer', description: 'Id of a transition: only this one.' },
    },
    responses: answers,
    permission: 'seePost',
    extension: true,
    summary: 'Explain the capabilities of a person on a post',
    description:
      'Explains each capability of `getPostCapabilities`, each transition of the workflow and, ' +
      'for an event, the answer to its invitation (`answerEvent`): whether the person has it, ' +
      'and the roles, groups, states and settings that decide, in a sentence and as data. ' +
      'Groups that the caller may not see are not named.',
    clientMethod: 'post',
    command: { rows: 'items', columns, examples: ['4711', '4711 --operation-id editCustomPost --output json'] },
  },
  explainNotifications: {
    method: 'GET',
    path: '/communication/posts/data/explain-notifications/{postId}',
    query: {
      userId: {
        type: 'integer',
        description:
          'Id of the person. Default: the caller. Holders of `manageUsers` can ask about others, also for posts that ' +
          'they do not see.',
      },
    },
    responses: { 200: 'ExplainNotificationsResponse', 400: null, 403: null, 404: null },
    permission: 'seePost',
    extension: true,
    summary: 'Explain the notifications of a person about a post',
    description:
      'Explains for each of the newest 50 events of a post, and for the notifications of its due tasks, whether the ' +
      'person was notified, what became of the mail, and why not. Where there is no notification, the present settings ' +
      'decide the answer. It contains times and types of the events, and no text.',
    clientMethod: 'notifications',
    command: {
      rows: 'items',
      columns: ['timestamp', 'typeDescription', 'notified', 'sentence'],
      examples: ['4711', '4711 --user-id 12 --output json'],
    },
  },
  explainComment: {
    method: 'GET',
    path: '/communication/comments/data/explain/{commentId}',
    query,
    responses: answers,
    permission: 'seePostComments',
    extension: true,
    summary: 'Explain the capabilities of a person on a comment',
    description: 'Works like `explainPost`, for the capabilities of a comment.',
    clientMethod: 'comment',
    command: { rows: 'items', columns, examples: ['815', '815 --capability canEdit --output json'] },
  },
  explainTask: {
    method: 'GET',
    path: '/communication/tasks/data/explain/{taskId}',
    query,
    responses: answers,
    permission: 'seeTask',
    extension: true,
    summary: 'Explain the capabilities of a person on a task',
    description: 'Works like `explainPost`, for the capabilities of a task.',
    clientMethod: 'task',
    command: { rows: 'items', columns, examples: ['90', '90 --capability canUpdateState --output json'] },
  },
  explainView: {
    method: 'GET',
    path: '/communication/views/data/explain/{viewId}',
    query,
    responses: answers,
    permission: 'seeView',
    extension: true,
    summary: 'Explain the capabilities of a person on a saved view',
    description: 'Works like `explainPost`, for the capabilities of a saved view: to see it, `canView`, and `canEdit`.',
    clientMethod: 'view',
    command: { rows: 'items', columns, examples: ['31', '31 --operation-id deleteSavedView --output json'] },
  },
  explainCommunity: {
    method: 'GET',
    path: '/communication/settings/communities/{communityId}/explain',
    query,
    responses: answers,
    permission: 'seeCommunityMembers',
    extension: true,
    summary: 'Explain the capabilities of a person in a community',
    description:
      'Works like `explainPost`, for the `operationalCapabilities` and `adminCapabilities` of ' +
      'a community, for reading its members (`seeMembers`) and for importing posts ' +
      '(`importPosts`).',
    clientMethod: 'community',
    command: { rows: 'items', columns, examples: ['12', '12 --operation-id createCustomPost --output json'] },
  },
  explainRights: {
    method: 'GET',
    path: '/admin/data/explain-rights',
    query: {
      ...query,
      userId: {
        type: 'integer',
        description: 'Id of the person. Default: the caller. Holders of `manageUsers` can ask about others.',
      },
    },
    responses: { 200: 'ExplainResponse', 400: null, 403: null },
    permission: 'authenticated',
    extension: true,
    summary: 'Explain the administrative rights of a person',
    description:
      'Explains for each administrative right, and for all of them together, whether the ' +
      'person holds it, and by which group.',
    clientMethod: 'rights',
    command: { rows: 'items', columns, examples: ['', '--operation-id createUser --output json'] },
  },
});
