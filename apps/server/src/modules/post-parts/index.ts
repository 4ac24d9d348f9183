/** Parts of posts: permissions, values, comments, tasks, acknowledgements. */
export { COMMENT_BYTES, findLivingComment } from './comments/comments.repository.ts';
export { commentsHandlers } from './comments/comments.routes.ts';
export { createPostComment } from './comments/create-post-comment.ts';
export { deleteComment } from './comments/delete-comment.ts';
export { deletedCommentsDue, eraseDeletedComments } from './comments/deleted-comments.repository.ts';
export { addFieldComments } from './comments/field-comments.ts';
export { editPostLike, likeComment, likePost, listPostLikes, unlikePost } from './comments/likes.ts';
export { loadComments } from './comments/list-post-comments.ts';
export { addPastComments, type PastComment } from './comments/past-comments.ts';
export { MAX_CLIENT_UID_LENGTH, readClientUid } from './common/client-uid.ts';
export { definitionOf } from './common/definition-of.ts';
export { peopleBehind } from './common/people.ts';
export { lockPost, type PostRow, requirePost } from './common/post-row.ts';
export { type ExistingPrincipals, findPrincipals, findUsers } from './common/references.ts';
export { readText } from './common/text-input.ts';
export { indexDocuments } from './documents/index-documents.ts';
export { commentRules } from './policy/comment-capabilities.ts';
export { askedSteps, dependsOnValues, type OpenStep, runnableSteps, statesOf, stepsSql } from './policy/open-steps.ts';
export {
  askedSql,
  type CommunityCapabilities,
  commentScopeRules,
  eventAnswerRule,
  type PostCapabilities,
  type PostCase,
  type PostFacts,
  postCapabilities,
  postCase,
  postRules,
  presentCapabilities,
} from './policy/post-capabilities.ts';
export { RESTORABLE_MS, restorableSql } from './policy/restore-policy.ts';
export { taskRules } from './policy/task-capabilities.ts';
export {
  availableRule,
  editableScreenState,
  mayEditScreen,
  mayRunTransition,
  openByRule,
  openRule,
  permittedTransitions,
  screenRule,
  transitionCase,
  transitionRule,
} from './policy/workflow-policy.ts';
export { acknowledgePost } from './tasks/acknowledgements/acknowledge-post.ts';
export { listAcknowledgements } from './tasks/acknowledgements/list-acknowledgements.ts';
export {
  requestAcknowledgements,
  withdrawAcknowledgements,
} from './tasks/acknowledgements/request-acknowledgements.ts';
export { createTask } from './tasks/create-task.ts';
export { loadTaskSummaries } from './tasks/get-task-detail.ts';
export { handOverTasks } from './tasks/reassign-tasks.ts';
export { remindersDue, takeDueReminders } from './tasks/reminders.repository.ts';
export { setTaskState } from './tasks/set-task-state.ts';
export { findTask, storeSurveyAnswers, TASK_BYTES } from './tasks/tasks.repository.ts';
export { tasksHandlers } from './tasks/tasks.routes.ts';
export type { FieldPath } from './values/errors.ts';
export { type FieldRule, fieldRules } from './values/field-rules.ts';
export { notePendingSearch, pendingSearchDue, takePendingSearch } from './values/pending-search.ts';
export { loadReferences, WantedReferences } from './values/references.ts';
export { extendsVisibility } from './values/rows.ts';
export {
  type EntryLabels,
  type FieldData,
  openFieldTexts,
  openLabels,
  readEntryLabels,
} from './values/searched-texts.ts';
export {
  deleteFieldValues,
  insertFieldValues,
  refreshChangedSearch,
  refreshPostSearch,
  restoreFieldValues,
  searchTexts,
  storeSearchTexts,
  writeFieldValues,
} from './values/store.ts';
export { checkScreenTexts, checkTextsTogether } from './values/text-limit.ts';
export { checkFieldData, type FieldDataResult, parseFieldData, validateFieldData } from './values/validate.ts';
