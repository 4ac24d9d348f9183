/** Starts an import over the API (operation startImport). */
import { type Import, importLimits, type StartImportRequest } from '@portico/contract';
import { holds, type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, notFound, PorticoError, ValidationError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { type CommunityDefinition, getDefinition, refuseArchived } from '../communities/index.ts';
import { type ClaimedUpload, claimUploads, lockUsableUploads } from '../files/index.ts';
import { requireImporter } from './imports.policy.ts';
import { countWaiting, findImport, type ImportRow, insertImport } from './imports.repository.ts';
import { readMapping } from './mapping/mapping.ts';
import { parseMapping } from './mapping/mapping-cursor.ts';
import { MappingError } from './mapping/mapping-error.ts';
import { presentImports } from './read-imports.ts';
import type { Mapping } from './source/mapping-types.ts';
import { formatOf } from './source/records.ts';
import type { YamlTree } from './yaml/yaml-tree.ts';

/**
 * Starts an import of the caller.
 * @throws ValidationError with every error; PorticoError NOT_FOUND, FORBIDDEN, CONFLICT at the
 * maximum of open imports
 */
export async function startImport(scope: Scope, communityId: number, body: StartImportRequest): Promise<Import> {
  requireImporter(scope.actor, communityId);
  // Parsing may take seconds, so it runs outside a transaction.
  const parsed = body.mapping ? await parseMapping(body.mapping) : undefined;
  return writeTransaction(scope, 'none', async (write) => {
    requireImporter(write.actor, communityId);
    const definition = await getDefinition(write, communityId);
    if (!definition) throw notFound();
    refuseArchived(definition.community);
    const errors = new FieldErrors();
    const earlier = await readEarlier(write, communityId, body.importId, errors);
    const withHistory = holds(write.actor, 'manageDigitalWorplace');
    const mapping = body.mapping || earlier?.mapping || '';
    const read = await readGiven(parsed ?? mapping, definition, withHistory, errors);
    const fileName = body.fileName || earlier?.fileName || '';
    checkFileName('fileName', fileName, read, errors);
    const contentRef = body.contentRef || earlier?.contentRef;
    const changesContentRef = body.changesContentRef || earlier?.changesContentRef || null;
    const changesFileName = changesContentRef === null ? null : body.changesFileName || earlier?.changesFileName || '';
    if (changesFileName !== null) checkChanges(changesFileName, read, withHistory, errors);
    const uploads = await readUploads(write, body, errors);
    if (contentRef === undefined) errors.add('contentRef', 'REQUIRED_FIELD', 'Upload a file, or name an importId.');
    if (errors.length > 0 || contentRef === undefined) throw new ValidationError(errors.list);
    await refuseTooManyWaiting(write, communityId);
    await claimUploads(write, uploads);
    const id = await insertImport(write, {
      communityId,
      contentRef,
      fileName,
      changesContentRef,
      changesFileName,
      mapping,
      trial: body.trial ?? false,
      withHistory,
      withPeople: holds(write.actor, 'manageUsers'),
      undoes: null,
    });
    const [shown] = await presentImports(write, write.tx, [(await findImport(write.tx, id))!]);
    return shown!;
  });
}

/** @throws PorticoError CONFLICT */
export async function refuseTooManyWaiting(write: WriteScope, communityId: number): Promise<void> {
  if ((await countWaiting(write.tx, communityId)) < importLimits.waiting) return;
  throw new PorticoError('CONFLICT', {
    message: `${importLimits.waiting} imports of the community have not ended; wait for one, or cancel it.`,
  });
}

async function readEarlier(
  write: WriteScope,
  communityId: number,
  importId: number | undefined,
  errors: FieldErrors,
): Promise<ImportRow | undefined> {
  if (importId === undefined) return undefined;
  // Locked, so that its files stay until this import refers to them.
  const earlier = await findImport(write.tx, importId, true);
  if (earlier?.communityId === communityId && earlier.undoes === null && !earlier.archivedPeople) return earlier;
  errors.add('importId', 'UNKNOWN_REFERENCE', 'An import of rows into this community.');
  return undefined;
}

/** Reads the valid parts of the mapping. */
async function readGiven(
  given: string | YamlTree,
  definition: CommunityDefinition,
  withHistory: boolean,
  errors: FieldErrors,
): Promise<Mapping | undefined> {
  if (given === '') {
    errors.add('mapping', 'REQUIRED_FIELD');
    return undefined;
  }
  try {
    const mapping = await readMapping('mapping', given, definition, withHistory);
    if (!withHistory) {
      for (const key of historyOf(mapping)) {
        errors.add(
          `mapping.${key}`,
          'INVALID_VALUE',
          'Only for holders of the right manageDigitalWorplace: without it, posts are yours and of now.',
        );
      }
    }
    return mapping;
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    for (const { line, path, message } of error.faults) {
      errors.add(
        path === '' ? 'mapping' : `mapping.${path}`,
        'INVALID_VALUE',
        line === undefined ? message : `Line ${line}: ${message}.`,
      );
    }
    return undefined;
  }
}

/** Returns the keys of a mapping that set other authors or times. */
function historyOf(mapping: Mapping): string[] {
  const keys = (['author', 'modifier', 'created', 'modified', 'changes'] as const).filter((key) => mapping[key]);
  return mapping.comments.some(({ author, at }) => author || at) ? [...keys, 'comments'] : keys;
}

function checkFileName(field: string, name: string, mapping: Mapping | undefined, errors: FieldErrors): void {
  if (name === '') errors.add(field, 'REQUIRED_FIELD');
  else if (mapping && !formatOf(name) && !mapping.format) {
    errors.add(
      field,
      'INVALID_VALUE',
      'The name ends with .csv, .tsv, .txt, .ndjson, .jsonl, .json or .xlsx (also .gz), or the mapping says the format.',
    );
  }
}

function checkChanges(name: string, mapping: Mapping | undefined, withHistory: boolean, errors: FieldErrors): void {
  checkFileName('changesFileName', name, mapping, errors);
  const refuse = (defaultMessage: string) => errors.add('changesContentRef', 'INVALID_VALUE', defaultMessage);
  if (!withHistory) refuse('Only holders of the right manageDigitalWorplace write histories.');
  if (mapping && !mapping.changes)
    refuse('The mapping says nothing about changes: add "changes: {externalId: …, at: …}".');
}

/** Returns the uploads that the body names, locked until the write ends. */
async function readUploads(
  write: WriteScope,
  { contentRef, changesContentRef }: StartImportRequest,
  errors: FieldErrors,
): Promise<ClaimedUpload[]> {
  const named = Object.entries({ contentRef, changesContentRef }).flatMap(([field, ref]) =>
    ref ? [{ field, contentRef: ref }] : [],
  );
  const usable = await lockUsableUploads(
    write,
    named.map((upload) => upload.contentRef),
  );
  const [first, second] = named;
  if (second && first!.contentRef === second.contentRef)
    errors.add(second.field, 'INVALID_VALUE', 'Another file than that of the rows.');
  for (const { field, contentRef: ref } of named) {
    const upload = usable.get(ref);
    if (!upload) errors.add(field, 'CONTENT_REF_INVALID');
    else if ((upload.size ?? 0) > importLimits.bytes) {
      errors.add(field, 'INVALID_VALUE', `A file has at most ${importLimits.bytes} bytes.`, [importLimits.bytes]);
    }
  }
  return named;
}
