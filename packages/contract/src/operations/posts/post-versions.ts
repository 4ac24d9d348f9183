/** Versions of posts, which only Portico has. */
import { defineOperations, valueErrors } from '../define.ts';
import { examples } from '../examples.ts';

export const postVersionOperations = defineOperations('posts', {
  listPostVersions: {
    method: 'POST',
    path: '/communication/posts/data/versions/{postId}',
    body: 'ListPostVersionsRequest',
    responses: { 200: 'ListPostVersionsResponse', 403: null, 404: null },
    permission: 'editPost',
    paging: 'page',
    extension: true,
    summary: 'List the versions of a post',
    description:
      'Returns the current content of the post (0) and the versions that edits replaced, the ' +
      'newest first, with their authors and changes. A version holds title, text, custom ' +
      'fields, hashtags, time and place of an event, and attachments by reference. Available ' +
      'to people with the right to edit the post. The settings of the community define how ' +
      'long versions are kept.',
    clientMethod: 'versions',
    command: {
      columns: ['versionNumber', 'editorUser', 'timestamp', 'changedParts', 'changedFieldIds'],
      examples: ['4711 --all', '4711 --output ndjson --fields versionNumber,timestamp'],
    },
  },
  getPostVersion: {
    method: 'POST',
    path: '/communication/posts/data/version/{postId}',
    body: 'GetPostVersionRequest',
    responses: { 200: 'PostVersionContent', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'editPost',
    extension: true,
    summary: 'Read a version of a post',
    description:
      'Returns the content of one version. Fields that are deleted now, and people, posts and ' +
      'attachments that the caller does not see now, are omitted.',
    requestExamples: examples<'GetPostVersionRequest'>({ one: { summary: 'One', value: { versionNumber: 8123 } } }),
    clientMethod: 'version',
    command: { needsValue: true, examples: ['4711 --version-number 8123', '4711 --version-number 0 --output json'] },
  },
  comparePostVersions: {
    method: 'POST',
    path: '/communication/posts/data/compare-versions/{postId}',
    body: 'ComparePostVersionsRequest',
    responses: { 200: 'ComparePostVersionsResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'editPost',
    extension: true,
    summary: 'Compare two versions of a post',
    description:
      'Returns the differences, each part with before and after in words, custom fields by ' +
      'their label, texts also word by word. Without `toVersion` the version is compared with ' +
      'the current content.',
    requestExamples: examples<'ComparePostVersionsRequest'>({
      since: { summary: 'Changes since a version', value: { fromVersion: 8123 } },
      two: { summary: 'Between two', value: { fromVersion: 8123, toVersion: 8140 } },
    }),
    clientMethod: 'compareVersions',
    command: {
      rows: 'changes',
      columns: ['part', 'label', 'before', 'after'],
      needsValue: true,
      examples: ['4711 --from-version 8123', '4711 --from-version 8123 --to-version 8140 --output json'],
    },
  },
  restorePostVersion: {
    method: 'POST',
    path: '/communication/posts/manage/restore-version/{postId}',
    body: 'RestorePostVersionRequest',
    responses: { 200: 'EditPostResponse', ...valueErrors, 409: null },
    permission: 'editPost',
    extension: true,
    summary: 'Restore a version of a post',
    description:
      'Edits the post so that title, text, custom fields, and time and place of an event are as in the version, with the rules, the history and the errors of an edit. Read-only and hidden fields, watchers, visibility and invitations stay; attachments too, unless `restoreAttachments` brings back the removed files of the version, with the right and the quota of attaching.',
    requestExamples: examples<'RestorePostVersionRequest'>({
      one: { summary: 'One', value: { versionNumber: 8123, occToken: 7 } },
      files: { summary: 'With its files', value: { versionNumber: 8123, occToken: 7, restoreAttachments: true } },
    }),
    clientMethod: 'restoreVersion',
    command: {
      form: 'getCustomPostDataForEdit',
      needsValue: true,
      examples: ['4711 --version-number 8123', '4711 --version-number 8123 --restore-attachments --dry-run'],
    },
  },
});
