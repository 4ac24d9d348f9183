/** Starts the undo of an import (operation undoImport). */
import type { Import, UndoImportRequest } from '@portico/contract';
import { holds, writeTransaction } from '../../kernel/access/index.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { getDefinition, refuseArchived } from '../communities/index.ts';
import { findImport, insertImport, undosOf } from './imports.repository.ts';
import { presentImports, requireImport } from './read-imports.ts';
import { refuseTooManyWaiting } from './start-import.ts';

/**
 * Starts the undo of an ended import. The undo is an import itself and waits for its turn in the
 * community.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT; ValidationError for a trial, an undo, an
 * import that runs or was undone
 */
export async function undoImport(scope: Scope, importId: number, body: UndoImportRequest): Promise<Import> {
  return writeTransaction(scope, 'none', async (write) => {
    const found = await requireImport(write.tx, write.actor, importId, true);
    const definition = await getDefinition(write, found.communityId);
    if (definition) refuseArchived(definition.community);
    const refuse = (message: string) => invalid('importId', 'INVALID_VALUE', message);
    if (found.finishedAt === null) throw refuse('The import has not ended.');
    if (found.trial) throw refuse('It was a trial, which kept nothing.');
    if (found.undoes !== null) throw refuse('It is the undo of an import; import the file again instead.');
    await refuseTooManyWaiting(write, found.communityId);
    if ((await undosOf(write.tx, [found])).size > 0) throw refuse('The import was undone.');
    const id = await insertImport(write, {
      communityId: found.communityId,
      contentRef: found.contentRef,
      fileName: found.fileName,
      changesContentRef: null,
      changesFileName: null,
      mapping: found.mapping,
      trial: body.trial ?? false,
      withHistory: found.withHistory,
      withPeople: holds(write.actor, 'manageUsers'),
      undoes: found.id,
    });
    const [shown] = await presentImports(write, write.tx, [(await findImport(write.tx, id))!]);
    return shown!;
  });
}
