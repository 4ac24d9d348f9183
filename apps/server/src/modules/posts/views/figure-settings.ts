/** Settings of views that show figures instead of a list. */
import { figureLayouts, type SummarisePostsRequest } from '@portico/contract';
import { type FieldError, FieldErrors } from '../../../kernel/errors.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { readFigures } from '../reading/summary/summary-input.ts';
import type { ViewSettings } from './views.repository.ts';

/** Returns whether views of a layout show figures. */
export const showsFigures = (layout: string): boolean => (figureLayouts as readonly string[]).includes(layout);

/** Groupings and measure as `summarisePosts` takes them. */
export function figuresOf({ groupBy, secondGroupBy, measure, measureOf }: ViewSettings) {
  return {
    groupBy: [groupBy, secondGroupBy].filter((name) => name !== null),
    ...(measure !== null && { measure: measure as NonNullable<SummarisePostsRequest['measure']> }),
    ...(measureOf !== null && { measureOf }),
  };
}

/** Returns the errors of a summary with the names that a view gives to its fields. */
export const namedAsInView = (errors: readonly FieldError[]): FieldError[] =>
  errors.map((error) => ({
    ...error,
    field: error.field.replace('groupBy[0]', 'groupBy').replace('groupBy[1]', 'secondGroupBy'),
  }));

/** Returns the errors of members that figures alone take, or lists alone. */
export function figureErrors(definition: CommunityDefinition, settings: ViewSettings): FieldError[] {
  const errors = new FieldErrors();
  const { groupBy, secondGroupBy, measure, measureOf, inOverview } = settings;
  if (!showsFigures(settings.layout)) {
    const taken = Object.entries({ secondGroupBy, measure, measureOf, inOverview: inOverview || null });
    for (const [field, value] of taken) {
      if (value !== null)
        errors.add(field, 'INVALID_VALUE', `Only figures take ${field}: ${figureLayouts.join(', ')}.`);
    }
    return [...errors.list];
  }
  const { columns, orderBy, orderDesc, pinnedFirst } = settings;
  for (const [field, value] of Object.entries({ columns, orderBy, orderDesc, pinnedFirst })) {
    if (value !== null) errors.add(field, 'INVALID_VALUE', `Figures take no ${field}: omit it.`);
  }
  if (groupBy === null && secondGroupBy !== null) {
    errors.add('secondGroupBy', 'INVALID_VALUE', 'A second grouping needs a first: send it as groupBy.');
  } else {
    readFigures(figuresOf(settings), definition, errors);
  }
  return namedAsInView(errors.list);
}
