/** Imports of files of rows into a community. */
import { FieldType } from '../../codes/field-types.ts';
import { importPhases, importPresets, importReasons, importStates, importTargets } from '../../filters.ts';
import { importLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const fileName = (what: string) =>
  t.text(
    `Name of the file of ${what}, which says its format: \`.csv\`, \`.tsv\`, \`.txt\`, \`.ndjson\`, \`.jsonl\`, \`.json\` or \`.xlsx\`, also with \`.gz\`.`,
    {
      maxLength: importLimits.fileName,
    },
  );

export const importTypes = {
  Import: t.type('An import of a file of rows into a community.', {
    id: t.int64('Id of the import.'),
    communityId: t.int64('Community that the rows go to.'),
    fileName: t.text('Name of the file of rows.'),
    changesFileName: t.text('Name of the file of changes; absent without one.'),
    mapping: t.text('The mapping as it was sent.'),
    archive: t.flag('Whether it imports the archive of a community; absent for files of rows.'),
    trial: t.flag('Whether it only tries the rows and keeps nothing.'),
    undoesImportId: t.int64('The import that it takes back; absent unless it is an undo.'),
    undoneByImportId: t.int64('The undo that takes it back, waiting, running or done; absent without one.'),
    state: t.word(importStates, 'Progress.'),
    phase: t.word(importPhases, 'Current step; absent unless it runs.'),
    readRows: t.count('Rows processed so far, of the valid rows.'),
    rows: t.count('Rows of the file; absent until it was read once.'),
    report: t.ref('ImportReport', 'Outcome of the rows; while it runs, so far.'),
    notes: t.texts('Other remarks: properties of the mapping that were not applied, limits that were reached.'),
    problem: t.text('Reason of the failure; absent unless it failed.'),
    creatorUser: t.ref('User', 'User who started it; it runs as this user.'),
    creationTimestamp: t.time('Time at which it was started.'),
    startTimestamp: t.time('Time at which the work began; absent before.'),
    endTimestamp: t.time('Time at which it ended; absent before.'),
  }),
  ImportReport: t.type('Outcome of the rows of an import.', {
    createdCount: t.count('Rows that became posts.'),
    editedCount: t.count('Rows that changed their posts.'),
    unchangedCount: t.count('Rows whose posts were up to date already.'),
    refusedCount: t.count('Rows that were not taken.'),
    commentsCount: t.count('Comments that were added.'),
    peopleCount: t.count('Created people.'),
    valuesCount: t.count('Created values of fields.'),
    fieldsCount: t.count('Created fields.'),
    statesCount: t.count('Created states.'),
    hashtagsCount: t.count('Created hashtags.'),
    changesCount: t.count('Changes that were written to histories.'),
    deletedPostsCount: t.count('Posts that an undo deleted; absent unless it is one, as are the others.'),
    deletedPeopleCount: t.count('People that it deleted.'),
    deletedValuesCount: t.count('Values of fields that it took out of use.'),
    deletedFieldsCount: t.count('Fields that it took out of use.'),
    deletedStatesCount: t.count('States that it took out of use.'),
    keptCount: t.count('Objects of the import that stay; `listImportRefusals` names them with the reasons.'),
  }),
  StartImportRequest: t.type('A file of rows, and the mapping of its columns.', {
    contentRef: t.upload('The file of rows: an unused upload of the caller. Omit it with `importId`.'),
    fileName: fileName('rows'),
    changesContentRef: t.upload(
      'A file of changes, which become the history of the posts; for holders of the right `manageDigitalWorplace`.',
    ),
    changesFileName: fileName('changes'),
    mapping: t.text(
      'Mapping of the columns, as YAML or JSON (docs/importing.md). Fields of the community ' +
        'are named by external id or label.',
      { maxLength: importLimits.mapping },
    ),
    trial: t.flag('Tries the rows, reports as if they were imported, and stores nothing. Default false.', {
      default: false,
    }),
    importId: t.int64(
      'An earlier import of the community, usually a trial: omitted files and an omitted mapping are taken from it.',
    ),
  }),
  UndoImportRequest: t.type('Settings for undoing an import.', {
    trial: t.flag('Reports as if the import were undone, and changes nothing. Default false.', {
      default: false,
    }),
  }),
  ListImportsRequest: t.type('Paging of imports.', { ...t.pageInputs }),
  ListImportsResponse: t.page('Import', 'A page of imports of a community.'),
  ImportRefusal: t.type('A row, or a value of one, that was not taken.', {
    line: t.int32('Line of the file on which the row begins; the first is 1. For an undo it is 0.'),
    file: t.word(['rows', 'changes'], 'The file.'),
    column: t.text(
      'Column; absent if the row as a whole cannot be read. For an undo: `post`, `person`, ' +
        '`field`, `value` or `state`.',
    ),
    value: t.text('The value, cut to 80 characters; absent if it is empty.'),
    reason: t.text('The error, and the allowed values.'),
    lost: t.word(['row', 'value'], 'Whether the row was not taken, or only this value.'),
  }),
  ListImportRefusalsRequest: t.type('Paging of the refusals of an import.', { ...t.pageInputs }),
  ListImportRefusalsResponse: t.page('ImportRefusal', 'A page of refusals, in the order of the file.'),
  SuggestImportMappingRequest: t.type('A file of rows, and choices for its columns.', {
    contentRef: t.upload('The file: an unused upload of the caller, which stays unused. Omit it with `importId`.'),
    fileName: fileName('rows'),
    importId: t.int64('An earlier import of the community, whose file is read.'),
    timezone: t.zoneName('Time zone of times without an offset. Default UTC.'),
    addStates: t.flag(
      'Whether the import adds states that the workflow lacks. Default: only if the community has no workflow.',
    ),
    columns: t.list(
      'ImportColumnChoice',
      'Destinations of columns; other columns are ignored. Default: the suggested ones.',
      { maxItems: importLimits.suggestedColumns },
    ),
  }),
  ImportColumnChoice: t.type('Destination of a column.', {
    name: t.required(t.text('Name of the column.', { maxLength: importLimits.columnName })),
    target: t.required(t.word(importTargets, 'Destination.')),
    fieldId: t.int64('Field of the community, for `field`.'),
    label: t.name('Label of the created field, for `newField`. Default: the name of the column.', {
      maxLength: importLimits.columnName,
    }),
    type: t.code(FieldType, 'Type of the created field, for `newField`. Default: that of the values.'),
    dateForm: t.text('Form of its dates, one of `dateForms` of the suggestion.', { maxLength: 100 }),
    addValues: t.flag('Whether the import adds values that the list of the field lacks. Default false.', {
      default: false,
    }),
  }),
  SuggestImportMappingResponse: t.type('Columns of a file, and a mapping for it.', {
    format: t.text('Format of the file: `csv`, `ndjson`, `json` or `xlsx`.'),
    preset: t.word(importPresets, 'Program that exported the file; absent if it was not recognised.'),
    columns: t.list('ImportColumn', `Columns in the order of the file; at most ${importLimits.suggestedColumns}.`),
    moreColumns: t.flag('Whether the file has more columns, which are ignored.'),
    sampledRows: t.count(`Rows that were read; at most ${importLimits.sampledRows}.`),
    moreRows: t.flag('Whether the file has more rows.'),
    missingStates: t.texts('States of the sampled rows that the workflow lacks.'),
    addsStates: t.flag('Whether the import adds these states.'),
    mapping: t.text('The mapping, as JSON, for `startImport`.'),
    rows: t.list('ImportPreviewRow', `The first rows as the mapping reads them; at most ${importLimits.previewRows}.`),
  }),
  ImportColumn: t.type('A column of a file.', {
    name: t.text('Name; for objects in JSON a path, such as `user.login`.'),
    count: t.count('Columns with this name.'),
    samples: t.texts(
      `Different values; at most ${importLimits.samples}, each cut to ${importLimits.sampleText} characters.`,
    ),
    filledRows: t.count('Sampled rows with a value.'),
    type: t.code(FieldType, 'Type of a field that can hold the values.'),
    dateForms: t.texts(
      'Forms in which all dates can be read, the likeliest first; several if the order of day and month is open.',
    ),
    target: t.word(importTargets, 'Destination.'),
    reason: t.word(importReasons, 'Reason of the suggestion; absent for chosen and ignored columns.'),
    fieldId: t.int64('Field of the community, for `field`.'),
    label: t.text('Label of the field, for `field` and `newField`.'),
    dateForm: t.text('Form in which its dates are read; absent for other columns.'),
    addsValues: t.flag('Whether the import adds values that the list of the field lacks.'),
    missingValues: t.texts('Values of the sampled rows that the list of the field lacks; at most 20.'),
  }),
  ImportPreviewRow: t.type('A row as it will be imported.', {
    line: t.int32('Line of the file on which the row begins; the first is 1.'),
    parts: t.list('ImportPreviewPart', 'Parts of the post; empty if the row is refused.'),
    problems: t.list('ImportRefusal', 'Values that cannot be read.'),
  }),
  ImportPreviewPart: t.type('A part of a post.', {
    target: t.word(importTargets, 'Part.'),
    label: t.text('Label of the field; absent for other parts.'),
    text: t.text('Value in words; dates as `2024-02-29`. Absent for moments.'),
    time: t.time('Value of a moment; absent for others.'),
  }),
};
