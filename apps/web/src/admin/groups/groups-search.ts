/** The filters of the administrative list of groups in its address. */
import type { Right } from '../../shared-queries.ts';

export interface GroupsSearch {
  text?: string;
  right?: Right;
  role?: number;
}

export function readGroupsSearch({ text, right, role }: Record<string, unknown>): GroupsSearch {
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...((right === 'manageUsers' || right === 'manageDigitalWorplace') && { right }),
    ...(Number.isSafeInteger(role) && { role: role as number }),
  };
}
