/** The settings of a list of posts in its address. */
import { type Filter, operators } from './filters.ts';

/**
 * Orders of the list by their name in the address, and whether the highest value comes first by
 * default.
 */
export const orders = {
  // The order of the values in the column `active`.
  recent: { by: 'postRecency', desc: true },
  created: { by: 'postCreationTimestamp', desc: true },
  changed: { by: 'postLastModifyTimestamp', desc: true },
  title: { by: 'postTitle', desc: false },
  number: { by: 'postCustomId', desc: false },
  author: { by: 'postCreatorUser', desc: false },
} as const;
export type Order = keyof typeof orders | `field-${number}`;

export interface ListSearch {
  /** Words to search for. */
  text?: string;
  filters?: readonly Filter[];
  order?: Order;
  /** Whether the highest value comes first; absent if that is the default of the order. */
  desc?: boolean;
  /** Columns beside the title: names, and `field-` with the id of a field. */
  columns?: readonly string[];
  layout?: Exclude<Layout, 'table'>;
  /** By what a table makes groups: `state`, `author` or `field-` with the id of a field. */
  group?: 'state' | 'author' | `field-${number}`;
  /**
   * The date by which a calendar shows posts: `created`, `changed`, `eventStart` or `field-` with
   * the id of a field.
   */
  date?: 'created' | 'changed' | 'eventStart' | `field-${number}`;
  /** The month of a calendar, for example `2026-11`; absent for the present month. */
  month?: string;
  /** The saved view that was chosen. */
  view?: number;
  /** The post that is shown beside the list. */
  peek?: number;
}

/** Changes the address; members that are undefined are removed. */
export type Show = (change: { [K in keyof ListSearch]: ListSearch[K] | undefined }) => void;

export const layouts = ['table', 'board', 'calendar'] as const;
type Layout = (typeof layouts)[number];

/** @param search search parameters of the address; unreadable ones are ignored */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const { text, state, filters, order, desc, columns, layout, group, date, month, view, peek } = search;
  const read = [
    ...(Array.isArray(filters) ? filters.filter(isFilter) : []),
    // Addresses from before there were other filters.
    ...(Number.isSafeInteger(state) ? [['state', 'in', state as number] as const] : []),
  ];
  return {
    ...((typeof text === 'string' || typeof text === 'number') && text !== '' && { text: String(text) }),
    ...(read.length > 0 && { filters: read }),
    ...(isOrder(order) && { order }),
    ...(typeof desc === 'boolean' && { desc }),
    ...(Array.isArray(columns) && { columns: columns.filter((column) => typeof column === 'string') }),
    ...((layout === 'board' || layout === 'calendar') && { layout }),
    ...(typeof group === 'string' && /^(?:state|author|field-\d{1,15})$/.test(group) && { group: group as 'state' }),
    ...(typeof date === 'string' &&
      /^(?:created|changed|eventStart|field-\d{1,15})$/.test(date) && { date: date as 'created' }),
    ...(typeof month === 'string' && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) && { month }),
    ...(Number.isSafeInteger(view) && { view: view as number }),
    ...(Number.isSafeInteger(peek) && { peek: peek as number }),
  };
}

/** @returns the order of the interface */
export function orderOf({ order = 'recent', desc }: ListSearch) {
  const [, fieldId] = /^field-(\d+)$/.exec(order) ?? [];
  if (fieldId !== undefined)
    return { orderBy: `postCustomField-${Number(fieldId)}` as const, orderDesc: desc ?? false };
  const known = orders[order as keyof typeof orders];
  return { orderBy: known.by, orderDesc: desc ?? known.desc };
}

const isOrder = (order: unknown): order is Order =>
  typeof order === 'string' && (Object.hasOwn(orders, order) || /^field-\d{1,15}$/.test(order));

function isFilter(filter: unknown): filter is Filter {
  if (!Array.isArray(filter)) return false;
  const [by, operator, ...values] = filter as unknown[];
  return (
    typeof by === 'string' &&
    operators.includes(operator as Filter[1]) &&
    values.every((value) => value === null || ['string', 'number', 'boolean'].includes(typeof value))
  );
}
