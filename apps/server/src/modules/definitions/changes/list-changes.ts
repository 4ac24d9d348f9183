/** Operations listDefinitionChanges and cancelDefinitionChange. */
import type {
  CancelDefinitionChangeResponse,
  DefinitionChange,
  ListDefinitionChangesResponse,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import {
  type DueChange,
  endChange,
  holdChange,
  type ListedChange,
  listChanges,
  readCommunityHead,
  requireCommunityEditor,
  startChanges,
} from '../../communities/index.ts';

const communities = sqlColumns('communities');

function statusOf({ error, finishedAt, cancelled }: ListedChange): DefinitionChange['status'] {
  if (finishedAt === null) return 'running';
  if (error !== null) return 'failed';
  return cancelled ? 'cancelled' : 'finished';
}

function present(listed: ListedChange): DefinitionChange {
  const { fieldId, error, finishedAt, cancelled: _cancelled, ...change } = listed;
  return {
    ...change,
    status: statusOf(listed),
    ...(fieldId !== null && { fieldId }),
    ...(error !== null && { error }),
    ...(finishedAt !== null && { finishedAt }),
  };
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function listDefinitionChanges(scope: Scope, communityId: number): Promise<ListDefinitionChangesResponse> {
  requireCommunityEditor(scope.actor, communityId);
  const [community] = await scope.db.query(`SELECT FROM communities WHERE tenant_id = $1 AND ${communities.id} = $2`, [
    scope.db.tenantId,
    communityId,
  ]);
  if (!community) throw notFound();
  return { changes: (await listChanges(scope.db, communityId)).map(present) };
}

/**
 * Ends a change without effect, and deletes its preparations. @param error reason; omitted when the
 * change is cancelled
 */
export async function abandonChange(write: WriteScope, change: DueChange, error?: string): Promise<void> {
  await endChange(write, change.id, error);
  const { finish } = change.details;
  if (finish?.do !== 'replaceField') return;
  const work = [{ do: 'clearField', fieldId: finish.successorId }] as const;
  await startChanges(write, [change.communityId], 'removeField', { work }, finish.successorId);
}

/**
 * Cancels a change: the definition is not changed.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; CONFLICT where it has ended
 */
export async function cancelDefinitionChange(
  scope: Scope,
  communityId: number,
  changeId: number,
): Promise<CancelDefinitionChangeResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    requireCommunityEditor(write.actor, communityId);
    if (!(await readCommunityHead(write.tx, communityId))) throw notFound();
    const change = await holdChange(write.tx, communityId, changeId);
    if (!change) throw notFound();
    if (change.finished) throw new PorticoError('CONFLICT', { message: 'The change has ended.' });
    await abandonChange(write, change);
    const [ended] = (await listChanges(write.tx, communityId)).filter(({ id }) => id === changeId);
    return ended ? { change: present(ended) } : {};
  });
}
