/**
 * Operations countWaiting and markWaiting: numbers of items that wait for the caller, and marking
 * items as done.
 */
import {
  type CountWaitingResponse,
  type MarkWaitingRequest,
  type MarkWaitingResponse,
  mostWaitingCounted,
  WaitingKind,
} from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import { ownDraftSql, Parameters, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { getDefinitions } from '../../communities/index.ts';
import { updateMarks } from '../notifications.repository.ts';
import { waitingSources } from './waiting-sources.ts';

const p = sqlColumns('posts', 'p');

const kinds = Object.values(WaitingKind);
const { TASK, ACKNOWLEDGEMENT, MENTION, STEP } = WaitingKind;

/** Counts waiting items by kind, each up to a limit, so that the cost is bounded. */
export async function countWaiting(scope: Scope): Promise<CountWaitingResponse> {
  const definitions = await getDefinitions(scope, [...scope.actor.roles.keys()]);
  const parameters = new Parameters([scope.tenant.id]);
  const limit = `LIMIT ${mostWaitingCounted}`;
  const waiting = Object.values(WaitingKind).flatMap((kind) =>
    waitingSources(scope, definitions, new Set([kind]), undefined, parameters, { limit }),
  );
  const drafts = `SELECT 0 AS kind, ${p.id} FROM posts p
     WHERE p.tenant_id = $1 AND ${ownDraftSql('p', scope.actor, parameters)} ${limit}`;
  const rows = await scope.db.query<{ kind: number; count: number }>(
    `SELECT kind, count(*) AS count
       FROM (${[...waiting, drafts].map((source) => `SELECT kind, id FROM (${source}) s`).join(' UNION ')}) AS found
      GROUP BY kind`,
    parameters.values,
  );
  // Three sources find steps, each up to the limit.
  const of = (kind: number) => Math.min(rows.find((row) => row.kind === kind)?.count ?? 0, mostWaitingCounted);
  return {
    tasks: of(TASK),
    acknowledgements: of(ACKNOWLEDGEMENT),
    mentions: of(MENTION),
    steps: of(STEP),
    drafts: of(0),
  };
}

/** Marks items as done until they change, or removes the marks. @throws ValidationError with every error */
export async function markWaiting(
  scope: Scope,
  { items, done = true }: MarkWaitingRequest,
): Promise<MarkWaitingResponse> {
  const ids = readItems(scope, items);
  return writeTransaction(scope, 'none', async (write) => {
    const mentions = done ? (await findWaiting(write, MENTION, ids)).map(({ id }) => id) : (ids.get(MENTION) ?? []);
    let marked =
      mentions.length === 0
        ? 0
        : await updateMarks(write, { ids: mentions, untilId: undefined, read: undefined, done });
    for (const kind of [TASK, ACKNOWLEDGEMENT, STEP]) {
      if (!ids.has(kind)) continue;
      marked += done ? await addMarks(write, kind, ids) : await removeMarks(write, kind, ids.get(kind) ?? []);
    }
    return { marked };
  });
}

/** Ids by kind. @throws ValidationError with every error */
function readItems({ missing }: Scope, items: MarkWaitingRequest['items']): Map<number, number[]> {
  const errors = new FieldErrors(missing);
  const ids = new Map<number, number[]>();
  for (const [index, { kind, id }] of (items ?? []).entries()) {
    const field = `items[${index}]`;
    if (kind !== undefined && !kinds.includes(kind)) errors.add(`${field}.kind`, 'INVALID_VALUE', undefined, kinds);
    if (kind === undefined || id === undefined) continue;
    const same = ids.get(kind);
    if (same) same.push(id);
    else ids.set(kind, [id]);
  }
  errors.throwIfAny();
  return ids;
}

/** Returns the items that wait for the caller now. */
async function findWaiting(
  write: WriteScope,
  kind: WaitingKind,
  ids: ReadonlyMap<number, readonly number[]>,
): Promise<{ id: number; postId: number }[]> {
  if (!ids.has(kind)) return [];
  const definitions = await getDefinitions(write, [...write.actor.roles.keys()]);
  const parameters = new Parameters([write.tx.tenantId]);
  const sources = waitingSources(write, definitions, new Set([kind]), undefined, parameters, { limit: '', ids });
  if (sources.length === 0) return [];
  return write.tx.query<{ id: number; postId: number }>(
    sources.map((source) => `SELECT id, "postId" FROM (${source}) s`).join(' UNION '),
    parameters.values,
  );
}

async function addMarks(
  write: WriteScope,
  kind: WaitingKind,
  ids: ReadonlyMap<number, readonly number[]>,
): Promise<number> {
  const waiting = await findWaiting(write, kind, ids);
  if (waiting.length === 0) return 0;
  const { tx, actor, now } = write;
  const taken = await takeIds(tx, 'waiting_marks', waiting.length);
  const rows = waiting.map(({ id, postId }, index) => ({ id: taken[index], itemId: id, postId }));
  const marked = await tx.changeRows<{ id: number }>(
    'waiting_marks',
    ({ id }) => id,
    `INSERT INTO waiting_marks (tenant_id, id, user_id, kind, item_id, post_id, done_at)
     SELECT a.tenant_id, m.id, $2, $3, m."itemId", m."postId", $4
       FROM tenant_versions a, jsonb_to_recordset($5::jsonb) AS m(id bigint, "itemId" bigint, "postId" bigint)
      WHERE a.tenant_id = $1
     ON CONFLICT (tenant_id, user_id, kind, item_id) DO UPDATE SET done_at = excluded.done_at
     RETURNING id`,
    [tx.tenantId, actor.userId, kind, new Date(now), JSON.stringify(rows)],
  );
  return marked.length;
}

async function removeMarks(write: WriteScope, kind: WaitingKind, ids: readonly number[]): Promise<number> {
  const removed = await write.tx.changeRows<{ id: number }>(
    'waiting_marks',
    ({ id }) => id,
    `DELETE FROM waiting_marks WHERE tenant_id = $1 AND user_id = $2 AND kind = $3 AND item_id = ANY ($4::bigint[])
     RETURNING id`,
    [write.tx.tenantId, write.actor.userId, kind, ids],
  );
  return removed.length;
}
