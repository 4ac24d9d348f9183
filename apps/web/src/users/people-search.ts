/** The settings of the list of people in its address. */
export interface PeopleSearch {
  text?: string;
  community?: number;
  /** The person shown beside the list. */
  person?: number;
}

export function readPeopleSearch({ text, community, person }: Record<string, unknown>): PeopleSearch {
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...(Number.isSafeInteger(community) && { community: community as number }),
    ...(Number.isSafeInteger(person) && { person: person as number }),
  };
}
