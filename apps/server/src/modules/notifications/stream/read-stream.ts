/**
 * The global stream (operation globalPostsStream; docs/decisions/stream.md): changes since a
 * position, of the posts that a follower can see. A round is fixed when it begins: it ends at the
 * last numbered change of that moment. It reports first the posts that changed, newest first, then
 * the posts that the follower's own roles and groups opened or closed.
 *
 * The visibility of a post at the follower's position is computed, not stored: from the reach kept
 * with the token, and from the readers at that time, which the first change of the post after the
 * position records.
 */
import type { StreamStatus } from '@portico/contract';
import { retrying } from '@portico/platform/db/retrying';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { reloadActor } from '../../../kernel/access/index.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sequenceCommitted } from '../../records/index.ts';
import { keepReach, type Reach, reaches, reachOf, readReaches } from './access-snapshots.ts';
import {
  alteredSince,
  changedAmong,
  changedPosts,
  postsAtMoments,
  postsGrantedTo,
  postsOfCommunities,
  readStreamState,
} from './stream.repository.ts';
import {
  isOfStream,
  type Position,
  type Round,
  readPosition,
  readRound,
  type StreamState,
  signPosition,
  signRound,
} from './stream-tokens.ts';

/** Items on a page of the stream. */
const STREAM_PAGE = 100;
/**
 * Maximum number of candidates examined for one page. A page may hold fewer items, even zero, and
 * still have a next one.
 */
const MAX_CANDIDATES = 2_000;
const CANDIDATES_AT_ONCE = 200;

/** A post and its status in the stream. */
interface StreamEntry {
  postId: number;
  communityId: number;
  status: StreamStatus;
  /** Position of the walk behind this entry. */
  at: Pick<Round, 'segment' | 'below'>;
}

interface StreamChunk {
  entries: StreamEntry[];
  nextPageToken?: string;
  nextSyncToken?: string;
  /** Returns the token of a page that ends with an entry of this one. */
  tokenAfter(entry: StreamEntry): string;
}

/**
 * Reads one page of a round.
 * @throws PorticoError SYNC_TOKEN_INVALID, SYNC_TOKEN_TOO_OLD, PAGE_TOKEN_INVALID, PAGE_TOKEN_FILTERS_CHANGED
 */
export async function readStream(
  scope: Scope,
  syncToken: string | undefined,
  pageToken: string | undefined,
): Promise<StreamChunk> {
  const given = pageToken ? readRound(scope, pageToken, syncToken) : undefined;
  const from = !given && syncToken ? readPosition(scope, syncToken) : undefined;
  if (!pageToken) await sequenceCommitted(scope.db);
  return retrying(() =>
    scope.db.transaction(
      async (tx) => {
        const state = await readStreamState(tx, given?.to.seq ?? from?.seq);
        const actor = await reloadActor(tx, scope.actor);
        if (!state || !actor)
          throw new PorticoError('INVALID_AUTH_TOKEN', { headers: { 'WWW-Authenticate': 'INVALID_AUTH_TOKEN' } });
        const present = reachOf(actor);
        if (given && !isOfStream({ ...given.to, generation: given.generation }, state))
          throw new PorticoError('SYNC_TOKEN_TOO_OLD', { field: 'pageToken' });
        if (from && !isOfStream(from, state)) throw new PorticoError('SYNC_TOKEN_INVALID', { field: 'syncToken' });
        const round = given ?? (await beginRound(scope, tx, from, state, present));
        return readPage(scope, tx, round, present, syncToken);
      },
      { isolation: 'repeatable read' },
    ),
  );
}

async function beginRound(
  scope: Scope,
  tx: TenantTx,
  from: Position | undefined,
  state: StreamState,
  present: Reach,
): Promise<Round> {
  const reachId = await keepReach(tx, present, scope.clock.now());
  return {
    generation: state.generation,
    from: from && { seq: from.seq, reachId: from.reachId },
    to: { seq: state.lastSeq, change: state.lastChange, reachId },
    segment: from ? 0 : 1,
    below: Number.MAX_SAFE_INTEGER,
  };
}

async function readPage(
  scope: Scope,
  tx: TenantTx,
  round: Round,
  present: Reach,
  syncToken: string | undefined,
): Promise<StreamChunk> {
  const kept = await readReaches(tx, present.userId, [round.to.reachId, ...(round.from ? [round.from.reachId] : [])]);
  const before = round.from && kept.get(round.from.reachId);
  const target = kept.get(round.to.reachId);
  if ((round.from && !before) || !target) throw new PorticoError('SYNC_TOKEN_TOO_OLD', { field: 'syncToken' });

  const walk: Walk = { tx, round, before, target, present };
  const entries: StreamEntry[] = [];
  const tokenAfter = ({ at }: StreamEntry) => signRound(scope, { ...round, ...at }, syncToken);
  let { segment, below } = round;
  let looked = 0;
  while (entries.length < STREAM_PAGE && looked < MAX_CANDIDATES) {
    const room = Math.min(CANDIDATES_AT_ONCE, STREAM_PAGE - entries.length);
    const step = segment === 0 ? await walkChanges(walk, below, room) : await walkReach(walk, below, room);
    entries.push(...step.entries);
    looked += step.looked;
    if (step.looked < room) {
      if (segment === 1) {
        const nextSyncToken = signPosition(scope, { generation: round.generation, ...round.to });
        return { entries, nextSyncToken, tokenAfter };
      }
      segment = 1;
      below = Number.MAX_SAFE_INTEGER;
    } else {
      below = step.below;
    }
  }
  return { entries, nextPageToken: signRound(scope, { ...round, segment, below }, syncToken), tokenAfter };
}

interface Walk {
  tx: TenantTx;
  round: Round;
  /** The follower's reach at its position; undefined on a fresh start. */
  before: Reach | undefined;
  /**
   * The follower's reach when the round began. Its difference from `before` is fixed for the round.
   */
  target: Reach;
  /** The follower's reach at this moment: the stream shows nothing beyond it. */
  present: Reach;
}

interface Step {
  entries: StreamEntry[];
  looked: number;
  below: number;
}

/** Returns posts that changed since the position. */
async function walkChanges(walk: Walk, below: number, limit: number): Promise<Step> {
  const { tx, round, before, present } = walk;
  const from = round.from!.seq;
  const communityIds = [...new Set([...(before?.roles.keys() ?? []), ...present.roles.keys()])];
  const changed = await changedPosts(tx, { from, to: round.to.seq, below, communityIds }, limit);
  const facts = await loadFacts(
    walk,
    changed.map((post) => post.postId),
  );
  const entries = changed.flatMap((post): StreamEntry[] => {
    const { was, is } = facts.get(post.postId)!;
    const status = statusOf(was, is, post.modified ? 'MODIFIED' : 'TOUCHED');
    const at = { segment: 0, below: post.seq } as const;
    return status ? [{ postId: post.postId, communityId: post.communityId, status, at }] : [];
  });
  return { entries, looked: changed.length, below: changed.at(-1)?.seq ?? 0 };
}

/**
 * Returns posts that the follower's own roles and groups opened or closed; on a fresh start all
 * posts that they see.
 */
async function walkReach(walk: Walk, below: number, limit: number): Promise<Step> {
  const { tx, round, before, target } = walk;
  const empty: Reach = { userId: target.userId, roles: new Map(), groupIds: [] };
  const { communityIds, principals } = difference(before ?? empty, target);
  if (communityIds.length === 0 && principals.length === 0) return { entries: [], looked: 0, below: 0 };
  const [ofCommunities, granted, altered] = [
    await postsOfCommunities(tx, communityIds, below, limit),
    principals.length > 0 ? await postsGrantedTo(tx, principals, below, limit) : [],
    before ? await alteredSince(tx, [...before.roles.keys()], round.to.seq, below, limit) : [],
  ];
  const ids = [...new Set([...ofCommunities, ...granted, ...altered])].sort((a, b) => b - a).slice(0, limit);
  const told = round.from ? await changedAmong(tx, ids, round.from.seq, round.to.seq) : new Set<number>();
  const open = ids.filter((id) => !told.has(id));
  const facts = await loadFacts(walk, open);
  const entries = open.flatMap((postId): StreamEntry[] => {
    const { was, is, communityId } = facts.get(postId)!;
    const status = statusOf(was, is, undefined);
    return status ? [{ postId, communityId, status, at: { segment: 1, below: postId } }] : [];
  });
  return { entries, looked: ids.length, below: ids.at(-1) ?? 0 };
}

/**
 * Reads whether the follower saw each post at its position, and sees it now. The result of a round
 * must equal the knowledge that the next round assumes: a post counts as seen only if the follower
 * sees it both now and at the end of the round, with the reach that the round began with. A change
 * that is committed but not numbered yet belongs to the next round.
 */
async function loadFacts(walk: Walk, postIds: readonly number[]) {
  const { tx, round, before, target, present } = walk;
  const groups = [...(before?.groupIds ?? []), ...target.groupIds, ...present.groupIds];
  const window = { from: round.from?.seq ?? 0, to: round.to.seq };
  const moments = await postsAtMoments(tx, postIds, window, [present.userId, ...groups.map((id) => -id)]);
  return new Map(
    postIds.map((id) => {
      const { current, atFrom, atTo } = moments.get(id)!;
      return [
        id,
        {
          was: before !== undefined && atFrom !== undefined && reaches(before, atFrom),
          is: current !== undefined && reaches(present, current) && atTo !== undefined && reaches(target, atTo),
          communityId: (current ?? atTo ?? atFrom)?.communityId ?? 0,
        },
      ];
    }),
  );
}

function statusOf(was: boolean, is: boolean, changed: 'MODIFIED' | 'TOUCHED' | undefined): StreamStatus | undefined {
  if (was && !is) return 'DELETED';
  if (!was && is) return 'CREATED';
  return is ? changed : undefined;
}

/** Returns the communities where the role differs, and the groups added or removed. */
function difference(before: Reach, target: Reach): { communityIds: number[]; principals: number[] } {
  const communityIds = [...new Set([...before.roles.keys(), ...target.roles.keys()])].filter(
    (id) => before.roles.get(id) !== target.roles.get(id),
  );
  const [old, fresh] = [new Set(before.groupIds), new Set(target.groupIds)];
  const groups = [...new Set([...old, ...fresh])].filter((id) => old.has(id) !== fresh.has(id));
  return { communityIds, principals: groups.map((id) => -id) };
}
