/** The filters of the administrative list of groups in its address. */
import type { Right } from '../../shared-queries.ts';

export interface GroupsSearch {
  text?: string;
  right?: Right;
}

export function readGroupsSearch({ text, right }: Record<string, unknown>): GroupsSearch {
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...((right === 'manageUsers' || right === 'manageDigitalWorplace') && { right }),
  };
}
