/** Writing ordinary posts. */
import { TextFormat, Visibility } from '../../codes/codes.ts';
import { defineOperations, valueErrors } from '../define.ts';
import { examples } from '../examples.ts';
import { loadAttachmentsQuery, loadPostQuery } from '../query.ts';
import { sampleDelta, samplePost, sampleTime } from '../sample-values.ts';

export const postWriteOperations = defineOperations('posts', {
  getCustomPostDataForCreate: {
    method: 'GET',
    path: '/communication/posts/manage/post-data-for-create/{communityId}',
    responses: { 200: 'GetCustomPostForCreateResponse', 403: null, 404: null },
    permission: 'createPost',
    summary: 'Read the form of a new post',
    description: 'Returns the initial values of a new post in the community.',
    clientMethod: 'defaults',
    formerMethod: 'createForm',
    command: { examples: ['2', '2 --output json'] },
  },
  getCustomPostDataForEdit: {
    method: 'GET',
    path: '/communication/posts/manage/post-data-for-edit/{postId}',
    query: { ...loadAttachmentsQuery },
    responses: { 200: 'GetCustomPostForEditResponse', 403: null, 404: null },
    permission: 'editPost',
    summary: 'Read the edit form of a post',
    description: 'Returns the editable content of a post, and the `occToken` for the edit. Works for events too.',
    clientMethod: 'readForEdit',
    formerMethod: 'editForm',
    command: { examples: ['4711 --output yaml', '4711 --no-load-attachments --output json'] },
  },
  getCustomPostDataForCopy: {
    method: 'GET',
    path: '/communication/posts/manage/post-data-for-copy/{postId}',
    query: { ...loadAttachmentsQuery },
    responses: { 200: 'GetCustomPostForCopyResponse', 403: null, 404: null },
    permission: 'copyPost',
    summary: 'Read the copy form of a post',
    description: 'Returns the initial content of a copy, and the `occToken` of the source. Works for events too.',
    clientMethod: 'copyDefaults',
    formerMethod: 'copyForm',
    command: { examples: ['4711 --output yaml', '4711 --no-load-attachments --output json'] },
  },
  createCustomPost: {
    method: 'POST',
    path: '/communication/posts/manage/create-post/{communityId}',
    body: 'CreateCustomPostRequest',
    responses: { 200: 'CreatePostResponse', 400: 'CustomFieldValidationErrorResponse', 403: null },
    permission: 'createPost',
    summary: 'Create a post',
    description:
      'Requires the values that the definition of the community requires. All errors of the ' +
      'body are returned at once, errors of custom fields with their field id. With a ' +
      '`clientUid` a repeat by the same author returns the existing post.',
    requestExamples: examples<'CreateCustomPostRequest'>({
      plain: {
        summary: 'Plain text and custom fields',
        value: {
          title: 'Budget 2027',
          description: 'First draft for discussion.',
          descriptionFormat: TextFormat.PLAIN_TEXT,
          announcement: false,
          visibility: Visibility.PUBLIC,
          customData: { 4104: '2026-12-01', 4107: [71], 4110: true, 4115: [17] },
          watcherUserIds: [17],
          clientUid: 'budget-2027',
        },
      },
      rich: {
        summary: 'Rich text, published later',
        value: {
          title: 'Board meeting',
          description: sampleDelta,
          announcement: true,
          scheduledPublication: { datetime: '2026-12-31T18:00:00', timezone: 'Europe/Rome' },
        },
      },
    }),
    responseExamples: examples<'CreatePostResponse'>({
      post: {
        summary: 'The new post',
        value: { postId: 1201, nextOccToken: 1, postData: { ...samplePost, draft: false } },
      },
    }),
    clientMethod: 'create',
    command: {
      customFields: 'customData',
      attachments: 'attachments',
      plainText: ['description', 'descriptionFormat'],
      defaults: { announcement: false },
      examples: [
        `2 --title "Pump leaks" --description "Under the seal." --field Severity=High --field 'Due date=2026-12-31' --attach photo.jpg`,
        '2 --data @post.json --client-uid erp-2026-0017 --dry-run',
      ],
    },
  },
  editCustomPost: {
    method: 'PUT',
    path: '/communication/posts/manage/edit-post/{postId}/{occToken}',
    body: 'EditCustomPostRequest',
    responses: { 200: 'EditPostResponse', ...valueErrors, 409: null },
    permission: 'editPost',
    summary: 'Edit a post',
    description:
      'Replaces title, description and custom data. Omitted fields are emptied, but an ' +
      'existing description must be sent; an empty description clears it. Works for events ' +
      'too, which keep their time, place, invitations, pin, cover and link preview. Watchers ' +
      'and attachments change only through their add and remove lists. A stale token returns a ' +
      '409 that names the current token.',
    requestExamples: examples<'EditCustomPostRequest'>({
      whole: {
        summary: 'The whole form sent back, with a new title',
        value: {
          title: 'Budget 2027, second draft',
          description: sampleDelta,
          customData: { 4104: sampleTime, 4107: [71] },
          visibility: Visibility.PUBLIC,
        },
      },
    }),
    responseExamples: examples<'EditPostResponse'>({
      post: { summary: 'With `loadPost`', value: { nextOccToken: 8, postData: { ...samplePost, draft: false } } },
    }),
    clientMethod: 'replace',
    formerMethod: 'edit',
    command: {
      form: 'getCustomPostDataForEdit',
      needsValue: true,
      otherVerb: 'edit-event',
      customFields: 'customData',
      attachments: 'addAttachments',
      plainText: ['description', 'descriptionFormat'],
      examples: [
        '4711 --title "Pump leaks again"',
        '4711 --field Severity=Low --field Sites=Kobe --field Sites=Lecco --dry-run',
      ],
    },
  },
  patchPost: {
    method: 'POST',
    path: '/communication/posts/manage/patch-post/{postId}',
    body: 'PatchPostRequest',
    mergePatch: true,
    query: { ...loadPostQuery },
    responses: { 200: 'EditPostResponse', ...valueErrors, 409: null },
    permission: 'editPost',
    extension: true,
    summary: 'Edit a part of a post',
    description:
      'Applies a merge patch: omitted fields stay unchanged, null empties a field. Sent fields ' +
      'follow the rules of an edit of the whole post, which also define the fields that may be ' +
      'empty. The token is `occToken` of the body, or the header `If-Match`; a stale token ' +
      'returns a 409 that names the current token. Hashtags and mentions follow from the ' +
      'texts. Works for events too, except time, place, invitations, pin, cover and link ' +
      'preview. The response has the new token, and with `loadPost` the whole post.',
    requestExamples: examples<'PatchPostRequest'>({
      parts: {
        summary: 'A new title, one field emptied',
        value: { occToken: 7, title: 'Budget 2027, second draft', customData: { 4104: null } },
      },
    }),
    responseExamples: examples<'EditPostResponse'>({
      post: { summary: 'The edited post', value: { nextOccToken: 8, postData: { ...samplePost, draft: false } } },
    }),
    clientMethod: 'patch',
    successor: 'update',
    command: {
      form: 'getCustomPostDataForEdit',
      needsValue: true,
      customFields: 'customData',
      attachments: 'addAttachments',
      plainText: ['description', 'descriptionFormat'],
      examples: ['4711 --title "Pump leaks again"', '4711 --field Severity=Low --watcher-user-ids 17,18 --dry-run'],
    },
  },
  editPostCustomData: {
    method: 'PUT',
    path: '/communication/posts/manage/edit-post-custom-data/{postId}/{occToken}',
    body: 'EditPostCustomDataRequest',
    responses: { 200: 'EditPostResponse', ...valueErrors, 409: null },
    permission: 'editPost',
    summary: 'Edit the custom data of a post',
    description: 'Changes only custom fields. A non-empty `tables` returns 400.',
    requestExamples: examples<'EditPostCustomDataRequest'>({
      one: { summary: 'Change a reference', value: { customData: { 4107: [72] } } },
    }),
    clientMethod: 'editCustomData',
    successor: 'update',
    command: {
      form: 'getCustomPostDataForEdit',
      needsValue: true,
      customFields: 'customData',
      examples: ['4711 --field Severity=Low', "4711 --field 'Due date=' --dry-run"],
    },
  },
  copyCustomPost: {
    method: 'PUT',
    path: '/communication/posts/manage/copy-post/{postId}/{occToken}',
    body: 'CopyCustomPostRequest',
    responses: { 200: 'CopyPostResponse', ...valueErrors, 409: null },
    permission: 'copyPost',
    summary: 'Copy a post',
    description:
      'Creates a post in the same community from the body. Omitted fields are empty, so send ' +
      'the content of the copy form, and the description if the source has one. The copy of an ' +
      'event is an event with the same time, place, guests, cover and link preview. The token ' +
      'of the source is checked, not consumed.',
    clientMethod: 'copy',
    command: {
      form: 'getCustomPostDataForCopy',
      otherVerb: 'copy-event',
      customFields: 'customData',
      attachments: 'addAttachments',
      plainText: ['description', 'descriptionFormat'],
      examples: ['4711 --title "Copy of the report"', '4711 --field Severity=Low --dry-run'],
    },
  },
});
