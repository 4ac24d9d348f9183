/** Operation summariseSavedView. */
import type { SummariseSavedViewResponse } from '@portico/contract';
import { type FieldError, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { summarisePosts } from '../reading/summary/summarise-posts.ts';
import { figuresOf, namedAsInView, showsFigures } from './figure-settings.ts';
import { presentViews, requireView } from './read-views.ts';
import { leaveOut, selectionOf } from './view-settings.ts';

/**
 * Returns the figures of a view, as the caller sees its posts and fields.
 * A list has the number of its posts.
 * @throws PorticoError NOT_FOUND
 */
export async function summariseSavedView(scope: Scope, viewId: number): Promise<SummariseSavedViewResponse> {
  const row = await requireView(scope.db, scope.actor, viewId);
  const { communityPostFilters, communityAttachmentFilters } = selectionOf(row);
  const [view] = await presentViews(scope, scope.db, [row]);
  try {
    const request = {
      communityPostFilters,
      communityAttachmentFilters,
      ...(showsFigures(row.layout) && figuresOf(row)),
    };
    return { view: view!, leftOut: [], figures: await summarisePosts(scope, row.communityId, request) };
  } catch (error) {
    // Without a part the figures would say something else: the answer says why there are none.
    const less =
      error instanceof ValidationError ? leaveOut(row, namedAsInView(error.errors).map(withoutNames)) : undefined;
    if (!less) throw error;
    return { view: view!, leftOut: less.leftOut };
  }
}

/** For the caller, a field that they do not see is a field that does not exist. */
const withoutNames = (error: FieldError): FieldError =>
  error.code === 'UNKNOWN_FIELD'
    ? { ...error, defaultMessage: 'The field does not exist any more, or you do not see it.' }
    : error;
