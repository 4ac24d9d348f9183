/** Posts: lists, details, writes, workflow, history, versions, templates, views, calendars. */
export { attachmentHandlers } from './attachments/attachments.routes.ts';
export { CALENDAR_PATH, findCalendar } from './calendars/calendar.ts';
export { forgetFeeds } from './calendars/calendars.repository.ts';
export { calendarsHandlers } from './calendars/calendars.routes.ts';
export { historyHandlers } from './history/history.routes.ts';
export { postMovingHandlers } from './moving/moving.routes.ts';
export { postPartHandlers } from './posts.routes.ts';
export { writeViews } from './reading/count-views.ts';
export { hydratePosts, lastFitting } from './reading/hydrate-posts.ts';
export { matchPosts } from './reading/list/match-posts.ts';
export { postReadingHandlers } from './reading/reading.routes.ts';
export { putPostTemplates } from './templates/put-templates.ts';
export { type TemplateRow, templatesOf } from './templates/templates.repository.ts';
export { postTemplateHandlers } from './templates/templates.routes.ts';
export { deletePostTemplate } from './templates/write-templates.ts';
export { postVersionHandlers } from './versions/versions.routes.ts';
export { favouriteCommunityHandlers } from './views/communities.routes.ts';
export { requireView } from './views/read-views.ts';
export { viewRules } from './views/views.policy.ts';
export { viewHandlers } from './views/views.routes.ts';
export { editScreenData } from './workflow/edit-screen-data.ts';
export { executeOperation } from './workflow/execute-operation.ts';
export { workflowHandlers } from './workflow/workflow.routes.ts';
export {
  dropFieldGrants,
  heldValue,
  holdPostData,
  type PostData,
  setStates,
  writeFieldOfPosts,
} from './writing/change-data.ts';
export { copyCustomPost } from './writing/copy-post.ts';
export { checkPosts, createPosts, type TrustedPost } from './writing/create-posts.ts';
export { deletePost } from './writing/delete-post.ts';
export { applyEdit, editCustomPost } from './writing/edit-post.ts';
export {
  completeReferences,
  moveToState,
  noteLastModification,
  recordPastChanges,
  writeScreenData,
} from './writing/imported-history.ts';
export { openPost } from './writing/open-post.ts';
export { failScheduledPost, publishScheduledPost } from './writing/publish-post.ts';
export { refreshTexts } from './writing/refresh-texts.ts';
export { replacePerson } from './writing/replace-person.ts';
export { reserveNumbers } from './writing/take-numbers.ts';
export { editPostAttachments, editPostEventPartecipate } from './writing/touch-post.ts';
export { postWritingHandlers } from './writing/writing.routes.ts';
