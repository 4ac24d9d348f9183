/** Versions of posts. */
import { TextPieceKind } from '../../codes/defined-codes.ts';
import { mostPostVersions } from '../../limits.ts';
import * as t from '../fields.ts';

const PARTS = ['title', 'description', 'hashtags', 'event', 'attachments'] as const;

const versionNumber = t.int64('Number of the version; 0 is the current content.');
const head = {
  versionNumber,
  editorUser: t.ref('User', 'User who wrote it.'),
  timestamp: t.time('Time at which it was written.'),
};

export const postVersionTypes = {
  ListPostVersionsRequest: t.type('Paging of the versions of a post.', t.pageInputs),
  ListPostVersionsResponse: t.page(
    'PostVersion',
    `A page of versions, the current content first. Only the newest ${mostPostVersions} are available.`,
  ),
  PostVersion: t.type('Current or former content of a post, as lists show it.', {
    ...head,
    changedParts: t.wordList(PARTS, 'Changes of the edit that created the version; empty for the first kept version.'),
    changedFieldIds: t.ids('The custom fields that it changed.'),
  }),
  GetPostVersionRequest: t.type('The version that is wanted.', { versionNumber: t.required(versionNumber) }),
  PostVersionContent: t.type('Current or former content of a post.', {
    ...head,
    title: t.text('Title.'),
    descriptionPlainText: t.text('The text without formatting.'),
    descriptionDelta: t.text('The text as rich text: a Quill delta as a JSON string.'),
    customData: t.fieldValues(
      'Values of the custom fields by field id, as the detail of a post shows them: of fields that there are now.',
    ),
    hashtags: t.list('Hashtag', 'Hashtags.'),
    event: t.ref('EventPostData', 'Time and place of an event.'),
    attachments: t.list('VersionAttachment', 'Attachments.'),
  }),
  VersionAttachment: t.type('An attachment of a version.', {
    id: t.int64('Id of the attachment.'),
    name: t.text('Its name now; absent when it was removed.'),
    versionNumber: t.int64('Number of the version of the attachment at that time.'),
    removed: t.flag('Whether it was removed since.'),
  }),
  ComparePostVersionsRequest: t.type('The versions to compare.', {
    fromVersion: t.required(versionNumber),
    toVersion: { ...t.int64('Number of the other version. Omitted or 0: the current content.'), default: 0 },
  }),
  ComparePostVersionsResponse: t.type('Differences between two versions.', {
    fromVersion: versionNumber,
    toVersion: versionNumber,
    changes: t.list('PostVersionChange', 'The differences, in the order of the form.'),
  }),
  PostVersionChange: t.type('A part of a post that differs.', {
    part: t.word([...PARTS, 'field'], 'Which part.'),
    fieldId: t.int64('The custom field.'),
    label: t.text('Label of the custom field, or of an event which of its members.'),
    before: t.text('Former value, in words; absent for nothing.'),
    after: t.text('New value, in words; absent for nothing.'),
    beforeValue: t.jsonValue(
      'Former value of a custom field that holds no text, as the detail of a post shows it; absent for nothing.',
    ),
    afterValue: t.jsonValue('New value of such a field.'),
    words: t.list('TextPiece', 'For texts: kept, added and removed parts, in order.'),
  }),
  TextPiece: t.type('A piece of a text.', {
    kind: t.code(TextPieceKind, 'Kind of change.'),
    text: t.text('The piece.'),
  }),
  RestorePostVersionRequest: t.type('The version to restore.', {
    versionNumber: t.required(versionNumber),
    occToken: t.required(t.token('Token of the post; a stale token returns 409.'), 'Send the token of the post.'),
    restoreAttachments: t.flag(
      'True: files of the version that were removed since are attached again, with their ids and newest versions. Files added since stay. Default false: no attachment changes.',
      { default: false },
    ),
  }),
};
