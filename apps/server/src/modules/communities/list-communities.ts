/** Reads communities. */
import type { Community, ViewPostCapabilityLevel } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { compareSortKeys, sortKeyWithTies } from '@portico/platform/text';
import { communitiesWith, type WriteScope } from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { loadUserViews } from '../people/index.ts';
import { communityCapabilities, seesCommunity } from './communities.policy.ts';
import { presentCommunity } from './communities.presenter.ts';
import { countMembers } from './communities.repository.ts';
import type { CommunityDefinition } from './definition-types.ts';
import { getDefinitions } from './definitions.ts';

/** Returns the transaction of the scope, or its database outside of a transaction. */
function executorOf(scope: Scope | WriteScope): TenantExecutor {
  return 'tx' in scope ? scope.tx : scope.db;
}

/** Presents communities in the given order, in two statements for any number. */
export async function presentCommunities(
  scope: Scope | WriteScope,
  definitions: readonly CommunityDefinition[],
): Promise<Community[]> {
  if (definitions.length === 0) return [];
  const db = executorOf(scope);
  const users = await loadUserViews(
    scope,
    db,
    definitions.map(({ community }) => community.creatorId),
  );
  const members = await countMembers(
    db,
    definitions.map(({ id }) => id),
  );
  return definitions.map(({ community }) => presentCommunity(community, scope, { users, members }));
}

/**
 * Returns communities by id as other objects embed them (history, forms of administration). Does
 * not check visibility: the caller must. Unknown ids are missing.
 */
export async function loadCommunityViews(
  scope: Scope | WriteScope,
  ids: Iterable<number>,
): Promise<Map<number, Community>> {
  const definitions = [...(await getDefinitions(scope, [...new Set(ids)])).values()];
  const views = await presentCommunities(scope, definitions);
  return new Map(definitions.map(({ id }, index) => [id, views[index]!]));
}

function byName(definitions: Iterable<CommunityDefinition>): CommunityDefinition[] {
  return [...definitions]
    .map((definition) => ({ definition, key: sortKeyWithTies(definition.community.name) }))
    .sort((a, b) => compareSortKeys(a.key, b.key) || a.definition.id - b.definition.id)
    .map(({ definition }) => definition);
}

function visibleIds(scope: Scope): number[] {
  return [...scope.actor.roles.keys()].filter((id) => seesCommunity(scope.actor, id));
}

/**
 * Returns a community (operation getCommunityDetails). @throws PorticoError NOT_FOUND when unknown
 * or not visible, alike
 */
export async function readCommunity(scope: Scope, communityId: number): Promise<Community> {
  const [community] = await readCommunities(scope, [communityId]);
  if (!community) throw notFound();
  return community;
}

/**
 * Returns communities by id in the given order, without unknown and invisible ones (operation
 * listCommunities).
 */
export async function readCommunities(scope: Scope, ids: readonly number[]): Promise<Community[]> {
  const wanted = [...new Set(ids)].filter((id) => seesCommunity(scope.actor, id));
  const definitions = await getDefinitions(scope, wanted);
  return presentCommunities(
    scope,
    wanted.flatMap((id) => definitions.get(id) ?? []),
  );
}

/**
 * Returns the communities in which the caller may create posts, by name (operation
 * getCanCreatePostCommunities).
 */
export async function listPostingCommunities(scope: Scope): Promise<Community[]> {
  const definitions = await getDefinitions(scope, visibleIds(scope));
  const open = [...definitions.values()].filter(
    ({ community }) => communityCapabilities(scope.actor, community).createPost,
  );
  return presentCommunities(scope, byName(open));
}

/**
 * Returns communities by the level at which the caller sees their posts, by name
 * (docs/decisions/people.md; operation getCommunitiesByViewPostCapabilityLevel). PRIVATE: all
 * private posts (managers); PUBLIC: the public posts (every role except guests); ALL: the
 * communities of either kind.
 */
export async function listReadableCommunities(scope: Scope, level: ViewPostCapabilityLevel): Promise<Community[]> {
  const ids = communitiesWith(scope.actor, level === 'PRIVATE' ? 'readAllPosts' : 'readPublicPosts');
  return presentCommunities(scope, byName((await getDefinitions(scope, ids)).values()));
}
