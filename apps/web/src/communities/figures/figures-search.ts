/** The settings of the figures of a community in its address. */
import { type ListSearch, readListSearch } from '../list-search.ts';

export const pictures = ['bars', 'lines', 'numbers'] as const;
export type Picture = (typeof pictures)[number];
export const measures = ['count', 'sum', 'mean', 'least', 'greatest'] as const;
type Measure = (typeof measures)[number];

export interface FiguresSearch extends Pick<ListSearch, 'text' | 'filters'> {
  /** Property by which posts are grouped, as the interface names it, or `none`; absent for the first offered. */
  by?: string;
  /** A second property. */
  and?: string;
  /** Absent for the count. */
  measure?: Exclude<Measure, 'count'>;
  /** The measured value, as the interface names it. */
  of?: string;
  /** Absent for the picture that fits the grouping. */
  as?: Picture;
  /** The saved figures that were chosen. */
  view?: number;
}

/** Changes the address; members that are undefined are removed. */
export type ShowFigures = (change: { [K in keyof FiguresSearch]: FiguresSearch[K] | undefined }) => void;

const NAME = /^[A-Za-z]+(?:-\d{1,15})?(?:\.(?:day|week|month|year))?$/;

/** @param search search parameters of the address; unreadable ones are ignored */
export function readFiguresSearch(search: Record<string, unknown>): FiguresSearch {
  const { by, and, measure, of, as } = search;
  const { text, filters, view } = readListSearch(search);
  const named = (name: unknown): name is string => typeof name === 'string' && NAME.test(name);
  return {
    ...(text !== undefined && { text }),
    ...(filters && { filters }),
    ...(named(by) && { by }),
    ...(named(and) && { and }),
    ...(measure !== 'count' && measures.includes(measure as Measure) && { measure: measure as 'sum' }),
    ...(named(of) && { of }),
    ...(pictures.includes(as as Picture) && { as: as as Picture }),
    ...(view !== undefined && { view }),
  };
}
