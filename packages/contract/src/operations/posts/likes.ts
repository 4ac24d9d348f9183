/** Likes of posts. */
import { defineOperations } from '../define.ts';

export const likesOperations = defineOperations('posts', {
  editPostLike: {
    method: 'PUT',
    path: '/communication/posts/manage/like/{postId}',
    body: 'EditLikeRequest',
    responses: { 200: 'EditLikeResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'like',
    extension: true,
    summary: 'Like a post, or take the like back',
    description: 'A second like changes nothing. Requires no token and does not raise the token of the post.',
    clientMethod: 'like',
    command: { examples: ['4711', '4711 --no-liked'] },
  },
  listPostLikes: {
    method: 'POST',
    path: '/communication/posts/data/likes/{postId}',
    body: 'ListLikesRequest',
    responses: { 200: 'ListLikesResponse', 404: null },
    permission: 'seePost',
    paging: 'page',
    extension: true,
    summary: 'List who likes a post',
    description:
      'Returns the likes, the latest first. The post itself has their number, and whether the ' + 'caller likes it.',
    clientMethod: 'likes',
    command: { columns: ['user', 'timestamp'], examples: ['4711 --all', '4711 --output csv --fields user.id'] },
  },
});
