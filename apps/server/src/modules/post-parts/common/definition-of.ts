import type { WriteScope } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, getDefinition } from '../../communities/index.ts';

/** Returns the definition of a post's community, which always exists, as the actor sees it. */
export async function definitionOf(scope: Scope | WriteScope, communityId: number): Promise<CommunityDefinition> {
  const definition = await getDefinition(scope, communityId);
  if (!definition) throw new Error(`community ${communityId} of a post has no definition`);
  return definition;
}
