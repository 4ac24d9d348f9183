/** A connection to which live changes are sent, and the status of a change for it. */
import { StreamStatus } from '@portico/contract';
import { seesLivePost } from '../../kernel/access/index.ts';
import type { Actor } from '../../kernel/scope.ts';
import { ChangeKind } from '../posts/events/index.ts';
import type { FeedChange, ReadersNow } from './live.repository.ts';
import type { LivePosition } from './live-position.ts';

export interface LiveListener {
  readonly actor: Actor;
  /** Only changes in these communities; undefined: in all. */
  readonly communityIds: ReadonlySet<number> | undefined;
  /** Where it continues; undefined: now. */
  readonly from: LivePosition | undefined;
  /** Writes text to the connection; one whose client does not read is ended. */
  send(text: string): void;
  /** Ends the connection; its client connects again. */
  end(): void;
  /** The actor as it is now; undefined when the sign-in has ended. */
  check(): Promise<Actor | undefined>;
}

const STATUS: Readonly<Record<number, StreamStatus>> = {
  [ChangeKind.CREATED]: StreamStatus.CREATED,
  [ChangeKind.MODIFIED]: StreamStatus.MODIFIED,
  [ChangeKind.TOUCHED]: StreamStatus.TOUCHED,
  [ChangeKind.DELETED]: StreamStatus.DELETED,
};

/**
 * The status of a change for a person: a post that has come into their sight is created, one that has gone out of it is deleted.
 * @param now who sees the post at this moment; undefined: it is gone
 * @returns undefined when they are not told of the change
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
  // The post has moved since. Who does not see its former community is told of it by the change in the new one.
  const elsewhere = now.communityId !== communityId;
  if (elsewhere && !(saw ?? seesLivePost(actor, communityId, now))) return undefined;
  return saw === false ? StreamStatus.CREATED : STATUS[kind];
}
