/** Kinds of results, in the order of their filter. */
export const searchKinds = ['post', 'comment', 'task', 'file', 'person', 'community'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** The settings of the search in its address. */
export interface SearchAddress {
  /** Words to search for. */
  text?: string;
  /** Names of workflow states: each community has its own states, often with equal names. */
  states?: readonly string[];
  /** Communities to search; absent for all. */
  communities?: readonly number[];
  /** Kinds of results; absent for all. */
  kinds?: readonly SearchKind[];
}

/** @param search search parameters of the address; unreadable ones are ignored */
export function readSearchAddress({ text, states, communities, kinds }: Record<string, unknown>): SearchAddress {
  const names = Array.isArray(states) ? states.filter((name) => typeof name === 'string') : [];
  const ids = Array.isArray(communities) ? communities.filter((id) => Number.isSafeInteger(id)) : [];
  const chosen = Array.isArray(kinds) ? searchKinds.filter((kind) => kinds.includes(kind)) : [];
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...(names.length > 0 && { states: names }),
    ...(ids.length > 0 && { communities: ids }),
    ...(chosen.length > 0 && { kinds: chosen }),
  };
}
