/** Connection that receives live changes, and the status of a change for it. */
import { StreamStatus } from '@portico/contract';
import { seesLivePost } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import { ChangeKind } from '../../records/index.ts';
import type { FeedChange, ReadersNow } from './live.repository.ts';
import type { LivePosition } from './live-position.ts';

export interface LiveListener {
  readonly actor: Actor;
  /** Restricts the changes to these communities; undefined: all communities. */
  readonly communityIds: ReadonlySet<number> | undefined;
  /** Position to continue from; undefined: now. */
  readonly from: LivePosition | undefined;
  /** Writes text to the connection; closes it if its client does not read. */
  send(text: string): void;
  /** Closes the connection; its client connects again. */
  end(): void;
  /** Returns the actor with current rights; undefined when the sign-in has ended. */
  check(): Promise<Actor | undefined>;
}

const STATUS: Readonly<Record<number, StreamStatus>> = {
  [ChangeKind.CREATED]: StreamStatus.CREATED,
  [ChangeKind.MODIFIED]: StreamStatus.MODIFIED,
  [ChangeKind.TOUCHED]: StreamStatus.TOUCHED,
  [ChangeKind.DELETED]: StreamStatus.DELETED,
};

/**
 * Returns the status of a change for a person: CREATED for a post that has become visible to them,
 * DELETED for a post that they no longer see.
 * @param now current readers of the post; undefined if it no longer exists
 * @returns undefined when the person is not informed of the change
 */
export function statusFor(
  { actor, communityIds }: Pick<LiveListener, 'actor' | 'communityIds'>,
  change: FeedChange,
  now: ReadersNow | undefined,
): StreamStatus | undefined {
  const { communityId, before, kind } = change;
  if (communityIds && !communityIds.has(communityId)) return undefined;
  const sees = now !== undefined && seesLivePost(actor, now.communityId, now);
  const saw = before === undefined ? undefined : seesLivePost(actor, communityId, before);
  if (!sees) return saw === true ? StreamStatus.DELETED : undefined;
  // The post has moved since. Readers without access to its former community receive the change in
  // the new community instead.
  const elsewhere = now.communityId !== communityId;
  if (elsewhere && !(saw ?? seesLivePost(actor, communityId, now))) return undefined;
  return saw === false ? StreamStatus.CREATED : STATUS[kind];
}
