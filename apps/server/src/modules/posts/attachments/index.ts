/** Reading the attachments of posts: list, detail, visibility. */
export { attachmentHandlers } from './attachments.routes.ts';
export { listPostAttachments } from './list-post-attachments.ts';
export { checkAttachmentVisibility, readAttachment } from './read-attachment.ts';
