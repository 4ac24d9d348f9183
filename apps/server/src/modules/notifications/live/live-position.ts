/**
 * Positions of listeners as event ids: signed against forgery, and valid as long as changes are
 * kept.
 */
import type { TenantScope } from '../../../kernel/scope.ts';
import { STREAM_RETENTION_MS } from '../../records/index.ts';

/** Number of the last change that was sent. */
export interface LivePosition {
  /** See `FeedState.generation`. */
  generation: number;
  seq: number;
}

interface Payload {
  g: number;
  s: number;
  t: number;
}

type Signing = Pick<TenantScope, 'settings' | 'clock'>;

export function signLivePosition({ settings, clock }: Signing, { generation, seq }: LivePosition): string {
  return settings.opaqueTokens.sign('live', { g: generation, s: seq, t: clock.now() } satisfies Payload);
}

/** @returns undefined for an invalid or expired position */
export function readLivePosition({ settings, clock }: Signing, text: string): LivePosition | undefined {
  const payload = settings.opaqueTokens.verify<Payload>('live', text);
  if (!payload || payload.t < clock.now() - STREAM_RETENTION_MS) return undefined;
  return { generation: payload.g, seq: payload.s };
}
