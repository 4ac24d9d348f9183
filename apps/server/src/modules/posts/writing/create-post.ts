/** Operations createCustomPost and createEventPost. */
import { type CreateCustomPostRequest, type CreateEventPostRequest, PostType } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, notFound, PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { isUniqueViolation } from '../../../platform/db/pg-errors.ts';
import { refuseArchived } from '../../communities/index.ts';
import { communityCapabilities } from '../policy/index.ts';
import { type CreateOutcome, createPosts, type NewPost } from './create-posts.ts';
import { requireDefinition } from './open-post.ts';

/** A post that a write made or found made. */
export interface CreatedPost {
  postId: number;
  version: number;
}

/**
 * Makes an ordinary post. A repeat with the same `clientUid` by the same author in the same community gives the post that
 * is there (docs/decisions/writes.md).
 * @param answer reads what the answer shows of the post, in the same transaction
 * @throws PorticoError NOT_FOUND, FORBIDDEN, DUPLICATE_CLIENT_UID; ValidationError with all errors of the body
 */
export async function createCustomPost<T>(
  scope: Scope,
  communityId: number,
  body: CreateCustomPostRequest,
  answer: (write: WriteScope, post: CreatedPost) => Promise<T>,
): Promise<T> {
  return createOne(scope, communityId, { ...body, type: PostType.CUSTOM }, answer);
}

/** Makes an event. As {@link createCustomPost}; needs `event.startAt`. */
export async function createEventPost<T>(
  scope: Scope,
  communityId: number,
  body: CreateEventPostRequest,
  answer: (write: WriteScope, post: CreatedPost) => Promise<T>,
): Promise<T> {
  return createOne(scope, communityId, { ...body, type: PostType.EVENT }, answer);
}

async function createOne<T>(
  scope: Scope,
  communityId: number,
  post: NewPost,
  answer: (write: WriteScope, post: CreatedPost) => Promise<T>,
): Promise<T> {
  return onceByClientUid(() =>
    writeTransaction(scope, 'none', async (write) => {
      const definition = await requireCreatable(write, communityId, post.type === PostType.EVENT);
      const [outcome] = await createPosts(write, definition, [post]);
      return answer(write, createdOrThrow(outcome!));
    }),
  );
}

/**
 * Runs a write that may make a post with a clientUid. Of two that do so at the same moment one finds the clientUid taken
 * as it commits; run again, it finds the post.
 */
export async function onceByClientUid<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUniqueViolation(error, 'posts__client_uid')) throw error;
    return work();
  }
}

/** @throws PorticoError DUPLICATE_CLIENT_UID; ValidationError */
export function createdOrThrow(outcome: CreateOutcome): CreatedPost {
  if (outcome.errors) {
    if (outcome.errors.some(({ code }) => code === 'DUPLICATE_CLIENT_UID'))
      throw new PorticoError('DUPLICATE_CLIENT_UID');
    throw new ValidationError(outcome.errors);
  }
  return { postId: outcome.postId, version: outcome.version };
}

/**
 * The definition of a community in which the caller may make posts.
 * @throws PorticoError NOT_FOUND (unknown, no role), COMMUNITY_ARCHIVED, FORBIDDEN
 */
export async function requireCreatable(write: Scope | WriteScope, communityId: number, event: boolean) {
  if (!write.actor.roles.has(communityId)) throw notFound();
  const definition = await requireDefinition(write, communityId);
  refuseArchived(definition.community);
  const capabilities = communityCapabilities(write.actor, definition.community);
  if (event ? !capabilities.createEventPost : !capabilities.createPost) {
    throw forbidden(
      event ? 'You may not create events in this community.' : 'You may not create posts in this community.',
    );
  }
  return definition;
}
