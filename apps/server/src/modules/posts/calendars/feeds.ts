/** Operations listCalendarFeeds, createCalendarFeed and revokeCalendarFeed: the secret addresses of the caller's calendars. */
import { randomBytes } from 'node:crypto';
import type {
  CreateCalendarFeedRequest,
  CreateCalendarFeedResponse,
  ListCalendarFeedsResponse,
} from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { invalid, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { CALENDAR_PATH } from './calendar.ts';
import { deleteFeed, feedsOf, writeFeed } from './calendars.repository.ts';

const SECRET_BYTES = 32;

/**
 * Lists the calendars without their addresses, which are shown once when they are created. Omits
 * communities in which the caller no longer has a role.
 */
export async function listCalendarFeeds(scope: Scope): Promise<ListCalendarFeedsResponse> {
  const feeds = await feedsOf(scope.db, scope.actor.userId);
  return {
    feeds: feeds
      .filter(({ communityId }) => communityId === null || scope.actor.roles.has(communityId))
      .map(({ id, communityId, createdAt }) => ({
        id,
        communityId: communityId ?? undefined,
        creationTimestamp: createdAt,
      })),
  };
}

/**
 * Creates a secret address for a calendar of the caller, and revokes the former one.
 * @throws ValidationError for a community in which they have no role
 */
export async function createCalendarFeed(
  scope: Scope,
  { communityId }: CreateCalendarFeedRequest,
): Promise<CreateCalendarFeedResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    if (communityId !== undefined && !write.actor.roles.has(communityId)) {
      throw invalid('communityId', 'UNKNOWN_REFERENCE', 'You have no role in this community.', [communityId]);
    }
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const feedId = await writeFeed(write, communityId ?? null, secret);
    return { feedId, uri: `${scope.baseUrl}${CALENDAR_PATH}/${secret}.ics` };
  });
}

/** @throws PorticoError NOT_FOUND, also for a calendar of another account */
export async function revokeCalendarFeed(scope: Scope, feedId: number): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    if (!(await deleteFeed(write, feedId))) throw notFound();
  });
}
