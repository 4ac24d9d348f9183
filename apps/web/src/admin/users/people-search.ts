/** The filters of the administrative list of people in its address. */
import type { Right } from '../../shared-queries.ts';

/** States of an account by the code of the interface. */
export const STATES = { active: 1, blocked: 2, deleted: 3 } as const;
export type AccountState = keyof typeof STATES;

/** Orders of the list, as the interface names them. */
const ORDERS = ['lastName', 'lastAccessTimestamp', 'creationTimestamp'] as const;
export type PeopleOrder = (typeof ORDERS)[number];

/** Days without a use of the portal. */
const UNSEEN = ['30', '90', '365'] as const;
export type UnseenDays = (typeof UNSEEN)[number];

export interface AdminPeopleSearch {
  text?: string;
  group?: number;
  role?: number;
  right?: Right;
  state?: AccountState;
  unseen?: UnseenDays;
  order?: PeopleOrder;
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): value is T => values.includes(value as T);

export function readAdminPeopleSearch({
  text,
  group,
  role,
  right,
  state,
  unseen,
  order,
}: Record<string, unknown>): AdminPeopleSearch {
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...(Number.isSafeInteger(group) && { group: group as number }),
    ...(Number.isSafeInteger(role) && { role: role as number }),
    ...(oneOf<Right>(['manageUsers', 'manageDigitalWorplace'], right) && { right }),
    ...(oneOf(Object.keys(STATES) as AccountState[], state) && { state }),
    ...(oneOf(UNSEEN, String(unseen)) && { unseen: String(unseen) as UnseenDays }),
    ...(oneOf(ORDERS, order) && { order }),
  };
}
