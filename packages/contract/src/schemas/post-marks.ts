/** Marks of posts: pinned, announced, read. */
import { flag, int64, type } from './fields.ts';

export const postMarkTypes = {
  EditPostPinRequest: type('Whether the post is pinned.', {
    pinned: flag('False unpins it. Default true.', { default: true }),
  }),
  EditPostPinResponse: type('The post afterwards.', {
    postId: int64('Id of the post.'),
    pinned: flag('Whether it is pinned.'),
  }),
  EditPostAnnouncementRequest: type('Whether the post is an announcement.', {
    announcement: flag('False makes it an ordinary post. Default true.', { default: true }),
  }),
  EditPostAnnouncementResponse: type('The post afterwards.', {
    postId: int64('Id of the post.'),
    announcement: flag('Whether it is an announcement.'),
  }),
  EditPostReadRequest: type('Whether the caller has read the post.', {
    read: flag('False marks it as unread. Default true.', { default: true }),
  }),
  EditPostReadResponse: type('The post afterwards.', {
    postId: int64('Id of the post.'),
    viewedByMe: flag('Whether the caller has read it.'),
  }),
};
