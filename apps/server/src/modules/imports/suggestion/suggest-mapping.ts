/** Suggests a mapping for a file (operation suggestImportMapping). */
import { tmpdir } from 'node:os';
import {
  type ImportColumn,
  type ImportColumnChoice,
  importLimits,
  type SuggestImportMappingRequest,
  type SuggestImportMappingResponse,
} from '@portico/contract';
import type { FileStorage } from '@portico/platform/files';
import { cutCodePoints } from '@portico/platform/text';
import { TimeInputError, zoneFor } from '@portico/platform/time';
import { Turns } from '@portico/platform/turns';
import { holds } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid, notFound, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, getDefinition } from '../../communities/index.ts';
import { isChoice } from '../../fields/index.ts';
import { usableSize, withStoredFile } from '../../files/index.ts';
import { requireImporter } from '../imports.policy.ts';
import { findImport } from '../imports.repository.ts';
import { loadPatterns } from '../mapping/date-pattern.ts';
import { readMapping } from '../mapping/mapping.ts';
import { MappingError } from '../mapping/mapping-error.ts';
import { composed } from '../mapping/values.ts';
import { ImportError } from '../source/errors.ts';
import { openInput } from '../source/input-lines.ts';
import type { InputFormat } from '../source/mapping-types.ts';
import { formatOf } from '../source/records.ts';
import { type Chooser, type ChosenColumn, chooseTargets, HISTORY, type StudiedColumn, typeOfNew } from './choose.ts';
import { composeMapping } from './compose.ts';
import { detect } from './detect.ts';
import { knownExport, recognise } from './known-exports.ts';
import { previewRows } from './preview.ts';
import { type Raw, readSample, type Sample } from './sample.ts';

/** Dependencies of the operation. */
export interface SuggestionOptions {
  readonly storage: FileStorage;
  /** Takes in an upload that the client sent directly to the storage. */
  readonly takeIn?: ((scope: Scope, body: unknown) => Promise<void>) | undefined;
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError for a file that cannot be read */
export async function suggestMapping(
  scope: Scope,
  communityId: number,
  body: SuggestImportMappingRequest,
  options: SuggestionOptions,
): Promise<SuggestImportMappingResponse> {
  requireImporter(scope.actor, communityId);
  const definition = await getDefinition(scope, communityId);
  if (!definition) throw notFound();
  const timezone = readZone(body.timezone);
  await options.takeIn?.(scope, { contentRef: body.contentRef });
  const file = await findFile(scope, communityId, body);
  const sample = await sampleOf(scope, options.storage, file);
  const preset = recognise(sample);
  const chooser: Chooser = {
    definition,
    known: preset && (await knownExport(preset, timezone)),
    withHistory: holds(scope.actor, 'manageDigitalWorplace'),
    withPeople: holds(scope.actor, 'manageUsers'),
  };
  const studied = await study(sample, chooser);
  const columns = body.columns ? readChoices(body.columns, studied, chooser) : chooseTargets(studied, chooser);
  const missingStates = statesMissing(columns, definition);
  // Only holders of the right create a workflow.
  const addStates = body.addStates ?? (!definition.workflow && chooser.withHistory);
  const mapping = composeMapping({
    ...chooser,
    sample,
    columns,
    communityId,
    timezone,
    addStates,
    fileMark: file.contentRef.slice(0, 8),
  });
  const read = await readComposed(mapping, definition, chooser.withHistory);
  return {
    format: sample.format,
    preset,
    columns: columns.map(presentColumn),
    moreColumns: sample.moreColumns,
    sampledRows: sample.records.length,
    moreRows: sample.moreRows,
    missingStates,
    addsStates: addStates && missingStates.length > 0,
    mapping,
    rows: await previewRows(read, sample.records),
  };
}

function readZone(timezone: string | undefined): string {
  try {
    return timezone ? zoneFor(timezone).name : 'UTC';
  } catch (error) {
    if (!(error instanceof TimeInputError)) throw error;
    throw invalid('timezone', 'INVALID_VALUE', error.message);
  }
}

interface GivenFile {
  readonly contentRef: string;
  readonly name: string;
  readonly format: InputFormat;
}

/** @throws ValidationError */
async function findFile(
  { db, actor }: Scope,
  communityId: number,
  { contentRef, fileName, importId }: SuggestImportMappingRequest,
): Promise<GivenFile> {
  const errors = new FieldErrors();
  const earlier = importId === undefined || contentRef ? undefined : await findImport(db, importId);
  const isOfCommunity = earlier?.communityId === communityId && earlier.undoes === null && !earlier.archivedPeople;
  if (importId !== undefined && !contentRef && !isOfCommunity)
    errors.add('importId', 'UNKNOWN_REFERENCE', 'An import of this community.');
  if (contentRef) {
    const size = await usableSize(db, contentRef, actor.userId);
    if (size === undefined) errors.add('contentRef', 'CONTENT_REF_INVALID');
    else if (size > importLimits.bytes)
      errors.add('contentRef', 'INVALID_VALUE', `A file has at most ${importLimits.bytes} bytes.`, [
        importLimits.bytes,
      ]);
  } else if (importId === undefined) {
    errors.add('contentRef', 'REQUIRED_FIELD', 'Upload a file, or name an importId.');
  }
  const name = fileName || (isOfCommunity && earlier?.fileName) || '';
  const format = formatOf(name);
  if (name === '' && (contentRef || isOfCommunity)) errors.add('fileName', 'REQUIRED_FIELD');
  else if (name !== '' && !format)
    errors.add(
      'fileName',
      'INVALID_VALUE',
      'The name ends with .csv, .tsv, .txt, .ndjson, .jsonl, .json or .xlsx (also .gz).',
    );
  errors.throwIfAny();
  return { contentRef: contentRef || earlier!.contentRef, name, format: format! };
}

/** @throws ValidationError for a file that cannot be read */
async function sampleOf({ db }: Scope, storage: FileStorage, { contentRef, name, format }: GivenFile): Promise<Sample> {
  const most = format === 'json' || format === 'xlsx' ? undefined : importLimits.sampledBytes;
  try {
    const sample = await withStoredFile(
      db,
      storage,
      contentRef,
      tmpdir(),
      async (path) => {
        const file = await openInput(path, {
          name,
          mostBytes: importLimits.decompressedBytes,
          longestLine: importLimits.line,
        });
        return readSample(file, format, file.size === most);
      },
      most,
    );
    if ('lost' in sample) throw invalid('contentRef', 'CONTENT_REF_INVALID', 'Its file is not there any more.');
    return sample;
  } catch (error) {
    if (error instanceof ImportError) throw invalid('contentRef', 'INVALID_VALUE', error.message);
    throw error;
  }
}

async function study(sample: Sample, { known }: Chooser): Promise<StudiedColumn[]> {
  await loadPatterns();
  const turns = new Turns();
  const studied: StudiedColumn[] = [];
  for (const sampled of sample.columns) {
    if (turns.isOver) await turns.next();
    studied.push({ sampled, detected: detect(sampled), preset: known?.columns.get(composed(sampled.name)) });
  }
  return studied;
}

/** @throws ValidationError */
function readChoices(
  choices: readonly ImportColumnChoice[],
  columns: readonly StudiedColumn[],
  { definition, withHistory }: Chooser,
): ChosenColumn[] {
  const errors = new FieldErrors();
  const chosen = new Map<string, ChosenColumn>();
  for (const [index, choice] of choices.entries()) {
    const at = (part: string) => `columns[${index}].${part}`;
    const { name = '', target = 'none', fieldId, label, type, dateForm, addValues } = choice;
    const column = columns.find(({ sampled }) => sampled.name === name);
    const field = definition.fields.find(({ id }) => id === fieldId);
    if (!column) errors.add(at('name'), 'UNKNOWN_REFERENCE', 'A column of the file.');
    else if (chosen.has(name)) errors.add(at('name'), 'INVALID_VALUE', 'A column is named once.');
    if (HISTORY.has(target) && !withHistory)
      errors.add(at('target'), 'INVALID_VALUE', 'Only for holders of the right manageDigitalWorplace.');
    if (target === 'field' && !field) errors.add(at('fieldId'), 'UNKNOWN_REFERENCE', 'A field of the community.');
    const forms = column?.detected.dateForms ?? [];
    if (dateForm !== undefined && !forms.includes(dateForm))
      errors.add(at('dateForm'), 'INVALID_VALUE', `One of: ${forms.join(', ')}.`, forms);
    if (!column) continue;
    chosen.set(name, {
      ...column,
      target,
      ...(target === 'field' && field && { field, addValues: addValues ?? false }),
      ...(target === 'newField' && { label: label || name, type: type ?? typeOfNew(column) }),
      ...(dateForm !== undefined && { dateForm }),
    });
  }
  errors.throwIfAny();
  return columns.map((column) => chosen.get(column.sampled.name) ?? { ...column, target: 'none' });
}

/** @throws ValidationError if the choices contradict each other */
async function readComposed(mapping: string, definition: CommunityDefinition, withHistory: boolean) {
  try {
    return await readMapping('mapping', mapping, definition, withHistory);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const errors = new FieldErrors();
    for (const { path, message } of error.faults) errors.add('columns', 'INVALID_VALUE', `${path}: ${message}`);
    throw new ValidationError(errors.list);
  }
}

/** Maximum of values that a list of the file has and the community lacks. */
const MOST_MISSING = 20;

function statesMissing(columns: readonly ChosenColumn[], { workflow }: CommunityDefinition): string[] {
  const known = new Set(workflow?.states.flatMap(({ name, deleted }) => (deleted ? [] : [composed(name)])));
  const found = columns.filter(({ target }) => target === 'state').flatMap(({ sampled }) => sampled.values.flat());
  return missing(found, known);
}

function missing(values: readonly Raw[], known: ReadonlySet<string>): string[] {
  const labels = new Set(
    values.map((value) => composed(value).trim()).filter((label) => label !== '' && !known.has(label)),
  );
  return [...labels].slice(0, MOST_MISSING).map((label) => cutCodePoints(label, importLimits.sampleText));
}

function presentColumn(column: ChosenColumn): ImportColumn {
  const { sampled, detected, target, reason, field } = column;
  const samples = new Set<string>();
  for (const value of sampled.values.flat()) {
    if (samples.size === importLimits.samples) break;
    samples.add(cutCodePoints(String(value).trim(), importLimits.sampleText));
  }
  const type = column.type ?? typeOfNew(column);
  return {
    name: sampled.name,
    count: sampled.count,
    samples: [...samples],
    filledRows: sampled.values.filter(({ length }) => length > 0).length,
    type,
    dateForms: [...detected.dateForms],
    target,
    reason,
    fieldId: field?.id,
    label: field?.label ?? (target === 'newField' ? column.label : undefined),
    dateForm: column.dateForm ?? detected.dateForms[0],
    addsValues: column.addValues ?? false,
    missingValues: valuesMissing(column),
  };
}

/** Values that the own list of a field lacks; catalogs are not looked up. */
function valuesMissing({ field, sampled, detected }: ChosenColumn): string[] {
  if (!field || !isChoice(field) || field.catalogId !== null) return [];
  const known = new Set(field.enumValues.flatMap(({ label, deleted }) => (deleted ? [] : [composed(label)])));
  const { split } = detected;
  const values = sampled.values.flat();
  return missing(split === undefined ? values : values.flatMap((value) => String(value).split(split)), known);
}
