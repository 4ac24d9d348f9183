/**
 * Who sees a field: the one rule, and the definition as an actor sees it. For those who do not see a field it does not exist;
 * whatever is read or checked with their definition cannot name it.
 */
import { RoleId } from '@portico/contract';
import type { Actor, CommunityRole } from '../../kernel/scope.ts';
import type { CommunityDefinition, FieldDefinition, WorkflowDefinition } from './definition-types.ts';

/** Stands for everybody who sees posts, whatever their role. */
const EVERYBODY = RoleId.GUEST;

/** The weakest role that sees a field. */
export function weakestRole({ visibleRoles = [] }: Partial<Pick<FieldDefinition, 'visibleRoles'>>): number {
  return visibleRoles.length === 0 ? EVERYBODY : Math.max(...visibleRoles);
}

/** Why a field may not be shown to more than a field that decides about it. @param label of that field */
export function dependsOnHidden(label: string): string {
  return `The field depends on "${label}", which fewer see.`;
}

/** Whether some do not see the field. */
export function isRestricted(field: Pick<FieldDefinition, 'visibleRoles'>): boolean {
  return field.visibleRoles.length > 0;
}

function sees(role: CommunityRole | undefined, field: FieldDefinition): boolean {
  return !isRestricted(field) || (role !== undefined && role <= weakestRole(field));
}

/** Definitions as roles see them, by the whole definition. */
const views = new WeakMap<CommunityDefinition, Map<CommunityRole | undefined, CommunityDefinition>>();

/** The definition as the actor sees it: the same where they see every field. */
export function seenBy(actor: Actor, definition: CommunityDefinition): CommunityDefinition {
  const role = actor.roles.get(definition.id);
  let byRole = views.get(definition);
  if (!byRole) {
    byRole = new Map();
    views.set(definition, byRole);
  }
  let view = byRole.get(role);
  if (!view) {
    view = viewOf(role, definition);
    byRole.set(role, view);
  }
  return view;
}

function viewOf(role: CommunityRole | undefined, definition: CommunityDefinition): CommunityDefinition {
  const all = [...definition.fields, ...(definition.workflow?.fields ?? [])];
  const hidden = all.filter((field) => !sees(role, field));
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
