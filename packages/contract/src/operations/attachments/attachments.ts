/** Files of posts: uploads, lists, details, changes. */
import { defineOperations, valueErrors } from '../define.ts';
import { examples } from '../examples.ts';
import { attachmentLinkFlags } from '../query.ts';

export const attachmentsOperations = defineOperations('attachments', {
  uploadNewFile: {
    method: 'POST',
    path: '/core/storage/upload-new-attachment',
    responses: { 200: 'GetTemporaryImageUploadUrlBaseResponse' },
    permission: 'authenticated',
    kind: 'write',
    createsFile: true,
    summary: 'Begin the upload of a file',
    description:
      'Returns an address to which the file is sent as `multipart/form-data` by POST: first every pair of `uploadMultipartRequestBodyParams` as a form field, then the part `file`, without an `Authorization` header. Checksums are compared, and a mismatch returns 400: `Content-MD5` and `x-amz-checksum-sha256` as form fields before the file, and the headers `Content-MD5`, `Digest`, `Content-Digest` and `x-amz-checksum-sha256`, of the file or of the body. Then `contentRef` stands for the file in posts, comments and tasks. Unreferenced uploads are removed after a day. A user may have 1,000 unreferenced uploads, of 8 GiB together, unless the operator set other limits; beyond that, this operation and the upload itself return 429 `TOO_MANY_UPLOADS`.',
    responseExamples: examples<'GetTemporaryImageUploadUrlBaseResponse'>({
      upload: {
        summary: 'Address for the file',
        value: {
          contentRef: '9f2c4a0e5b7d11c3a6e8f0b2d4c6e8fa1b3d5f7092a4c6e8b0d2f4a6c8e0b2d4',
          uploadUrl: 'https://portal.example.org/portal/storage/upload',
          uploadMultipartRequestBodyParams: {
            key: 'temporary-uploads/9f2c4a0e5b7d11c3a6e8f0b2d4c6e8fa1b3d5f7092a4c6e8b0d2f4a6c8e0b2d4',
            policy: 'eyJleHBpcmF0aW9uIjoi…',
            signature: 'c2lnbmF0dXJl',
          },
          temporaryDownloadUrl: 'https://portal.example.org/portal/storage/temporary/9f2c4a0e?signature=c2ln',
        },
      },
    }),
    clientMethod: 'beginUpload',
    command: { examples: ['--output json', '--dry-run --output json'] },
  },
  getAttachmentDetailById: {
    method: 'GET',
    path: '/communication/posts/data/attachment-detail-by-id/{attachmentId}',
    query: {
      ...attachmentLinkFlags,
      version: {
        type: 'integer',
        description: 'Number of an earlier version to describe and link to. Default: the latest version.',
        extension: true,
      },
    },
    responses: { 200: 'GetPostAttachmentDetailResponse', 403: null, 404: null },
    permission: 'seeAttachment',
    summary: 'Read an attachment',
    description: 'Returns one attachment with links to its content, and the base data of its post.',
    clientMethod: 'get',
    command: { examples: ['512', '512 --version 1 --output json'] },
  },
  listPostAttachmentsByPostId: {
    method: 'POST',
    path: '/communication/attachments/data/posts/{postId}/attachments-list',
    query: { ...attachmentLinkFlags },
    body: 'ListPostAttachmentsByPostIdRequest',
    responses: { 200: 'ListPostAttachmentsResponse', 403: null },
    permission: 'seePost',
    paging: 'page',
    summary: 'List the attachments of a post',
    description:
      'Without filters, returns the stored files (`types` `[1]`) of the post itself and of its ' +
      'file-picker fields (`entityTypes` `[1, 4, 5]`). Use `types` `[2]` for files in Google ' +
      'Drive, and `entityTypes` 2 and 3 for files of tasks and comments; an empty list matches ' +
      'all files. The four counts, like `attachmentsCount` of the post, count all attachments ' +
      'of the post, independently of the filters. `language` is accepted and has no effect.',
    requestExamples: examples<'ListPostAttachmentsByPostIdRequest'>({
      pictures: {
        summary: 'Pictures, video and sound',
        value: { mimeTypeCategory: 'multimedia', orderBy: 'name', orderDesc: false },
      },
    }),
    clientMethod: 'list',
    command: {
      columns: ['id', 'name', 'contentMimeType', 'size', 'versionNumber', 'creatorUser'],
      examples: ['4711 --all', '4711 --mime-type-category multimedia --count'],
    },
  },
  checkAttachmentVisibility: {
    method: 'POST',
    path: '/communication/attachments/data/check-visibility',
    body: 'CheckVisibilityRequest',
    responses: { 200: 'CheckVisibilityResponse' },
    permission: 'authenticated',
    summary: 'Visible attachments among the given ids',
    description: 'Takes up to 1,000 ids and returns the visible attachments; never returns 404.',
    clientMethod: 'whichCanISee',
    formerMethod: 'checkVisibility',
    command: { examples: ['--ids 512,513', '--ids 512 --output json'] },
  },
  editPostAttachments: {
    method: 'PUT',
    path: '/communication/posts/manage/edit-post-attachments/{postId}',
    body: 'EditPostAttachmentsRequest',
    responses: { 200: 'EditPostAttachmentsResponse', ...valueErrors },
    permission: 'editPostAttachments',
    summary: 'Add, update, remove and restore attachments of a post',
    description:
      'Requires no token. An update with a `contentRef` creates a new version of the attachment under the same id. `restoreAttachmentIds` attaches removed attachments again, with the quota of new ones; an attachment that is not removed stays unchanged.',
    clientMethod: 'updateOnPost',
    formerMethod: 'editOnPost',
    command: {
      attachments: 'addAttachments',
      examples: [
        '4711 --attach report.pdf --attach photo.jpg',
        '4711 --remove-attachment-ids 512 --dry-run',
        '4711 --restore-attachment-ids 512',
      ],
    },
  },
});
