/** The settings of the search in its address. */
export interface SearchAddress {
  /** Words to search for. */
  text?: string;
  /** Names of workflow states: each community has its own states, often with equal names. */
  states?: readonly string[];
  /** Communities to search; absent for all. */
  communities?: readonly number[];
}

/** @param search search parameters of the address; unreadable ones are ignored */
export function readSearchAddress({ text, states, communities }: Record<string, unknown>): SearchAddress {
  const names = Array.isArray(states) ? states.filter((name) => typeof name === 'string') : [];
  const ids = Array.isArray(communities) ? communities.filter((id) => Number.isSafeInteger(id)) : [];
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...(names.length > 0 && { states: names }),
    ...(ids.length > 0 && { communities: ids }),
  };
}
