/** Writing posts: operation → verb → response. */
import type { CopyPostResponse, CreatePostResponse, EditPostResponse } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { Handlers } from '../../../kernel/operations.ts';
import { presentPostDetail } from '../reading/read-post.ts';
import { createManyPosts, deletePosts, patchPosts } from './bulk-writes.ts';
import { copyCustomPost, copyEventPost } from './copy-post.ts';
import { type CreatedPost, createCustomPost, createEventPost } from './create-post.ts';
import { deletePost } from './delete-post.ts';
import { editCustomPost, editEventPost, editPostCustomData } from './edit-post.ts';
import { patchPost } from './patch-post.ts';
import {
  getCustomPostForCopy,
  getCustomPostForCreate,
  getCustomPostForEdit,
  getEventPostForCopy,
  getEventPostForCreate,
  getEventPostForEdit,
} from './post-forms.ts';
import { editPostAnnouncement, editPostPin, editPostRead } from './post-marks.ts';
import { restorePost } from './restore-post.ts';
import { editPostEventPartecipate, editPostWatchers } from './touch-post.ts';

/** Returns the response of writes that create a post. */
export async function made(write: WriteScope, post: CreatedPost): Promise<CreatePostResponse & CopyPostResponse> {
  return { postId: post.postId, ...(await edited(write, post)) };
}

/** Returns the response of writes that change a post. */
export async function edited(write: WriteScope, { postId, version }: CreatedPost): Promise<EditPostResponse> {
  return { nextOccToken: version, postData: await presentPostDetail(write, postId) };
}

/**
 * Returns the response of writes that change a part of a post: without the post, which may be much
 * longer.
 */
async function token(_write: WriteScope, { version }: CreatedPost): Promise<EditPostResponse> {
  return { nextOccToken: version };
}

export const postWritingHandlers = {
  getCustomPostDataForCreate: ({ scope, params }) => getCustomPostForCreate(scope, params.communityId),
  getCustomPostDataForEdit: ({ scope, params, query }) =>
    getCustomPostForEdit(scope, params.postId, query.loadAttachments ?? true),
  getCustomPostDataForCopy: ({ scope, params, query }) =>
    getCustomPostForCopy(scope, params.postId, query.loadAttachments ?? true),
  getEventPostDataForCreate: ({ scope, params }) => getEventPostForCreate(scope, params.communityId),
  getEventPostDataForEdit: ({ scope, params, query }) =>
    getEventPostForEdit(scope, params.postId, query.loadAttachments ?? true),
  getEventPostDataForCopy: ({ scope, params, query }) =>
    getEventPostForCopy(scope, params.postId, query.loadAttachments ?? true),
  createCustomPost: ({ scope, params, body }) => createCustomPost(scope, params.communityId, body ?? {}, made),
  createEventPost: ({ scope, params, body }) => createEventPost(scope, params.communityId, body ?? {}, made),
  editCustomPost: ({ scope, params, body }) =>
    editCustomPost(scope, params.postId, params.occToken, body ?? {}, edited),
  editEventPost: ({ scope, params, body }) => editEventPost(scope, params.postId, params.occToken, body ?? {}, edited),
  restorePost: ({ scope, params }) => restorePost(scope, params.postId),
  patchPosts: ({ scope, body }) => patchPosts(scope, body ?? {}),
  deletePosts: ({ scope, body }) => deletePosts(scope, body ?? {}),
  createPosts: ({ scope, params, body, lines }) => createManyPosts(scope, params.communityId, body ?? {}, lines),
  patchPost: ({ scope, params, query, body }) =>
    patchPost(scope, params.postId, body ?? {}, query.loadPost ? edited : token),
  editPostCustomData: ({ scope, params, body }) =>
    editPostCustomData(scope, params.postId, params.occToken, body ?? {}, edited),
  copyCustomPost: ({ scope, params, body }) => copyCustomPost(scope, params.postId, params.occToken, body ?? {}, made),
  copyEventPost: ({ scope, params, body }) => copyEventPost(scope, params.postId, params.occToken, body ?? {}, made),
  editPostPin: ({ scope, params, body }) => editPostPin(scope, params.postId, body.pinned ?? true),
  editPostAnnouncement: ({ scope, params, body }) =>
    editPostAnnouncement(scope, params.postId, body.announcement ?? true),
  editPostRead: ({ scope, params, body }) => editPostRead(scope, params.postId, body.read ?? true),
  editPostWatchers: async ({ scope, params, body }) => {
    await editPostWatchers(scope, params.postId, body ?? {});
    return undefined;
  },
  editPostEventPartecipate: async ({ scope, params, body }) => {
    await editPostEventPartecipate(scope, params.postId, body ?? {});
    return undefined;
  },
  deletePost: async ({ scope, params }) => {
    await deletePost(scope, params.postId);
    return { postId: params.postId };
  },
  markPostAsErasable: async ({ scope, params }) => {
    await deletePost(scope, params.postId, { erasable: true });
    return { postId: params.postId };
  },
} satisfies Handlers;
