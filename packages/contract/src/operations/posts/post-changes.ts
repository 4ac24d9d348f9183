/** Changes of posts of every kind: watchers, deletion, moves. */
import { defineOperations, valueErrors } from '../define.ts';
import { examples } from '../examples.ts';

export const postChangeOperations = defineOperations('posts', {
  editPostWatchers: {
    method: 'PUT',
    path: '/communication/posts/manage/edit-post-watchers/{postId}',
    body: 'EditPostWatchersRequest',
    responses: { 200: null, ...valueErrors },
    permission: 'editPost',
    summary: 'Add and remove watchers of a post',
    description: 'Requires no token and is safe in any order. Returns an empty body.',
    clientMethod: 'updateWatchers',
    formerMethod: 'editWatchers',
    command: { examples: ['4711 --add-watcher-user-ids 17,18', '4711 --remove-watcher-user-ids 17 --dry-run'] },
  },
  markPostAsErasable: {
    method: 'PUT',
    path: '/communication/posts/manage/mark-post-as-erasable/{postId}',
    responses: { 200: 'MarkPostAsErasableResponse', 403: null, 404: null },
    permission: 'deletePost',
    summary: 'Delete a post for good',
    description:
      'Deletes the post at once and marks it for physical removal after the delay that the operator configured.',
    clientMethod: 'purge',
    formerMethod: 'erase',
    command: { confirms: true, examples: ['4711', '4711 --yes'] },
  },
  deletePost: {
    method: 'DELETE',
    path: '/communication/posts/manage/delete-post/{postId}',
    responses: { 200: 'DeletePostResponse', 403: null, 404: null },
    permission: 'deletePost',
    summary: 'Delete a post',
    description: 'Deletes the post for everybody at once; it arrives as DELETED in the stream.',
    clientMethod: 'delete',
    command: { confirms: true, examples: ['4711', '4711 --yes --dry-run'] },
  },
  restorePost: {
    method: 'POST',
    path: '/communication/posts/manage/restore-post/{postId}',
    responses: { 200: 'RestorePostResponse', 404: null },
    permission: 'restorePost',
    extension: true,
    summary: 'Restore a deleted post',
    description:
      'Restores a deleted post within 30 days. Available to managers of the community, and to ' +
      'authors who deleted their own post. The post comes back with comments, tasks and files, ' +
      'and arrives as CREATED in the stream. A post that is marked for erasure, or was deleted ' +
      'more than 30 days ago, returns 404; a post that is not deleted stays unchanged. ' +
      '`listDeletedPosts` lists the posts that can be restored.',
    clientMethod: 'restore',
    command: { examples: ['4711', '4711 --dry-run'] },
  },
  movePost: {
    method: 'POST',
    path: '/communication/posts/manage/move-post/{postId}',
    body: 'MovePostRequest',
    responses: { 200: 'EditPostResponse', ...valueErrors, 409: null },
    permission: 'movePost',
    extension: true,
    summary: 'Move a post to another community',
    description:
      'Moves the post with its id, comments, tasks, files, watchers, history and visibility. ' +
      'The post gets a new number; a post that comes back gets its former number. Values go to ' +
      'the fields that `fieldMapping` names, otherwise to fields of the same type with the ' +
      'same external id or label; values of lists are matched by their labels. Values of posts ' +
      'go to fields of posts, values of screens to fields of screens, and each has to pass the ' +
      'rules of its new field. Read-only fields, fields that no form shows, and fields of ' +
      'screens that the caller may not edit there are filled only by managers of that ' +
      'community; a value that the field held when the post left, unless it was edited ' +
      'meanwhile, comes back to it. A value that `fieldMapping` sends to a field that does not ' +
      'accept it is an error of `fieldMapping[i].toId`. Each value without a field, and a ' +
      'state that does not exist there, returns 400 `MAPPING_REQUIRED`, also as a dry run; its ' +
      '`args` name the field or the states. Managers of that community choose among all its ' +
      'states; for others the post begins there like a new post, or returns to the state that ' +
      'it left there, unless it was edited meanwhile. Hashtags map to hashtags of the same ' +
      'name. A post that is already in the community stays unchanged. A pin and an ' +
      'announcement are kept if the caller may set them there. Values that the community ' +
      'requires and the post lacks are required by the next edit. Readers of the stream of ' +
      'only one of the two communities receive the post as DELETED or as CREATED.',
    requestExamples: examples<'MovePostRequest'>({
      same: { summary: 'Communities with the same names of fields', value: { communityId: 12, occToken: 7 } },
      mapped: {
        summary: 'Move a value to another field, lose a value',
        value: { communityId: 12, stateId: 31, fieldMapping: [{ fromId: 5, toId: 9 }, { fromId: 6 }], occToken: 7 },
      },
    }),
    clientMethod: 'move',
    command: {
      form: 'getCustomPostDataForEdit',
      needsValue: true,
      examples: ['4711 --community-id 12 --dry-run', '4711 --community-id 12 --state-id 31'],
    },
  },
});
