/** Comments, history and tasks. */
import { HistoryType } from '../../codes/codes.ts';
import {
  ReminderRange,
  ReminderType,
  SubTaskState,
  TaskPriority,
  TaskState,
  TaskType,
} from '../../codes/defined-codes.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const taskPeople: t.Fields = {
  mentions: t.list('User', 'People mentioned in the text.'),
  watcherUsers: t.list('User', 'Users who watch the task.'),
  watcherGroups: t.list('Group', 'Groups that watch the task.'),
  hashtags: t.list('Hashtag', 'Hashtags of the task.'),
};

/** The fields common to all forms of a task. */
export const taskFields: t.Fields = {
  id: t.int64('Id of the task.'),
  postId: t.int64('Post to which it belongs.'),
  title: t.text('Title.'),
  expiration: t.ref('ZonedDatetime', 'Due time.'),
  priority: t.code(TaskPriority, 'Priority.'),
  state: t.code(TaskState, 'State of the task.'),
  assigneeUser: t.ref('User', 'The assigned user, if the assignee is a user.'),
  assigneeGroup: t.ref('Group', 'The group that is to do it, if it is one.'),
  reminders: t.list('TaskReminder', 'Reminders.'),
  subTasks: t.list('SubTask', 'Its steps, in order.'),
  creatorUser: t.ref('User', 'User who created it.'),
  creationTimestamp: t.time('Time at which it was created.'),
  lastModifyUser: t.ref('User', 'User who last edited it.'),
  lastModifyTimestamp: t.time('Time at which it was last edited.'),
  lastReviewTimestamp: t.time('Time of the last submission for review.'),
  lastReviewUser: t.ref('User', 'User who last submitted it for review.'),
  closingTimestamp: t.time('Time at which it was closed.'),
  closingUser: t.ref('User', 'User who closed it.'),
  ...taskPeople,
  occToken: t.token('Token to put into the path of the next edit.'),
  type: t.code(TaskType, 'Kind of task.'),
  attachmentsCount: t.count('Number of attachments.'),
};

const descriptionFields: t.Fields = {
  descriptionDelta: t.text('The text as rich text: a Quill delta as a JSON string.'),
  descriptionPlainText: t.text('The text without formatting.'),
};

const taskWrite: t.Fields = {
  title: t.text('Title.'),
  descriptionDelta: t.text('The text as a Quill delta; it takes precedence when both forms are sent.'),
  descriptionPlainText: t.text('The text without formatting.'),
  expiration: t.requiredByRule(t.ref('ZonedDatetimeInput', 'Due time; required.')),
  priority: t.code(TaskPriority, 'Priority. Default: NORMAL.'),
  subTasks: t.list('SubTask', 'Its steps, in order; each requires a state.', { maxItems: listLimits.taskItems }),
  assigneeUserId: t.int64('The assigned user; this or `assigneeGroupId` is required.'),
  assigneeGroupId: t.int64('The group that is to do it; this or `assigneeUserId` must be sent.'),
};

/** Answer of the writes of a task. */
export const taskWriteResult: t.Fields = {
  nextOccToken: t.token('Token for the next edit.'),
  taskData: t.ref('TaskDetail', 'The task.'),
  capabilities: t.ref('TaskCapabilities', 'Capabilities of the caller.'),
};

export const commentTaskTypes = {
  PostComment: t.type('A comment on a post; a deleted comment is a placeholder without text.', {
    id: t.int64('Id of the comment.'),
    commentDelta: t.text('The comment as rich text: a Quill delta as a JSON string.'),
    commentPlainText: t.text('The comment without formatting.'),
    clientUid: t.text('Identifier that the creating program chose.'),
    creatorUser: t.ref('User', 'User who wrote it.'),
    creationTimestamp: t.time('Time at which it was written.'),
    lastModifyTimestamp: t.time('Time at which it was last edited.'),
    mentions: t.list('User', 'People mentioned in it.'),
    attachments: t.list('PostCommentAttachment', 'Its attachments.'),
    deleted: t.flag('True when it was deleted.'),
    imported: t.flag('True when it was written in another portal, from which an archive brought it.'),
    parentComment: t.ref('PostComment', 'The comment it answers, one level deep.'),
    likesCount: t.count('Number of people who like it.'),
    likedByMe: t.flag('Whether the caller likes it.'),
    showLikeSection: t.flag('Whether the community has likes.'),
    rightAlignText: t.flag('Whether the text runs from right to left.'),
    customFieldInfo: t.ref('CustomFieldInfoComment', 'Event that generated the comment, if no person wrote it.'),
    streamingTimestamp: t.time('Time of its last move in the stream of the post.'),
    capabilities: t.ref('PostCommentCapabilities', 'Capabilities of the caller.'),
  }),
  PostCommentCapabilities: t.type('Capabilities of the caller on a comment.', {
    canEdit: t.flag('May edit it.'),
    canEditLike: t.flag('May like it.'),
    canDelete: t.flag('May delete it.'),
    canReply: t.flag('May answer it.'),
  }),
  CustomFieldInfoComment: t.type('Event that generated a comment of the portal.', {
    activityHistoryEvent: t.ref('PostActivityHistoryEvent', 'Event of the history that it represents.'),
    postCustomFieldId: t.int64('Custom field whose change it reports.'),
    workflowScreenFieldId: t.int64('Workflow screen field whose change it reports.'),
    acknowledgeTaskScreenFieldId: t.int64('Field of an acknowledgement whose change it reports.'),
    postSurveyFieldId: t.int64('Field of a questionnaire whose change it reports.'),
  }),
  ListPostCommentsRequest: t.type('Paging of the comments of a post.', t.pageInputs),
  ListPostCommentsResponse: t.page('PostComment', 'A page of comments, the newest first.'),
  ListPostHistoryEventsRequest: t.type('Filters, direction and paging of the history of a post.', {
    ...t.pageInputs,
    retrievePostEvents: t.flag('Whether to include events of the post itself. Default true.', { default: true }),
    retrieveWorkflowEvents: t.flag('Whether to include events of the workflow (kinds 6 and 17). Default true.', {
      default: true,
    }),
    orderDesc: t.orderDesc(true),
  }),
  ListPostHistoryEventsResponse: t.page('PostActivityHistoryEvent', 'A page of the history of a post.'),
  PostActivityHistoryEvent: t.type('Something that happened to a post.', {
    id: t.int64('Id of the event.'),
    timestamp: t.time('Time at which it happened.'),
    typeId: t.code(HistoryType, 'Kind of event.'),
    typeDescription: t.text('Name of the kind of event.'),
    workspace: t.ref('Workspace', 'Workspace in which it happened.'),
    community: t.ref('Community', 'Community in which it happened.'),
    postId: t.int64('The post.'),
    postCustomId: t.text('Number of the post within its community, as text.'),
    postCurrentTitle: t.text('Title of the post now.'),
    postBeforeUpdateTitle: t.text('Title before the edit; only with kind 2.'),
    postAfterUpdateTitle: t.text('Title after the write; only with kinds 1 and 2.'),
    targetUser: t.ref('User', 'User who was mentioned or got the task; only with kinds 4, 5, 21, 22 and 29.'),
    postWorkflowOperationDetail: t.ref('PostWorkflowDefinitionTransition', 'Transition that was run.'),
    workflowScreenData: t.fieldValues('Values of the screen at that time, by field id.'),
    updatedWorkflowScreenFieldIds: t.ids('Screen fields whose value changed.'),
    attachment: t.ref('PostAttachmentData', 'Attachment concerned.'),
    attachmentVersion: t.ref('PostAttachmentVersion', 'Version of the attachment concerned.'),
    comment: t.ref('PostComment', 'Comment concerned.'),
    tasks: t.list('Task', 'Tasks concerned, at most 100 of them.'),
    addedAttachmentsCount: t.count('Number of added attachments.'),
    removedAttachmentsCount: t.count('Number of removed attachments.'),
    updatedAttachmentsCount: t.count('Number of changed attachments.'),
    versionedAttachmentsCount: t.count('Number of attachments with a new version.'),
    notes: t.text('A note that was left with it.'),
    imported: t.flag('True when it happened in another portal, from which an archive brought the post.'),
    authorUser: t.ref('User', 'User who did it.'),
  }),
  Task: t.type('A task in short.', {
    id: t.int64('Id of the task.'),
    title: t.text('Title.'),
    description: t.text('The text without formatting.'),
    expiration: t.ref('ZonedDatetime', 'Due time.'),
    type: t.code(TaskType, 'Kind of task.'),
    state: t.code(TaskState, 'State of the task.'),
    deleted: t.flag('True when it was deleted.'),
  }),
  SubTask: t.type('A step of a task.', {
    id: t.int64('Id of the step; edits create new ids.'),
    description: t.text('The work to do.'),
    state: t.requiredByRule(t.code(SubTaskState, 'State of the step; never 0.')),
  }),
  TaskReminder: t.type('A reminder of a task.', {
    id: t.int64('Id of the reminder.'),
    value: t.int32('Duration before the due time, in the unit of `range`.'),
    range: t.code(ReminderRange, 'Unit of `value`.'),
    types: t.codeList(ReminderType, 'Ways in which people are reminded.'),
  }),
  TaskCapabilities: t.type('Capabilities of the caller on a task.', {
    canViewDetail: t.flag('May read it.'),
    canModify: t.flag('May edit it.'),
    canUpdateState: t.flag('May change its state.'),
    canCopy: t.flag('May copy it.'),
    canDelete: t.flag('May delete it.'),
    canAddComment: t.flag('May comment on it.'),
    canEditAttachments: t.flag('May add and remove attachments.'),
    canEditReminders: t.flag('May change the reminders.'),
  }),
  GetTaskDetailResponse: t.type('A task in full.', {
    ...taskFields,
    ...descriptionFields,
    currentWorkflowState: t.ref('PostWorkflowDefinitionState', "State of the task's post in its workflow."),
    firstReviewTimestamp: t.time('Time of the first submission for review.'),
    timeToReview: t.int64('From creation to the first review, in milliseconds.'),
    timeToClosed: t.int64('From creation to closing, in milliseconds.'),
    surveyData: t.objectMap('Answers to a questionnaire, by the id of the question as text.'),
    surveyDataCommentsInfo: t.refMap(
      'SurveyDataCommentsInfo',
      'Remarks on the answers, by the id of the question as text.',
    ),
    capabilities: t.ref('TaskCapabilities', 'Capabilities of the caller.'),
  }),
  TaskDetail: t.type('A task in full, as returned by writes.', {
    ...taskFields,
    description: t.text('The text as rich text: a Quill delta as a JSON string.'),
    attachments: t.list('TaskAttachmentData', 'Its attachments.'),
    deleted: t.flag('True when it was deleted.'),
  }),
  SurveyDataCommentsInfo: t.type('Remarks on one answer of a questionnaire.', {
    compliant: t.flag('Whether the answer is the expected one.'),
    commentsCount: t.count('Number of remarks.'),
  }),
  CreateTaskRequest: t.type('A new task.', {
    ...taskWrite,
    title: t.required(t.text('Title; must not be empty.')),
    attachments: t.list('InputTaskAttachment', 'Attachments of the task.', { maxItems: listLimits.attachments }),
    watcherUserIds: t.ids('Users who watch the task.', { maxItems: listLimits.taskItems }),
    watcherGroupIds: t.ids('Groups that watch the task.', { maxItems: listLimits.taskItems }),
    clientUid: t.text(
      'Identifier that the creating program chooses; a repeat by the same author returns the ' +
        'existing task. If omitted or empty, none.',
    ),
  }),
  CreateTaskResponse: t.type('The task that was created.', {
    taskId: t.int64('Id of the new task.'),
    ...taskWriteResult,
  }),
  EditTaskRequest: t.type('New content of a task; omitted fields are emptied.', {
    ...taskWrite,
    addAttachments: t.list('InputTaskAttachment', 'Attachments to add.', { maxItems: listLimits.attachments }),
    removeAttachmentIds: t.ids('Attachments to remove.', { maxItems: listLimits.attachments }),
    addWatcherUserIds: t.ids('Users who start to watch.', { maxItems: listLimits.taskItems }),
    removeWatcherUserIds: t.ids('Users who stop watching.', { maxItems: listLimits.taskItems }),
    addWatcherGroupIds: t.ids('Groups that start to watch.', { maxItems: listLimits.taskItems }),
    removeWatcherGroupIds: t.ids('Groups that stop watching.', { maxItems: listLimits.taskItems }),
  }),
  EditTaskResponse: t.type('The task after the edit.', taskWriteResult),
  DeleteTaskResponse: t.type('The post whose task was deleted.', { postId: t.int64('Id of the post.') }),
  InputTaskAttachment: t.type('An attachment of a task in a write.', {
    attachmentId: t.int64('Id of an attachment that exists.'),
    name: t.text('File name.'),
    contentRef: t.upload('Reference that the upload gave.'),
  }),
};
