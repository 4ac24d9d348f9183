/**
 * Positions in the stream, as tokens: signed, bound to their follower, valid for 30 days, on every node
 * (docs/decisions/stream.md).
 */
import { PorticoError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { stableHash } from '../../platform/tokens/index.ts';
import { STREAM_RETENTION_MS } from '../posts/events/index.ts';

/** A follower's position: everything up to `seq` was sent to a caller who could reach what `reachId` says. */
export interface Position {
  readonly generation: number;
  readonly seq: number;
  readonly reachId: number;
}

/** The position of a round. */
export interface Round {
  readonly generation: number;
  /** Position that the round began with; undefined for a follower that starts afresh. */
  readonly from: { seq: number; reachId: number } | undefined;
  readonly to: { seq: number; reachId: number };
  /** 0: changes after the position; 1: posts whose visibility the follower's own reach altered, or all on a fresh start. */
  readonly segment: 0 | 1;
  /** Continue below this: a change number in segment 0, a post id in segment 1. */
  readonly below: number;
}

interface SyncPayload {
  u: number;
  g: number;
  s: number;
  r: number;
  t: number;
}

interface PagePayload {
  u: number;
  g: number;
  f: [number, number] | null;
  e: [number, number];
  m: 0 | 1;
  b: number;
  t: number;
  h: string;
}

export function signPosition(scope: Scope, position: Position): string {
  const { generation, seq, reachId } = position;
  return scope.settings.opaqueTokens.sign('sync', {
    u: scope.actor.userId,
    g: generation,
    s: seq,
    r: reachId,
    t: scope.clock.now(),
  } satisfies SyncPayload);
}

/**
 * @param generation the tenant's present one: a restore or a move makes all positions before it void
 * @throws PorticoError SYNC_TOKEN_INVALID or SYNC_TOKEN_TOO_OLD: start afresh
 */
export function readPosition(scope: Scope, token: string, generation: number): Position {
  const payload = scope.settings.opaqueTokens.verify<SyncPayload>('sync', token);
  if (!payload || payload.u !== scope.actor.userId || payload.g !== generation)
    throw new PorticoError('SYNC_TOKEN_INVALID', { field: 'syncToken' });
  if (payload.t < scope.clock.now() - STREAM_RETENTION_MS)
    throw new PorticoError('SYNC_TOKEN_TOO_OLD', { field: 'syncToken' });
  return { generation: payload.g, seq: payload.s, reachId: payload.r };
}

export function signRound(scope: Scope, round: Round, syncToken: string | undefined): string {
  return scope.settings.opaqueTokens.sign('stream-page', {
    u: scope.actor.userId,
    g: round.generation,
    f: round.from ? [round.from.seq, round.from.reachId] : null,
    e: [round.to.seq, round.to.reachId],
    m: round.segment,
    b: round.below,
    t: scope.clock.now(),
    h: stableHash(syncToken ?? ''),
  } satisfies PagePayload);
}

/** @throws PorticoError PAGE_TOKEN_INVALID, or PAGE_TOKEN_FILTERS_CHANGED when the sync token is not the round's */
export function readRound(scope: Scope, token: string, syncToken: string | undefined, generation: number): Round {
  const payload = scope.settings.opaqueTokens.verify<PagePayload>('stream-page', token);
  if (!payload || payload.u !== scope.actor.userId)
    throw new PorticoError('PAGE_TOKEN_INVALID', { field: 'pageToken' });
  if (payload.g !== generation || payload.t < scope.clock.now() - STREAM_RETENTION_MS)
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
    to: { seq: payload.e[0], reachId: payload.e[1] },
    segment: payload.m,
    below: payload.b,
  };
}
