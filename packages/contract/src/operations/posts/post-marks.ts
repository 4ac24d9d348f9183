/** Pinning, announcing and reading posts, which only Portico has. */
import { defineOperations } from '../define.ts';

export const postMarkOperations = defineOperations('posts', {
  editPostPin: {
    method: 'PUT',
    path: '/communication/posts/manage/pin/{postId}',
    body: 'EditPostPinRequest',
    responses: { 200: 'EditPostPinResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'pinPost',
    extension: true,
    summary: 'Pin or unpin a post',
    description:
      'Pinned posts come first in lists with `pinnedFirst`. Available to managers of the ' +
      'community. Requires no token and does not raise it.',
    clientMethod: 'pin',
    command: { examples: ['4711', '4711 --no-pinned'] },
  },
  editPostAnnouncement: {
    method: 'PUT',
    path: '/communication/posts/manage/announcement/{postId}',
    body: 'EditPostAnnouncementRequest',
    responses: { 200: 'EditPostAnnouncementResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'announcePost',
    extension: true,
    summary: 'Make a post an announcement, or an ordinary post',
    description:
      'Notifies all readers of the announcement, once; also of posts that are announcements ' +
      'from the start. Available to managers of the community, for published posts. Requires ' +
      'no token and does not raise it.',
    clientMethod: 'announce',
    command: { examples: ['4711', '4711 --no-announcement --dry-run'] },
  },
  editPostRead: {
    method: 'PUT',
    path: '/communication/posts/manage/read/{postId}',
    body: 'EditPostReadRequest',
    responses: { 200: 'EditPostReadResponse', 400: 'ValidationErrorResponse', 404: null },
    permission: 'seePost',
    extension: true,
    summary: 'Mark a post as read or unread',
    description:
      'Sets `viewedByMe`, for the caller alone. A post marked as read counts as opened; a post ' +
      'marked as unread stays unread until the caller opens it again.',
    clientMethod: 'markRead',
    command: { examples: ['4711', '4711 --no-read'] },
  },
});
