/** What the client commands are: nouns, verbs, and how each operation's answer is shown. Verbs follow the client library. */
import type { OperationId } from '@portico/contract';

/** One line for each noun. */
export const nounDescriptions = {
  auth: 'Who the caller is; the exchanges that give out access tokens',
  users: 'People: list, create, edit, delete, block, sign out, ways of signing in',
  groups: 'Groups of people and their members',
  workspaces: 'Workspaces: their forms',
  catalogs: 'Catalogs of values and their entries',
  hashtags: 'Hashtags of a community',
  communities: 'Communities and their post definitions',
  posts: 'Posts and events: list, read, write, history',
  comments: 'Comments of a post',
  workflow: 'Workflow screens and transitions',
  tasks: 'Tasks of a post',
  attachments: 'Files: list, upload, download, attach',
  stream: 'What was created, modified, touched or deleted',
} as const;

export type Noun = keyof typeof nounDescriptions;

/** How an answer is shown. */
export interface Shape {
  /** Member of the answer that holds the rows, for lists that are not paged. */
  rows?: string;
  /** Member that is what was asked for. */
  object?: string;
  /** Columns of a table. */
  columns?: readonly string[];
}

const user = ['id', 'firstName', 'lastName', 'contactEmail', 'externalId', 'blocked', 'deleted'];
const post = ['id', 'customId', 'title', 'currentWorkflowState', 'creatorUser', 'lastModifyTimestamp'];
const community = ['id', 'name', 'workspaceId', 'membersCount'];

/** Shapes of those answers that are not shown as one object in full. */
export const shapes: Partial<Readonly<Record<OperationId, Shape>>> = {
  currentUserData: { object: 'userData' },
  listSystemUsers: { columns: user },
  listSystemGroups: { columns: ['id', 'name', 'email', 'externalId', 'visible', 'membersCount'] },
  listGroupsMembers: { columns: user },
  getPostDefinitionCatalogs: { rows: 'catalogs', columns: ['id', 'name', 'paged', 'etag'] },
  listPostDefinitionCatalogEntries: { columns: ['id', 'label', 'externalId', 'parentIds', 'deleted'] },
  listHashtags: { columns: ['id', 'name', 'externalId', 'deleted'] },
  getCommunitiesByViewPostCapabilityLevel: { rows: 'communities', columns: community },
  getCanCreatePostCommunities: { rows: 'communities', columns: community },
  listCommunities: { rows: 'communities', columns: community },
  getCommunityDetails: { object: 'community' },
  listCommunityPostsFiltered: { columns: post },
  listCommunityPosts: { columns: post },
  checkPostVisibility: { rows: 'posts', columns: ['id'] },
  checkPostVisibilityWithComments: { rows: 'posts', columns: ['id', 'canViewComments'] },
  listPostHistoryEvents: { columns: ['id', 'timestamp', 'typeDescription', 'authorUser'] },
  createPostComment: { object: 'comment' },
  listPostComments: { columns: ['id', 'creatorUser', 'creationTimestamp', 'commentPlainText'] },
  listPostAttachmentsByPostId: { columns: ['id', 'name', 'contentMimeType', 'size', 'versionNumber', 'creatorUser'] },
  globalPostsStream: { rows: 'items', columns: ['status', 'id', 'communityId', 'customId', 'title'] },
};

/** Operations that take something away; they ask first. */
export const destructive: ReadonlySet<OperationId> = new Set<OperationId>([
  'deleteUser',
  'blockUser',
  'signOutUser',
  'deleteGroup',
  'deletePost',
  'markPostAsErasable',
  'deleteTask',
]);

/** Edits of which one without any named value would write what is there already, as a change of the caller's. */
export const changing: ReadonlySet<OperationId> = new Set<OperationId>([
  'editCustomPost',
  'editPostCustomData',
  'editEventPost',
  'editTask',
  'editUser',
  'editUserCredentials',
  'editGroup',
  'editWorkspace',
  'editCatalog',
  'editCatalogEntry',
  'editPostWorkflowScreenData',
]);

/** What ordinary posts and events are edited by: the form of one kind is a 404 for the other. */
export const otherVerbs: Partial<Readonly<Record<OperationId, string>>> = {
  editCustomPost: 'edit-event',
  copyCustomPost: 'copy-event',
  editEventPost: 'edit',
  copyEventPost: 'copy',
};

/** Where `--field` goes. */
export const fieldMembers: Partial<Readonly<Record<OperationId, 'customData' | 'screenData'>>> = {
  createCustomPost: 'customData',
  editCustomPost: 'customData',
  editPostCustomData: 'customData',
  copyCustomPost: 'customData',
  executePostWorkflowOperation: 'screenData',
  editPostWorkflowScreenData: 'screenData',
};

/** Where `--attach` goes. */
export const attachMembers: Partial<Readonly<Record<OperationId, 'attachments' | 'addAttachments'>>> = {
  createCustomPost: 'attachments',
  createEventPost: 'attachments',
  editCustomPost: 'addAttachments',
  editEventPost: 'addAttachments',
  copyCustomPost: 'addAttachments',
  copyEventPost: 'addAttachments',
  editPostAttachments: 'addAttachments',
  createPostComment: 'attachments',
  createTask: 'attachments',
  editTask: 'addAttachments',
};

/** Texts that are plain unless they are a delta: the field and the one that says how it is written. */
export const textFormats: Partial<Readonly<Record<OperationId, readonly [text: string, format: string]>>> = {
  createCustomPost: ['description', 'descriptionFormat'],
  createEventPost: ['description', 'descriptionFormat'],
  editCustomPost: ['description', 'descriptionFormat'],
  editEventPost: ['description', 'descriptionFormat'],
  copyCustomPost: ['description', 'descriptionFormat'],
  copyEventPost: ['description', 'descriptionFormat'],
  createPostComment: ['comment', 'commentFormat'],
};
