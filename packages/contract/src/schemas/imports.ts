/** Imports of files of rows into a community. */
import { importPhases, importStates } from '../filters.ts';
import { importLimits } from '../limits.ts';
import { count, flag, int32, int64, page, pageInputs, ref, text, texts, time, type, upload, word } from './fields.ts';

const fileName = (what: string) =>
  text(
    `Name of the file of ${what}, which says its format: \`.csv\`, \`.tsv\`, \`.txt\`, \`.ndjson\` or \`.jsonl\`, also with \`.gz\`.`,
    {
      maxLength: importLimits.fileName,
    },
  );

export const importTypes = {
  Import: type('An import of a file of rows into a community.', {
    id: int64('Id of the import.'),
    communityId: int64('Community that the rows go to.'),
    fileName: text('Name of the file of rows.'),
    changesFileName: text('Name of the file of changes; absent without one.'),
    mapping: text('The mapping as it was sent.'),
    trial: flag('Whether it only tries the rows and keeps nothing.'),
    state: word(importStates, 'How far it is.'),
    phase: word(importPhases, 'What is being done; absent unless it runs.'),
    readRows: count('Rows that were worked on so far, of those that can be taken.'),
    rows: count('Rows of the file; absent until it was read once.'),
    report: ref('ImportReport', 'What became of the rows; while it runs, so far.'),
    notes: texts(
      'What else is to be known: properties of the mapping that were not applied, limits that were reached.',
    ),
    problem: text('Why it failed; absent unless it did.'),
    creatorUser: ref('User', 'Who started it, and as whom it works.'),
    creationTimestamp: time('When it was started.'),
    startTimestamp: time('When the work began; absent before.'),
    endTimestamp: time('When it ended; absent before.'),
  }),
  ImportReport: type('What became of the rows of an import.', {
    createdCount: count('Rows that became posts.'),
    editedCount: count('Rows that changed their posts.'),
    unchangedCount: count('Rows whose posts were as they say already.'),
    refusedCount: count('Rows that were not taken.'),
    commentsCount: count('Comments that were added.'),
    peopleCount: count('People who were made.'),
    valuesCount: count('Values of fields that were made.'),
    fieldsCount: count('Fields that were made.'),
    statesCount: count('States that were made.'),
    hashtagsCount: count('Hashtags that were made.'),
    changesCount: count('Changes that were written to histories.'),
  }),
  StartImportRequest: type('A file of rows, and what its columns are.', {
    contentRef: upload('The file of rows: an upload of the caller that nothing uses yet. Left out with `importId`.'),
    fileName: fileName('rows'),
    changesContentRef: upload(
      'A file of changes, which become the history of the posts; for holders of the right `manageDigitalWorplace`.',
    ),
    changesFileName: fileName('changes'),
    mapping: text(
      'Which column is what, as YAML or JSON (docs/importing.md). Fields of the community are named by external id or label.',
      { maxLength: importLimits.mapping },
    ),
    trial: flag('Tries the rows, reports as if they had been imported, and keeps nothing. Default false.', {
      default: false,
    }),
    importId: int64(
      'An earlier import of the community, most often a trial: what is left out is taken from it, the files and the mapping.',
    ),
  }),
  ListImportsRequest: type('Paging of imports.', { ...pageInputs }),
  ListImportsResponse: page('Import', 'A page of imports of a community.'),
  ImportRefusal: type('A row, or a value of one, that was not taken.', {
    line: int32('Line of the file on which the row begins; the first is 1.'),
    file: word(['rows', 'changes'], 'The file.'),
    column: text('Column; absent where the row as a whole cannot be read.'),
    value: text('The value, cut to 80 characters; absent where it is empty.'),
    reason: text('What is wrong, and what is allowed.'),
    lost: word(['row', 'value'], 'Whether the row was not taken, or only this value.'),
  }),
  ListImportRefusalsRequest: type('Paging of the refusals of an import.', { ...pageInputs }),
  ListImportRefusalsResponse: page('ImportRefusal', 'A page of refusals, in the order of the file.'),
};
