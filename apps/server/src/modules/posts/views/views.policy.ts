/** Rights to see and edit a saved view: pure rules, no I/O. */
import { all, any, fact, hasRole, mayShareViews } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';
import type { ViewRow } from './views.repository.ts';

/** An actor and a saved view of a community. */
interface ViewCase {
  readonly actor: Actor;
  readonly community: { readonly id: number };
  readonly view: Pick<ViewRow, 'userId'>;
}

const isOwn = fact<ViewCase>(({ actor, view }) => view.userId === actor.userId, {
  kind: 'AUTHOR',
  yes: ({ who }) => `the view is one that ${who} made`,
  no: ({ who }) => `the view is not one that ${who} made`,
});
const isShared = fact<ViewCase>(({ view }) => view.userId === null, {
  kind: 'VISIBILITY',
  yes: () => 'the view is shared with the community',
  no: () => 'the view is not shared with the community',
});

/** The rule of each capability. */
export const viewRules = {
  canView: all<ViewCase>(hasRole, any<ViewCase>(isShared, isOwn)),
  canEdit: all<ViewCase>(hasRole, any<ViewCase>(isOwn, all<ViewCase>(isShared, mayShareViews))),
};

/** Whether the actor may edit and delete a view. */
export function mayEditView(actor: Actor, view: Pick<ViewRow, 'userId' | 'communityId'>): boolean {
  return viewRules.canEdit.holds({ actor, community: { id: view.communityId }, view });
}
