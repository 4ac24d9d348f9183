/** Reading the attachments of posts: list, detail, visibility. */
export { attachmentHandlers } from './attachments.routes.ts';
