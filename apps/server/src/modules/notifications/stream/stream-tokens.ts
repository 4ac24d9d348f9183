/**
 * Positions in the stream, as tokens: signed, bound to their follower, valid for 30 days, on every node
 * (docs/decisions/stream.md).
 */

import { stableHash } from '@portico/platform/tokens';
import { PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { STREAM_RETENTION_MS } from '../../records/index.ts';

/** A position among the changes of a tenant. */
interface Mark {
  readonly seq: number;
  /**
   * Fingerprint of the change with this number; null when the change did not exist or the token
   * does not contain it.
   */
  readonly change: string | null;
}

/**
 * A follower's position: the stream has sent every change up to `seq` that the reach `reachId`
 * allowed.
 */
export interface Position extends Mark {
  readonly generation: number;
  readonly reachId: number;
}

/** The position of a round. */
export interface Round {
  readonly generation: number;
  /** Position that the round began with; undefined for a follower that starts afresh. */
  readonly from: { seq: number; reachId: number } | undefined;
  readonly to: Mark & { reachId: number };
  /**
   * 0: changes after the position; 1: posts whose visibility the follower's own reach altered, or
   * all on a fresh start.
   */
  readonly segment: 0 | 1;
  /** Continue below this: a change number in segment 0, a post id in segment 1. */
  readonly below: number;
}

interface SyncPayload {
  u: number;
  g: number;
  s: number;
  /** Absent in tokens of earlier versions. */
  c?: string | null;
  r: number;
  t: number;
}

interface PagePayload {
  u: number;
  g: number;
  f: [number, number] | null;
  e: [number, number];
  c?: string | null;
  m: 0 | 1;
  b: number;
  t: number;
  h: string;
}

export function signPosition(scope: Scope, position: Position): string {
  const { generation, seq, change, reachId } = position;
  return scope.settings.opaqueTokens.sign('sync', {
    u: scope.actor.userId,
    g: generation,
    s: seq,
    c: change,
    r: reachId,
    t: scope.clock.now(),
  } satisfies SyncPayload);
}

/** @throws PorticoError SYNC_TOKEN_INVALID or SYNC_TOKEN_TOO_OLD: start afresh */
export function readPosition(scope: Scope, token: string): Position {
  const payload = scope.settings.opaqueTokens.verify<SyncPayload>('sync', token);
  if (!payload || payload.u !== scope.actor.userId)
    throw new PorticoError('SYNC_TOKEN_INVALID', { field: 'syncToken' });
  if (payload.t < scope.clock.now() - STREAM_RETENTION_MS)
    throw new PorticoError('SYNC_TOKEN_TOO_OLD', { field: 'syncToken' });
  return { generation: payload.g, seq: payload.s, change: payload.c ?? null, reachId: payload.r };
}

/** State of the stream of a tenant, and of the mark that a token names. */
export interface StreamState {
  readonly generation: number;
  readonly lastSeq: number;
  /** Fingerprint of the last change. */
  readonly lastChange: string | null;
  /** Fingerprint of the change at the mark; null when it is gone. */
  readonly change: string | null;
}

/**
 * Returns whether a position belongs to this stream. It does not after a restore or a move of the
 * tenant, nor where a server took over without the last commits. Since positions are used again
 * then, the fingerprint of the change decides.
 */
export function isOfStream({ generation, seq, change }: Mark & { generation: number }, state: StreamState): boolean {
  if (generation !== state.generation || seq > state.lastSeq) return false;
  // A missing change was deleted because of its age: lost changes are replaced by others.
  return change === null || state.change === null || change === state.change;
}

export function signRound(scope: Scope, round: Round, syncToken: string | undefined): string {
  return scope.settings.opaqueTokens.sign('stream-page', {
    u: scope.actor.userId,
    g: round.generation,
    f: round.from ? [round.from.seq, round.from.reachId] : null,
    e: [round.to.seq, round.to.reachId],
    c: round.to.change,
    m: round.segment,
    b: round.below,
    t: scope.clock.now(),
    h: stableHash(syncToken ?? ''),
  } satisfies PagePayload);
}

/** @throws PorticoError PAGE_TOKEN_INVALID, or PAGE_TOKEN_FILTERS_CHANGED when the sync token is not the round's */
export function readRound(scope: Scope, token: string, syncToken: string | undefined): Round {
  const payload = scope.settings.opaqueTokens.verify<PagePayload>('stream-page', token);
  if (!payload || payload.u !== scope.actor.userId)
    throw new PorticoError('PAGE_TOKEN_INVALID', { field: 'pageToken' });
  if (payload.t < scope.clock.now() - STREAM_RETENTION_MS)
    throw new PorticoError('SYNC_TOKEN_TOO_OLD', { field: 'pageToken' });
  if (payload.h !== stableHash(syncToken ?? '')) {
    throw new PorticoError('PAGE_TOKEN_FILTERS_CHANGED', {
      field: 'pageToken',
      message:
        'The page token belongs to a round with another syncToken; send the same syncToken with every page of a round.',
    });
  }
  return {
    generation: payload.g,
    from: payload.f ? { seq: payload.f[0], reachId: payload.f[1] } : undefined,
    to: { seq: payload.e[0], change: payload.c ?? null, reachId: payload.e[1] },
    segment: payload.m,
    below: payload.b,
  };
}
