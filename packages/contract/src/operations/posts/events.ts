/** Writing event posts. */
import { defineOperations, valueErrors } from '../define.ts';
import { loadAttachmentsQuery } from '../query.ts';

export const eventOperations = defineOperations('posts', {
  getEventPostDataForCreate: {
    method: 'GET',
    path: '/communication/posts/manage/event-post-data-for-create/{communityId}',
    responses: { 200: 'GetEventPostForCreateResponse', 403: null, 404: null },
    permission: 'createEventPost',
    summary: 'Read the form of a new event',
    description: 'Returns the initial values of a new event post in the community.',
    clientMethod: 'eventDefaults',
    formerMethod: 'createEventForm',
    command: { examples: ['2', '2 --output json'] },
  },
  getEventPostDataForEdit: {
    method: 'GET',
    path: '/communication/posts/manage/event-post-data-for-edit/{postId}',
    query: { ...loadAttachmentsQuery },
    responses: { 200: 'GetEventPostForEditResponse', 403: null, 404: null },
    permission: 'editPost',
    summary: 'Read the edit form of an event',
    description:
      'Returns the editable content of an event post, and the `occToken` for the edit. A post ' +
      'of another type returns 404.',
    clientMethod: 'readEventForEdit',
    formerMethod: 'editEventForm',
    command: { examples: ['4720 --output yaml', '4720 --no-load-attachments --output json'] },
  },
  getEventPostDataForCopy: {
    method: 'GET',
    path: '/communication/posts/manage/event-post-data-for-copy/{postId}',
    query: { ...loadAttachmentsQuery },
    responses: { 200: 'GetEventPostForCopyResponse', 403: null, 404: null },
    permission: 'copyPost',
    summary: 'Read the copy form of an event',
    description: 'Returns the initial content of a copy of the event, and the `occToken` of the source.',
    clientMethod: 'copyEventDefaults',
    formerMethod: 'copyEventForm',
    command: { examples: ['4720 --output yaml', '4720 --no-load-attachments --output json'] },
  },
  createEventPost: {
    method: 'POST',
    path: '/communication/posts/manage/create-event-post/{communityId}',
    body: 'CreateEventPostRequest',
    responses: { 200: 'CreatePostResponse', 400: 'CustomFieldValidationErrorResponse', 403: null },
    permission: 'createEventPost',
    summary: 'Create an event',
    description: 'Requires `event.startAt`. Invited users and groups see the event also when it is private.',
    clientMethod: 'createEvent',
    command: {
      attachments: 'attachments',
      plainText: ['description', 'descriptionFormat'],
      defaults: { announcement: false },
      examples: [
        `2 --title "Open day" --description "For everyone." --event '{"startAt": {"localDatetime": "2026-12-05T09:00:00"}, "timezone": "Europe/Rome"}'`,
        '2 --data @event.json --dry-run',
      ],
    },
  },
  editEventPost: {
    method: 'PUT',
    path: '/communication/posts/manage/edit-event-post/{postId}/{occToken}',
    body: 'EditEventPostRequest',
    responses: { 200: 'EditPostResponse', ...valueErrors, 409: null },
    permission: 'editPost',
    summary: 'Edit an event',
    description:
      'Replaces the content, like `editCustomPost`, and requires `title` and `event`; an ' +
      'omitted description is cleared. A null `pinned` keeps the pin, and omitted invitations ' +
      'stay unchanged.',
    clientMethod: 'replaceEvent',
    formerMethod: 'editEvent',
    command: {
      form: 'getEventPostDataForEdit',
      needsValue: true,
      otherVerb: 'edit',
      attachments: 'addAttachments',
      plainText: ['description', 'descriptionFormat'],
      examples: ['4720 --title "Open day, moved"', '4720 --event @event.json --dry-run'],
    },
  },
  copyEventPost: {
    method: 'PUT',
    path: '/communication/posts/manage/copy-event-post/{postId}/{occToken}',
    body: 'CopyEventPostRequest',
    responses: { 200: 'CopyPostResponse', ...valueErrors, 409: null },
    permission: 'copyPost',
    summary: 'Copy an event',
    description:
      'Creates an event post from the body, which requires `title` and `event`; an omitted ' +
      'description is empty. If invitations are omitted, the invitations of the source are ' +
      'copied.',
    clientMethod: 'copyEvent',
    command: {
      form: 'getEventPostDataForCopy',
      otherVerb: 'copy',
      attachments: 'addAttachments',
      plainText: ['description', 'descriptionFormat'],
      examples: ['4720 --title "Open day 2027"', '4720 --event @event.json --dry-run'],
    },
  },
  editPostEventPartecipate: {
    method: 'PUT',
    path: '/communication/posts/manage/post-event/{postId}/partecipate',
    body: 'EditPostEventPartecipateRequest',
    responses: { 200: null, 403: null, 404: null },
    permission: 'answerEvent',
    summary: 'Answer an invitation',
    description:
      "Sets the caller's answer to an event: yes, maybe or no, with an optional note. Returns an empty body.",
    clientMethod: 'answerEvent',
    command: { examples: ['4720 --type-id 1', '4720 --type-id 2 --notes "After lunch"'] },
  },
});
