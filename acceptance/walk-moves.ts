/** Moves of posts between the communities of the demo tenant. */
import type { Json } from './client.ts';
import { idsOf } from './walk.ts';
import type { Found } from './walk-reads.ts';

/** A move of posts to another community that asks nothing. */
export function moveOf({ communities, definitions }: Found, communityId: number): Json {
  const other = communities.find(({ id }) => id !== communityId)?.id as number;
  const [from, to] = [definitions[communityId], definitions[other]] as [Json, Json];
  const shared = from.workflowDefinition?.id === to.workflowDefinition?.id;
  const screens = shared ? [] : (from.workflowDefinition?.screenFieldMetadatas ?? []);
  const fieldMapping = idsOf([...(from.fieldDefinitions ?? []), ...screens]).map((fromId) => ({ fromId }));
  return { communityId: other, fieldMapping, stateId: to.workflowDefinition?.states?.[0]?.id };
}
