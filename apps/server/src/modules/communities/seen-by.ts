/**
 * Visibility of fields: the one rule, and the definition as an actor sees it. A field that an actor
 * does not see does not exist for them: reads and checks with their definition cannot name it.
 */
import { firstOwnRole } from '@portico/contract';
import { LRUCache } from 'lru-cache';
import { isOpenTo, weakestOf } from '../../kernel/access/index.ts';
import type { Actor } from '../../kernel/scope.ts';
import type { CommunityDefinition, FieldDefinition, WorkflowDefinition } from './definition-types.ts';

/** The part of a field that decides about its visibility. */
type Shown = Partial<Pick<FieldDefinition, 'visibleRoles'>>;

/** Returns whether some roles do not see the field. */
export function isRestricted({ visibleRoles = [] }: Shown): boolean {
  return visibleRoles.length > 0;
}

/** Returns whether a role sees the field but not the other one. */
export function isSeenByMore(field: Shown, other: Shown): boolean {
  if (!isRestricted(other)) return false;
  const { visibleRoles = [] } = field;
  const others = other.visibleRoles ?? [];
  if (visibleRoles.length === 0 || weakestOf(visibleRoles) > weakestOf(others)) return true;
  return visibleRoles.some((role) => role >= firstOwnRole && !others.includes(role));
}

/**
 * Message for a field that more roles would see than a field that decides about it. @param label of
 * that field
 */
export function dependsOnHidden(label: string): string {
  return `The field depends on "${label}", which fewer see.`;
}

/** Returns whether an actor sees a field of a community. */
export function seesField(actor: Pick<Actor, 'roles' | 'ownRoles'>, communityId: number, field: Shown): boolean {
  return !isRestricted(field) || isOpenTo(actor, communityId, field.visibleRoles ?? []);
}

/** Maximum number of cached views of one definition, one for each combination of roles. */
const MAX_VIEWS = 50;

/** Definitions as seen with a combination of roles, by the whole definition. */
const views = new WeakMap<CommunityDefinition, LRUCache<string, CommunityDefinition>>();

/** Returns the definition as the actor sees it: the same object if they see every field. */
export function seenBy(actor: Actor, definition: CommunityDefinition): CommunityDefinition {
  const roles = [actor.roles.get(definition.id), ...(actor.ownRoles?.get(definition.id) ?? [])].join();
  let byRoles = views.get(definition);
  if (!byRoles) {
    byRoles = new LRUCache({ max: MAX_VIEWS });
    views.set(definition, byRoles);
  }
  let view = byRoles.get(roles);
  if (!view) {
    view = viewOf(actor, definition);
    byRoles.set(roles, view);
  }
  return view;
}

function viewOf(actor: Actor, definition: CommunityDefinition): CommunityDefinition {
  const all = [...definition.fields, ...(definition.workflow?.fields ?? [])];
  const hidden = all.filter((field) => !seesField(actor, definition.id, field));
  if (hidden.length === 0) return definition;
  const ids = new Set(hidden.map(({ id }) => id));
  const shown = (fields: readonly FieldDefinition[]) => fields.filter(({ id }) => !ids.has(id));
  const fields = shown(definition.fields);
  const withoutHidden = <V extends { readonly fieldIds: readonly number[] }>(view: V): V => ({
    ...view,
    fieldIds: view.fieldIds.filter((id) => !ids.has(id)),
  });
  const { workflow } = definition;
  return {
    ...definition,
    fields,
    fieldById: byId(fields),
    hidden,
    workflow: workflow && workflowView(workflow, shown(workflow.fields), ids),
    postViews: definition.postViews.map(withoutHidden),
  };
}

function workflowView(
  workflow: WorkflowDefinition,
  fields: readonly FieldDefinition[],
  hidden: ReadonlySet<number>,
): WorkflowDefinition {
  const screens = workflow.screens.map((screen) => ({
    ...screen,
    fields: screen.fields.filter(({ fieldId }) => !hidden.has(fieldId)),
  }));
  return { ...workflow, fields, fieldById: byId(fields), screens, screenById: byId(screens) };
}

function byId<T extends { readonly id: number }>(items: readonly T[]): Map<number, T> {
  return new Map(items.map((item) => [item.id, item]));
}
