/** What the address of the search says. */
export interface SearchAddress {
  /** Words that posts hold. */
  text?: string;
  /** Names of workflow states: each community has its own states, many of the same name. */
  states?: readonly string[];
  /** Communities that are searched; all where it is left out. */
  communities?: readonly number[];
}

/** @param search of the address; what cannot be read is left out */
export function readSearchAddress({ text, states, communities }: Record<string, unknown>): SearchAddress {
  const names = Array.isArray(states) ? states.filter((name) => typeof name === 'string') : [];
  const ids = Array.isArray(communities) ? communities.filter((id) => Number.isSafeInteger(id)) : [];
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...(names.length > 0 && { states: names }),
    ...(ids.length > 0 && { communities: ids }),
  };
}
