import type { WriteScope } from '../../../kernel/access/index.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, getDefinition } from '../../communities/index.ts';

/** The definition of a post's community, which is always there. */
export async function definitionOf(scope: TenantScope | WriteScope, communityId: number): Promise<CommunityDefinition> {
  const definition = await getDefinition(scope, communityId);
  if (!definition) throw new Error(`community ${communityId} of a post has no definition`);
  return definition;
}
