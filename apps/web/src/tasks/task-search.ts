/** The settings of the list of tasks in its address. */
export const relations = ['assigned', 'created', 'watched', 'any'] as const;
/** Times by which tasks are due. */
export const dues = ['overdue', 'today', 'week'] as const;
/** Priorities, as the interface numbers them. */
export const priorities = [1, 2, 3, 4] as const;

export interface TaskSearch {
  relation?: (typeof relations)[number];
  closed?: boolean;
  community?: number;
  due?: (typeof dues)[number];
  priority?: (typeof priorities)[number];
}

const oneOf = <T>(values: readonly T[], value: unknown): T | undefined => values.find((each) => each === value);

export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  const { closed, community } = search;
  const relation = oneOf(relations, search['relation']);
  const due = oneOf(dues, search['due']);
  const priority = oneOf(priorities, search['priority']);
  return {
    ...(relation && relation !== 'assigned' && { relation }),
    ...(closed === true && { closed }),
    ...(Number.isSafeInteger(community) && { community: community as number }),
    ...(due && { due }),
    ...(priority && { priority }),
  };
}
