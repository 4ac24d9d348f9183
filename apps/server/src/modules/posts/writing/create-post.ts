/** Operations createCustomPost and createEventPost. */
import { type CreateCustomPostRequest, type CreateEventPostRequest, PostType } from '@portico/contract';
import { isUniqueViolation } from '@portico/platform/db/pg-errors';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, notFound, PorticoError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, communityCapabilities, refuseArchived } from '../../communities/index.ts';
import { type CreateOptions, type CreateOutcome, createPosts, type NewPost } from './create-posts.ts';
import { requireDefinition } from './open-post.ts';

/** A post that a write created or found. */
export interface CreatedPost {
  postId: number;
  version: number;
}

/**
 * Creates an ordinary post. A repeat with the same `clientUid` by the same author in the same
 * community returns the existing post (docs/decisions/writes.md).
 * @param answer reads the part of the response about the post, in the same transaction
 * @throws PorticoError NOT_FOUND, FORBIDDEN, DUPLICATE_CLIENT_UID; ValidationError with all errors
 *   of the body
 */
export async function createCustomPost<T>(
  scope: Scope,
  communityId: number,
  body: CreateCustomPostRequest,
  answer: (write: WriteScope, post: CreatedPost) => Promise<T>,
): Promise<T> {
  return createOne(scope, communityId, () => ({ ...body, type: PostType.CUSTOM }), answer);
}

/** Creates an event. As {@link createCustomPost}; requires `event.startAt`. */
export async function createEventPost<T>(
  scope: Scope,
  communityId: number,
  body: CreateEventPostRequest,
  answer: (write: WriteScope, post: CreatedPost) => Promise<T>,
): Promise<T> {
  return createOne(scope, communityId, () => ({ ...body, type: PostType.EVENT }), answer);
}

/**
 * Creates a post.
 * @param postOf returns the post of the body, given the definition
 * @param optionsOf returns the options of its creation
 * @throws as {@link createCustomPost}
 */
export async function createOne<T>(
  scope: Scope,
  communityId: number,
  postOf: (definition: CommunityDefinition) => NewPost,
  answer: (write: WriteScope, post: CreatedPost) => Promise<T>,
  optionsOf: (definition: CommunityDefinition) => Pick<CreateOptions, 'sourceData'> = () => ({}),
): Promise<T> {
  return onceByClientUid(() =>
    writeTransaction(scope, 'none', async (write) => {
      const definition = await requireCommunity(write, communityId);
      const post = postOf(definition);
      requireCreator(write, definition, post.type === PostType.EVENT);
      const [outcome] = await createPosts(write, definition, [post], optionsOf(definition));
      return answer(write, createdOrThrow(outcome!));
    }),
  );
}

/**
 * Runs a write that may create a post with a clientUid. When two such writes run at the same
 * moment, one finds the clientUid taken as it commits; the second run finds the post.
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
 * Returns the definition of a community in which the caller may create posts.
 * @throws PorticoError NOT_FOUND (unknown, no role), COMMUNITY_ARCHIVED, FORBIDDEN
 */
export async function requireCreatable(write: Scope | WriteScope, communityId: number, event: boolean) {
  const definition = await requireCommunity(write, communityId);
  requireCreator(write, definition, event);
  return definition;
}

async function requireCommunity(write: Scope | WriteScope, communityId: number): Promise<CommunityDefinition> {
  if (!write.actor.roles.has(communityId)) throw notFound();
  return requireDefinition(write, communityId);
}

/** @throws PorticoError COMMUNITY_ARCHIVED, FORBIDDEN */
function requireCreator({ actor }: Pick<Scope, 'actor'>, definition: CommunityDefinition, event: boolean): void {
  refuseArchived(definition.community);
  const capabilities = communityCapabilities(actor, definition.community);
  if (event ? !capabilities.createEventPost : !capabilities.createPost) {
    throw forbidden(`Missing capability: ${event ? 'createEventPost' : 'createPost'}.`);
  }
}
