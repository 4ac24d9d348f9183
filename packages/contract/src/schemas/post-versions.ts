/** Versions of posts. */
import { TextPieceKind } from '../codes/defined-codes.ts';
import { mostPostVersions } from '../limits.ts';
import * as t from './fields.ts';

const PARTS = ['title', 'description', 'hashtags', 'event', 'attachments'] as const;

const versionNumber = t.int64('Number of the version; 0 is what the post has now.');
const head = {
  versionNumber,
  editorUser: t.ref('User', 'Who wrote it.'),
  timestamp: t.time('When it was written.'),
};

export const postVersionTypes = {
  ListPostVersionsRequest: t.type('Paging of the versions of a post.', t.pageInputs),
  ListPostVersionsResponse: t.page(
    'PostVersion',
    `A page of versions, what the post has now first. The newest ${mostPostVersions} are kept in reach.`,
  ),
  PostVersion: t.type('What a post has or had, as lists show it.', {
    ...head,
    changedParts: t.wordList(
      PARTS,
      'What the edit changed by which it was made; empty for the first one that is kept.',
    ),
    changedFieldIds: t.ids('The custom fields that it changed.'),
  }),
  GetPostVersionRequest: t.type('The version that is wanted.', { versionNumber: t.required(versionNumber) }),
  PostVersionContent: t.type('What a post has or had.', {
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
    versionNumber: t.int64('Number of the version that the attachment had.'),
    removed: t.flag('Whether it was removed since.'),
  }),
  ComparePostVersionsRequest: t.type('The versions to compare.', {
    fromVersion: t.required(versionNumber),
    toVersion: { ...t.int64('Number of the other version; left out or 0: what the post has now.'), default: 0 },
  }),
  ComparePostVersionsResponse: t.type('What differs between two versions.', {
    fromVersion: versionNumber,
    toVersion: versionNumber,
    changes: t.list('PostVersionChange', 'What differs, in the order of the form.'),
  }),
  PostVersionChange: t.type('A part of a post that differs.', {
    part: t.word([...PARTS, 'field'], 'Which part.'),
    fieldId: t.int64('The custom field.'),
    label: t.text('Label of the custom field, or of an event which of its members.'),
    before: t.text('What it was, in words; absent for nothing.'),
    after: t.text('What it became, in words; absent for nothing.'),
    words: t.list('TextPiece', 'Of texts: what was kept, added and removed, in order.'),
  }),
  TextPiece: t.type('A piece of a text.', {
    kind: t.code(TextPieceKind, 'What became of it.'),
    text: t.text('The piece.'),
  }),
  RestorePostVersionRequest: t.type('The version to restore.', {
    versionNumber: t.required(versionNumber),
    occToken: t.required(t.token('Token of the post; a stale one is a 409.')),
  }),
};
