/**
 * Composes the messages of each webhook from the change rows of a tenant, in their order, as its
 * account sees the posts now. Messages and position are one transaction, so a node that
 * is killed loses no change, and composes none twice under another id.
 */
import { webhookLimits } from '@portico/contract';
import { retrying } from '@portico/platform/db/retrying';
import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import type { Scope } from '../../../kernel/scope.ts';
import { changesAfter, readersNow, readFeedState } from '../../notifications/index.ts';
import { sequenceChanges } from '../../records/index.ts';
import { insertDeliveries } from '../deliveries/deliveries.repository.ts';
import { allWebhooks, stateOf, type WebhookRow } from '../webhooks.repository.ts';
import { Composition } from './composition.ts';
import { countWaiting, isBehind, lockCursor, moveCursor, movePositions } from './positions.repository.ts';

/** Changes composed in one transaction. */
const BATCH = 200;

/** Parts of the process that composing needs. */
interface ComposeWork {
  readonly db: TenantDb;
  readonly now: () => number;
  /** Returns the scope of an account that is neither blocked nor deleted. */
  readonly scopeOf: (userId: number) => Promise<Scope>;
}

/**
 * Composes the messages of changes that webhooks have not received yet.
 * @returns whether more changes may wait
 */
export async function composeMessages(work: ComposeWork): Promise<boolean> {
  const { db } = work;
  await sequenceChanges(db);
  const state = await readFeedState(db);
  if (!state || !(await isBehind(db, state.lastSeq, webhookLimits.waiting))) return false;
  // On one snapshot: a message holds no post that its account has just lost.
  return retrying(() => db.transaction((tx) => composeSome(work, tx), { isolation: 'repeatable read' }));
}

interface Round {
  readonly work: ComposeWork;
  readonly tx: TenantTx;
  readonly generation: number;
  readonly lastSeq: number;
  /** Version of the access rules. */
  readonly accessVersion: number;
}

async function composeSome(work: ComposeWork, tx: TenantTx): Promise<boolean> {
  const cursor = await lockCursor(tx);
  const state = (await readFeedState(tx))!;
  const { lastSeq, accessVersion } = state;
  const round: Round = { work, tx, ...state };
  const webhooks = await allWebhooks(tx);
  const from = startOf(cursor, webhooks, lastSeq);
  const active = webhooks.filter((webhook) => stateOf(webhook) === 'active');
  const waiting = await countWaiting(
    tx,
    active.map(({ id }) => id),
    webhookLimits.waiting,
  );
  const ready = active.filter(({ id }) => (waiting.get(id) ?? 0) < webhookLimits.waiting);
  // Webhooks that are stopped, or have too many waiting messages, keep their place in the stream.
  const left = webhooks.filter((webhook) => webhook.position === null && !ready.includes(webhook));
  await movePositions(
    tx,
    left.map(({ id }) => id),
    from,
  );
  const following = ready.filter(({ position }) => position === null || position >= from);
  const behind = ready.filter(({ position }) => position !== null && position < from);
  const { reached: upTo, stopped } = await composeFor(round, following, from, lastSeq);
  await moveCursor(tx, upTo);
  const caughtUp = following.filter(({ id, position }) => position !== null && position <= upTo && !stopped.has(id));
  await movePositions(
    tx,
    caughtUp.map(({ id }) => id),
    null,
  );
  let more = upTo < lastSeq;
  for (const webhook of behind) {
    const own = await composeFor(round, [webhook], webhook.position!, upTo);
    if (own.stopped.size > 0) continue;
    await movePositions(tx, [webhook.id], own.reached >= upTo ? null : own.reached);
    more ||= own.reached < upTo;
  }
  // The number of the last change tells receivers the order, so every change before is composed.
  const told = more ? [] : ready.filter((one) => one.accessVersion !== accessVersion && !stopped.has(one.id));
  return (await composeLost(round, told)) || more;
}

/** Composes the messages of posts that roles and groups took from accounts. @returns whether more may be left */
async function composeLost(
  { work, tx, generation, lastSeq }: Round,
  webhooks: readonly WebhookRow[],
): Promise<boolean> {
  if (webhooks.length === 0) return false;
  const now = work.now();
  const composition = new Composition({ tx, generation, now, scopeOf: work.scopeOf });
  let more = false;
  for (const webhook of webhooks) more = (await composition.addLost(webhook, lastSeq)) || more;
  const { bodies, deliveries } = await composition.render();
  await insertDeliveries(tx, bodies, deliveries, now);
  return more;
}

/** Returns where composition continues: no webhook that follows the cursor lacks an earlier change. */
function startOf(cursor: number | undefined, webhooks: readonly WebhookRow[], lastSeq: number): number {
  if (cursor !== undefined && webhooks.some(({ position }) => position === null)) return cursor;
  const ahead = webhooks.flatMap(({ position }) => (position !== null && position >= (cursor ?? 0) ? [position] : []));
  return Math.min(lastSeq, ...ahead);
}

interface Composed {
  /** Number of the last change that was composed; `upTo` if none is left. */
  readonly reached: number;
  /** Webhooks that were stopped in place of composing. */
  readonly stopped: ReadonlySet<number>;
}

/** Composes the next changes for webhooks. */
async function composeFor(
  { work, tx, generation }: Round,
  webhooks: readonly WebhookRow[],
  from: number,
  upTo: number,
): Promise<Composed> {
  if (webhooks.length === 0 || from >= upTo) return { reached: Math.max(from, upTo), stopped: new Set() };
  const changes = await changesAfter(tx, from, upTo, BATCH);
  if (changes.length === 0) return { reached: upTo, stopped: new Set() };
  const now = work.now();
  const composition = new Composition({ tx, generation, now, scopeOf: work.scopeOf });
  const readers = await readersNow(tx, [...new Set(changes.map(({ postId }) => postId))]);
  for (const webhook of webhooks) {
    await composition.add(webhook, changes, readers, webhook.position ?? from);
  }
  const { bodies, deliveries } = await composition.render();
  await insertDeliveries(tx, bodies, deliveries, now);
  const reached = changes.length < BATCH ? upTo : changes.at(-1)!.seq;
  return { reached, stopped: composition.stopped };
}
