/** Chooses the messages that one message to a chat gathers. */
import { webhookLimits } from '@portico/contract';

/** A message to a chat that waits. */
interface Waiting {
  readonly id: number;
  readonly body: string;
  /** Including the current one. */
  readonly attempts: number;
}

/** Attempts after which a message is sent alone, so that a refused message holds up no other. */
const TOGETHER_ATTEMPTS = 2;

/**
 * Returns the messages that are sent together, the oldest first, and the rest, which waits.
 * @param claimed of one chat, at least one
 */
export function gather<M extends Waiting>(claimed: readonly M[]): { together: M[]; left: M[] } {
  const ordered = [...claimed].sort((a, b) => a.id - b.id);
  let bytes = 0;
  const end = ordered.findIndex(({ body, attempts }, index) => {
    bytes += Buffer.byteLength(body);
    const alone = attempts > TOGETHER_ATTEMPTS || ordered[0]!.attempts > TOGETHER_ATTEMPTS;
    return index > 0 && (alone || bytes > webhookLimits.gatheredBytes || index >= webhookLimits.gathered);
  });
  return end === -1 ? { together: ordered, left: [] } : { together: ordered.slice(0, end), left: ordered.slice(end) };
}
