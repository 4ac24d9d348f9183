/** The settings of the list of tasks in its address. */
export const relations = ['assigned', 'created', 'watched'] as const;

export interface TaskSearch {
  relation?: (typeof relations)[number];
  closed?: boolean;
  community?: number;
}

export function readTaskSearch({ relation, closed, community }: Record<string, unknown>): TaskSearch {
  return {
    ...(relations.includes(relation as 'created') && relation !== 'assigned' && { relation: relation as 'created' }),
    ...(closed === true && { closed }),
    ...(Number.isSafeInteger(community) && { community: community as number }),
  };
}
