/**
 * The closed list of permissions: the requirements of operations on their caller. Every operation
 * names a permission; `public` must be written explicitly. A permission about an object takes the
 * id from the operation's path; an object that the caller cannot see returns 404, an object that
 * they see but cannot use in this way returns 403.
 */
export const permissions = {
  public:
    'No sign-in: only the exchanges that return access tokens, the sign-in methods, and ' +
    'operations for people without a password.',
  authenticated: 'Any signed-in user; the response contains only objects that the user may see.',
  manageUsers: 'The administrative right `manageUsers`.',
  manageDigitalWorplace: 'The administrative right `manageDigitalWorplace` (spelt as clients send it).',
  everyAdministrativeRight: 'Every administrative right.',
  seeCommunity: 'A role in the community, or in its workspace.',
  editCommunity: 'The capability `editCommunity`: managers of the community, and holders of `manageDigitalWorplace`.',
  applyCommunityFile:
    'The right `manageDigitalWorplace`, or the capability `editCommunity` on the community that the file names.',
  importPosts: 'The right to import posts into the community: its managers.',
  seeCommunityMembers: 'A role in the community, or the capability `editCommunity`.',
  seeView: "The view is the caller's own, or the community's, in a community in which they have a role.",
  editView: "The view is the caller's own, or that of a community that they manage.",
  createPost: 'The right to write ordinary posts in the community.',
  createEventPost: 'The right to write event posts in the community.',
  seePost: 'The post is visible to the caller.',
  seePostComments: 'The post is visible to the caller, and so are its comments.',
  editPost: 'The capability `canModify` on the post.',
  copyPost: 'The capability `canCopy` on the post.',
  deletePost: 'The capability `canDelete` on the post.',
  movePost: 'The capability `canDelete` on the post, and the right to write such posts in the other community.',
  restorePost: 'The caller deleted the post, which is their own, or manages its community.',
  editPostAttachments: 'The capability `canEditAttachments` on the post.',
  addComment: 'The capability `canAddComment` on the post.',
  editComment: 'The capability `canEdit` on the comment.',
  deleteComment: 'The capability `canDelete` on the comment.',
  like: 'The capability `canEditLike` on the post or the comment.',
  followPost: 'The post is visible to the caller; to follow it, the capability `canEditFollow`.',
  pinPost: 'The capability `canPin` on the post.',
  announcePost: 'The capability `canAnnounce` on the post.',
  requestAcknowledgements: 'The capability `canRequestAcknowledgements` on the post.',
  acknowledgePost: 'The caller is asked to acknowledge the post, or has acknowledged it.',
  seeEvent: 'The event post is visible to the caller.',
  answerEvent: 'The event post is visible to the caller, who may answer its invitation.',
  editWorkflowScreen:
    'The capability `canEditWorkflowScreenData`; with a transition, that it is among the permitted ones.',
  runWorkflowOperation: 'The transition is among `workflowPermittedOperations` of the post.',
  createTask: 'The capability `canCreateTask` on the post.',
  seeTask: 'The post of the task is visible to the caller.',
  editTask: 'The capability `canModify` on the task.',
  setTaskState: 'The capability `canUpdateState` on the task.',
  editTaskReminders: 'The capability `canEditReminders` on the task.',
  deleteTask: 'The capability `canDelete` on the task.',
  seeAttachment: 'The caller sees the object of the attachment.',
} as const;

/** A requirement of an operation on its caller; see {@link permissions}. */
export type Permission = keyof typeof permissions;

/**
 * Explanations of permissions: the capability of an object (`explainPost`, `explainComment`,
 * `explainTask`, `explainView`, `explainCommunity`), or the rights of the account
 * (`explainRights`).
 */
export const explainedPermissions = {
  post: {
    seePost: 'canViewDetail',
    editPost: 'canModify',
    copyPost: 'canCopy',
    deletePost: 'canDelete',
    movePost: 'canDelete',
    restorePost: 'canDelete',
    seeEvent: 'canViewDetail',
    answerEvent: 'answerEvent',
    seePostComments: 'canViewComment',
    addComment: 'canAddComment',
    like: 'canEditLike',
    editPostAttachments: 'canEditAttachments',
    followPost: 'canEditFollow',
    createTask: 'canCreateTask',
    editWorkflowScreen: 'canEditWorkflowScreenData',
    runWorkflowOperation: 'workflowOperation',
    pinPost: 'canPin',
    announcePost: 'canAnnounce',
    requestAcknowledgements: 'canRequestAcknowledgements',
    acknowledgePost: 'canAcknowledge',
    seeAttachment: 'canViewDetail',
  },
  comment: { editComment: 'canEdit', deleteComment: 'canDelete', like: 'canEditLike' },
  task: {
    seeTask: 'canViewDetail',
    editTask: 'canModify',
    setTaskState: 'canUpdateState',
    editTaskReminders: 'canEditReminders',
    deleteTask: 'canDelete',
  },
  view: { seeView: 'canView', editView: 'canEdit' },
  community: {
    seeCommunity: 'viewPost',
    seeCommunityMembers: 'seeMembers',
    importPosts: 'importPosts',
    applyCommunityFile: 'editCommunity',
    createPost: 'createPost',
    createEventPost: 'createEventPost',
    editCommunity: 'editCommunity',
  },
  rights: {
    manageUsers: 'manageUsers',
    manageDigitalWorplace: 'manageDigitalWorplace',
    everyAdministrativeRight: 'everyAdministrativeRight',
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<Permission, string>>>>>;

/** Operations that check each post in their body, by the capability that they require. */
export const explainedOfEachPost: Readonly<Record<string, string>> = {
  transitionPosts: 'workflowOperation',
  patchPosts: 'canModify',
  deletePosts: 'canDelete',
};

/** Kinds of objects with explanations. */
export type ExplainedObject = keyof typeof explainedPermissions;
