/** Versions of posts. */
import { TextPieceKind } from '../codes/defined-codes.ts';
import { mostPostVersions } from '../limits.ts';
import {
  code,
  fieldValues,
  flag,
  ids,
  int64,
  list,
  page,
  pageInputs,
  ref,
  required,
  text,
  time,
  token,
  type,
  word,
  wordList,
} from './fields.ts';

const PARTS = ['title', 'description', 'hashtags', 'event', 'attachments'] as const;

const versionNumber = int64('Number of the version; 0 is what the post has now.');
const head = {
  versionNumber,
  editorUser: ref('User', 'Who wrote it.'),
  timestamp: time('When it was written.'),
};

export const postVersionTypes = {
  ListPostVersionsRequest: type('Paging of the versions of a post.', pageInputs),
  ListPostVersionsResponse: page(
    'PostVersion',
    `A page of versions, what the post has now first. The newest ${mostPostVersions} are kept in reach.`,
  ),
  PostVersion: type('What a post has or had, as lists show it.', {
    ...head,
    changedParts: wordList(PARTS, 'What the edit changed by which it was made; empty for the first one that is kept.'),
    changedFieldIds: ids('The custom fields that it changed.'),
  }),
  GetPostVersionRequest: type('The version that is wanted.', { versionNumber: required(versionNumber) }),
  PostVersionContent: type('What a post has or had.', {
    ...head,
    title: text('Title.'),
    descriptionPlainText: text('The text without formatting.'),
    descriptionDelta: text('The text as rich text: a Quill delta as a JSON string.'),
    customData: fieldValues(
      'Values of the custom fields by field id, as the detail of a post shows them: of fields that there are now.',
    ),
    hashtags: list('Hashtag', 'Hashtags.'),
    event: ref('EventPostData', 'Time and place of an event.'),
    attachments: list('VersionAttachment', 'Attachments.'),
  }),
  VersionAttachment: type('An attachment of a version.', {
    id: int64('Id of the attachment.'),
    name: text('Its name now; absent when it was removed.'),
    versionNumber: int64('Number of the version that the attachment had.'),
    removed: flag('Whether it was removed since.'),
  }),
  ComparePostVersionsRequest: type('The versions to compare.', {
    fromVersion: required(versionNumber),
    toVersion: { ...int64('Number of the other version; left out or 0: what the post has now.'), default: 0 },
  }),
  ComparePostVersionsResponse: type('What differs between two versions.', {
    fromVersion: versionNumber,
    toVersion: versionNumber,
    changes: list('PostVersionChange', 'What differs, in the order of the form.'),
  }),
  PostVersionChange: type('A part of a post that differs.', {
    part: word([...PARTS, 'field'], 'Which part.'),
    fieldId: int64('The custom field.'),
    label: text('Label of the custom field, or of an event which of its members.'),
    before: text('What it was, in words; absent for nothing.'),
    after: text('What it became, in words; absent for nothing.'),
    words: list('TextPiece', 'Of texts: what was kept, added and removed, in order.'),
  }),
  TextPiece: type('A piece of a text.', {
    kind: code(TextPieceKind, 'What became of it.'),
    text: text('The piece.'),
  }),
  RestorePostVersionRequest: type('The version to restore.', {
    versionNumber: required(versionNumber),
    occToken: required(token('Token of the post; a stale one is a 409.')),
  }),
};
