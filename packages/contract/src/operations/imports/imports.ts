/** Imports of files into communities. */
import { importLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const importOperations = defineOperations('imports', {
  startImport: {
    method: 'POST',
    path: '/admin/manage/communities/{communityId}/imports',
    body: 'StartImportRequest',
    responses: { 200: 'Import', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'importPosts',
    extension: true,
    summary: 'Import a file of rows into a community',
    description:
      'Starts an import, which runs in the background as the caller; `getImport` returns its ' +
      'progress, `listImportRefusals` the rejected rows and values. Rows are matched by ' +
      'external id, so an import can be repeated. Authors, times and histories are taken from ' +
      'the file for holders of the right `manageDigitalWorplace` only; missing people are ' +
      `created for holders of \`manageUsers\` only. A file has at most ${importLimits.rows} rows ` +
      `and ${importLimits.bytes} bytes. A trial checks every row, and writes and rolls back ` +
      `the first ${importLimits.triedRows}. If the community has ${importLimits.waiting} ` +
      'unfinished imports, the operation returns 409.',
    requestExamples: examples<'StartImportRequest'>({
      trial: {
        summary: 'Try a file',
        value: {
          contentRef: '0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d',
          fileName: 'orders.csv',
          mapping: 'externalId: id\ntitle: name\nfields:\n  Amount: { column: amount, decimal: "," }\n',
          trial: true,
        },
      },
      again: { summary: 'Import the file of a trial', value: { importId: 17 } },
    }),
    clientMethod: 'start',
    command: {
      examples: [
        '2 --import-id 17',
        `2 --content-ref 0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d --file-name orders.csv --mapping '{"externalId": "id", "title": "name"}' --trial`,
      ],
    },
  },
  suggestImportMapping: {
    method: 'POST',
    path: '/admin/data/communities/{communityId}/imports/suggestion',
    body: 'SuggestImportMappingRequest',
    responses: { 200: 'SuggestImportMappingResponse', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'importPosts',
    extension: true,
    summary: 'Suggest a mapping for a file of rows',
    description:
      'Reads the beginning of a file and returns its columns with samples and types, a ' +
      'destination for each, the mapping that `startImport` takes, and the first rows as they ' +
      'will be. Columns are matched with fields by key, by label in any language, by similar ' +
      'names and by type; exports of other programs are recognised. With `columns` the ' +
      'operation returns the mapping of these choices. It stores nothing, and the upload stays ' +
      'unused.',
    requestExamples: examples<'SuggestImportMappingRequest'>({
      first: {
        summary: 'Ask for a suggestion',
        value: {
          contentRef: '0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d',
          fileName: 'orders.csv',
          timezone: 'Europe/Rome',
        },
      },
      chosen: {
        summary: 'Choose the columns',
        value: {
          importId: 17,
          columns: [
            { name: 'name', target: 'title' },
            { name: 'sum', target: 'field', fieldId: 12 },
          ],
        },
      },
    }),
    clientMethod: 'suggestMapping',
    command: {
      rows: 'columns',
      columns: ['name', 'target', 'label', 'samples'],
      examples: ['2 --import-id 17', '2 --import-id 17 --output json'],
    },
  },
  planCommunityArchive: {
    method: 'POST',
    path: '/admin/data/community-archives',
    body: 'PlanCommunityArchiveRequest',
    responses: { 200: 'PlanCommunityArchiveResponse', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'everyAdministrativeRight',
    extension: true,
    summary: 'Preview the import of the archive of a community',
    description:
      'Reads the archive whole and returns its content, what its definition creates and changes ' +
      'here, and the users whom its people match by address or user name. A fault returns 400 ' +
      'with entry and line. It stores nothing, and the upload stays unused.',
    requestExamples: examples<'PlanCommunityArchiveRequest'>({
      archive: {
        summary: 'Preview an archive',
        value: { contentRef: '0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d' },
      },
    }),
    clientMethod: 'planArchive',
    command: {
      object: 'people',
      examples: [
        '--content-ref 0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d',
        '--content-ref 0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d --key buy-2 --output json',
      ],
    },
  },
  importCommunityArchive: {
    method: 'POST',
    path: '/admin/manage/community-archives',
    body: 'ImportCommunityArchiveRequest',
    responses: { 200: 'Import', 400: 'ValidationErrorResponse', 403: null, 409: null },
    permission: 'everyAdministrativeRight',
    extension: true,
    summary: 'Import the archive of a community as a new community',
    description:
      'Creates the community of the archive and starts an import of its posts, which runs in the ' +
      'background as the caller; `getImport` returns its progress, `listImportRefusals` the posts ' +
      'and values that were not taken. Posts, comments and history keep authors and times, and are ' +
      'marked as imported. People are matched as in the plan, or as `people` says; others become ' +
      'users without address, rights and sign-in. `undoImport` takes the posts and people back.',
    requestExamples: examples<'ImportCommunityArchiveRequest'>({
      archive: {
        summary: 'Import an archive',
        value: {
          contentRef: '0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d',
          people: [{ key: 'p1', userId: 17 }, { key: 'p2' }],
        },
      },
    }),
    clientMethod: 'startArchive',
    command: {
      examples: [
        '--content-ref 0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d',
        '--content-ref 0f7c6a9d2b4e8135c0a1d2e3f4051627384950a1b2c3d4e5f60718293a4b5c6d --name Purchasing --key buy-2',
      ],
    },
  },
  listImports: {
    method: 'POST',
    path: '/admin/data/communities/{communityId}/imports',
    body: 'ListImportsRequest',
    responses: { 200: 'ListImportsResponse', 403: null, 404: null },
    permission: 'importPosts',
    paging: 'page',
    extension: true,
    summary: 'List the imports of a community',
    description:
      'Returns the imports, the newest first. An import is listed, and its files are kept, ' +
      `until ${importLimits.days} days after its end.`,
    clientMethod: 'list',
    command: {
      columns: ['id', 'creationTimestamp', 'fileName', 'trial', 'state', 'rows', 'creatorUser'],
      examples: ['2', '2 --all --output json'],
    },
  },
  getImport: {
    method: 'GET',
    path: '/admin/data/imports/{importId}',
    responses: { 200: 'Import', 403: null, 404: null },
    permission: 'importPosts',
    extension: true,
    summary: 'Tell how far an import is',
    description: 'Returns the state of the import, its progress and, after its end, its report.',
    clientMethod: 'get',
    command: { examples: ['17', '17 --output yaml'] },
  },
  listImportRefusals: {
    method: 'POST',
    path: '/admin/data/imports/{importId}/refusals',
    body: 'ListImportRefusalsRequest',
    responses: { 200: 'ListImportRefusalsResponse', 403: null, 404: null },
    permission: 'importPosts',
    paging: 'page',
    extension: true,
    summary: 'List the rejected rows and values of an import',
    description:
      'Returns line, column, value and reason of each rejected row and value, in the order of ' +
      `the file; at most the first ${importLimits.refusals}. Empty until the import has ended.`,
    clientMethod: 'rejectedRows',
    formerMethod: 'refusals',
    command: {
      columns: ['line', 'column', 'value', 'reason', 'lost'],
      examples: ['17 --all', '17 --all --output csv'],
    },
  },
  cancelImport: {
    method: 'POST',
    path: '/admin/manage/imports/{importId}/cancel',
    responses: { 200: 'Import', 400: 'ValidationErrorResponse', 403: null, 404: null },
    permission: 'importPosts',
    extension: true,
    summary: 'Stop an import',
    description:
      'A waiting import does not begin; a running import stops within seconds. Written posts ' +
      'stay, and the same file can be imported again. An import that has ended returns 400.',
    clientMethod: 'cancel',
    command: { examples: ['17', '17 --dry-run'] },
  },
  undoImport: {
    method: 'POST',
    path: '/admin/manage/imports/{importId}/undo',
    body: 'UndoImportRequest',
    responses: { 200: 'Import', 400: 'ValidationErrorResponse', 403: null, 404: null, 409: null },
    permission: 'importPosts',
    extension: true,
    summary: 'Take an import back',
    description:
      'Starts the undo of an import that has ended, as an import of its own ' +
      '(`undoesImportId`), which runs in the background as the caller; `getImport` returns its ' +
      'progress. The undo deletes posts that the import created and nobody has touched since, ' +
      'and removes fields, values and states that it added and nothing uses; people that it ' +
      'created, who never signed in and are named nowhere, are deleted for holders of ' +
      '`manageUsers`. `listImportRefusals` lists the objects that stay, with the reasons. With ' +
      '`trial` it only reports. The rows are forgotten: the same file can be imported again. A ' +
      'trial, an undo, and an import that was undone return 400; if the community has ' +
      `${importLimits.waiting} unfinished imports, the operation returns 409.`,
    clientMethod: 'undo',
    command: { examples: ['17 --trial', '17'] },
  },
});
