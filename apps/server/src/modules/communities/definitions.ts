/** Definitions of communities, cached in memory until the tenant's definitions version changes. */

import type { WriteScope } from '../../kernel/access/index.ts';
import type { Scope, TenantScope } from '../../kernel/scope.ts';
import { VersionedStore } from '../../kernel/versioned-store.ts';
import type { CommunityDefinition } from './definition-types.ts';
import { loadDefinitions } from './definitions.repository.ts';
import { seenBy } from './seen-by.ts';

/**
 * Maximum number of cached definitions. A definition with a dozen fields and a workflow takes about
 * 20 kB.
 */
const MAX_KEPT = 2_000;

const store = new VersionedStore<CommunityDefinition>(loadDefinitions, MAX_KEPT);

/**
 * Returns the definition of a community as the actor sees it. Does not check that the actor sees
 * the community: the caller must (`actor.roles`).
 * @returns undefined when the tenant has no such community
 */
export async function getDefinition(
  scope: Scope | WriteScope,
  communityId: number,
): Promise<CommunityDefinition | undefined> {
  return (await getDefinitions(scope, [communityId])).get(communityId);
}

/**
 * Returns the definitions of many communities as the actor sees them, with no statement or a fixed
 * number of them. Unknown ids are missing from the map. Inside a write pass its {@link WriteScope}:
 * the version is locked, so the result stays true until the commit. A write that changes
 * definitions reads its own changes with `loadDefinition`.
 */
export async function getDefinitions(
  scope: Scope | WriteScope,
  communityIds: readonly number[],
): Promise<Map<number, CommunityDefinition>> {
  const whole = await store.get(scope, communityIds);
  return new Map([...whole].map(([id, definition]) => [id, seenBy(scope.actor, definition)]));
}

/**
 * Returns the whole definition of a community, whatever the actor sees: for administration,
 * imports, and rows stored for every field. Otherwise like {@link getDefinition}.
 */
export async function getWholeDefinition(
  scope: TenantScope | WriteScope,
  communityId: number,
): Promise<CommunityDefinition | undefined> {
  return (await store.get(scope, [communityId])).get(communityId);
}
