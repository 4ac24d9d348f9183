/** Definitions of communities, cached in memory until the tenant's definitions version changes. */

import type { WriteScope } from '../../kernel/access/index.ts';
import type { Scope, TenantScope } from '../../kernel/scope.ts';
import { VersionedStore } from '../../kernel/versioned-store.ts';
import type { CommunityDefinition } from './definition-types.ts';
import { loadDefinitions } from './definitions.repository.ts';
import { seenBy } from './seen-by.ts';

/** Some 20 kB each with a dozen fields and a workflow. */
const MAX_KEPT = 2_000;

const store = new VersionedStore<CommunityDefinition>(loadDefinitions, MAX_KEPT);

/**
 * The definition of one community as the actor sees it. Does not check that they see the community: the caller must
 * (`actor.roles`).
 * @returns undefined when the tenant has no such community
 */
export async function getDefinition(
  scope: Scope | WriteScope,
  communityId: number,
): Promise<CommunityDefinition | undefined> {
  return (await getDefinitions(scope, [communityId])).get(communityId);
}

/**
 * The definitions of many communities as the actor sees them: none, or a fixed number of statements. Unknown ids are missing from the map.
 * Inside a write pass its {@link WriteScope}: the version is locked, so what is given stays true until it commits. A
 * write that itself changes definitions reads its own changes with `loadDefinition`.
 */
export async function getDefinitions(
  scope: Scope | WriteScope,
  communityIds: readonly number[],
): Promise<Map<number, CommunityDefinition>> {
  const whole = await store.get(scope, communityIds);
  return new Map([...whole].map(([id, definition]) => [id, seenBy(scope.actor, definition)]));
}

/**
 * The whole definition of one community, whoever asks: for administration, imports, and rows that are kept of every field. As
 * {@link getDefinition} otherwise.
 */
export async function getWholeDefinition(
  scope: TenantScope | WriteScope,
  communityId: number,
): Promise<CommunityDefinition | undefined> {
  return (await store.get(scope, [communityId])).get(communityId);
}
