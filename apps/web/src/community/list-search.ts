/** What the address of a list of posts says. */
export const orders = {
  recent: { orderBy: 'postLastModifyAndCommentTimestamp', orderDesc: true },
  created: { orderBy: 'postCreationTimestamp', orderDesc: true },
  title: { orderBy: 'postTitle', orderDesc: false },
} as const;

export interface ListSearch {
  /** Words that posts hold. */
  text?: string;
  /** Id of a workflow state. */
  state?: number;
  order?: keyof typeof orders;
}

/** @param search of the address; what cannot be read is left out */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const { text, state, order } = search;
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...(typeof state === 'number' && Number.isSafeInteger(state) && { state }),
    ...(typeof order === 'string' && Object.hasOwn(orders, order) && { order: order as keyof typeof orders }),
  };
}
