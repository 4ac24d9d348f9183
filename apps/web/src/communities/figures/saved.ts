/** Saved figures: settings of the page of figures under a name. */
import type { GetPostDefinitionResponse, Input, SavedView } from '@portico/sdk';
import type { Texts } from '../../texts/index.ts';
import { conditionSettings, filtersOf, isList } from '../views.ts';
import type { Shape } from './figure-rows.ts';
import type { FiguresSearch, Picture } from './figures-search.ts';

/** A saved view that shows figures. */
export type SavedFigure = SavedView & { layout: Picture };

/** Returns the figures among views. */
export const figuresAmong = (views: readonly SavedView[] = []): SavedFigure[] =>
  views.filter((view): view is SavedFigure => !isList(view));

/** The `by` of figures without groups. */
export const NO_GROUPS = 'none';

/** Returns groupings and measure of saved figures. */
export const shapeOf = ({ groupBy, secondGroupBy, measure = 'count', measureOf }: SavedView): Shape => ({
  groupBy: [groupBy, secondGroupBy].filter((name) => name !== undefined),
  measure,
  of: measure === 'count' ? undefined : measureOf,
});

/** Returns settings in the form of a view. */
export const figureSettings = (
  { groupBy: [groupBy, secondGroupBy], measure, of }: Shape,
  layout: Picture,
  search: FiguresSearch,
  communityId: number,
) =>
  ({
    ...conditionSettings(search, communityId),
    layout,
    ...(groupBy !== undefined && { groupBy }),
    ...(secondGroupBy !== undefined && { secondGroupBy }),
    ...(of !== undefined && { measure, measureOf: of }),
  }) satisfies Omit<Input<'createSavedView'>, 'communityId' | 'name' | 'shared'>;

/** Whether an address says nothing but which saved figures are shown. */
export const namesSavedAlone = ({ view, ...rest }: FiguresSearch): boolean =>
  view !== undefined && Object.keys(rest).length === 0;

/**
 * Returns saved figures in the form of the address, and whether they have conditions that no filter
 * of the page can express.
 */
export function searchOfFigures(
  view: SavedFigure,
  definition: GetPostDefinitionResponse,
  texts: Texts,
): { search: FiguresSearch; unsupported: boolean } {
  const { filters, text, unsupported } = filtersOf(view, definition, texts);
  const { groupBy, measure, of } = shapeOf(view);
  return {
    search: {
      ...(text !== undefined && { text }),
      ...(filters.length > 0 && { filters }),
      by: groupBy[0] ?? NO_GROUPS,
      ...(groupBy[1] !== undefined && { and: groupBy[1] }),
      ...(measure !== 'count' && { measure }),
      ...(of !== undefined && { of }),
      as: view.layout,
      view: view.id!,
    },
    unsupported,
  };
}
