/** Reading attachments. Apart from the rest of the module, since it shows posts, which show attachments. */
export { attachmentHandlers } from './attachments.routes.ts';
export { listPostAttachments } from './list-post-attachments.ts';
export { checkAttachmentVisibility, readAttachment } from './read-attachment.ts';
