/** Marks of posts: pinned, announced, read. */
import * as t from '../fields.ts';

export const postMarkTypes = {
  EditPostPinRequest: t.type('Whether the post is pinned.', {
    pinned: t.flag('False unpins it. Default true.', { default: true }),
  }),
  EditPostPinResponse: t.type('The post afterwards.', {
    postId: t.int64('Id of the post.'),
    pinned: t.flag('Whether it is pinned.'),
  }),
  EditPostAnnouncementRequest: t.type('Whether the post is an announcement.', {
    announcement: t.flag('False makes it an ordinary post. Default true.', { default: true }),
  }),
  EditPostAnnouncementResponse: t.type('The post afterwards.', {
    postId: t.int64('Id of the post.'),
    announcement: t.flag('Whether it is an announcement.'),
  }),
  EditPostReadRequest: t.type('Whether the caller has read the post.', {
    read: t.flag('False marks it as unread. Default true.', { default: true }),
  }),
  EditPostReadResponse: t.type('The post afterwards.', {
    postId: t.int64('Id of the post.'),
    viewedByMe: t.flag('Whether the caller has read it.'),
  }),
};
