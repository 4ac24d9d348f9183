/**
 * Compares a mapping with definitions that exist. An import creates what is missing and changes no
 * definition, so its report says where an existing one differs from the mapping. Properties that
 * the mapping omits and that have no default in it are not compared.
 */
import { PartUse, Visibility } from '@portico/contract';
import { FieldErrors } from '../../kernel/errors.ts';
import {
  type CommunityDefinition,
  descriptionDelta,
  type FieldDefinition,
  type NewField,
  type WorkflowDefinition,
} from '../communities/index.ts';
import { shortened } from './report.ts';
import type { Mapping, StateMapping, TransitionMapping } from './source/mapping-types.ts';

/** Property by its key in the mapping, with the value of the mapping and the existing value. */
type Compared = readonly [key: string, wanted: unknown, present: unknown];

/** @returns one sentence, or nothing if nothing differs */
function sentence(what: string, compared: readonly Compared[]): string[] {
  const differing = compared.filter(
    ([, wanted, present]) => wanted !== undefined && JSON.stringify(wanted) !== JSON.stringify(present ?? null),
  );
  if (differing.length === 0) return [];
  const list = differing
    .map(([key, wanted, present]) => `${key} ${shown(wanted)} (it has ${shown(present)})`)
    .join(', ');
  return [`${what} was there already and stays as it is; not applied: ${list}`];
}

const shown = (value: unknown) => shortened(JSON.stringify(value) ?? 'null');

/** @param wanted the field in the mapping @param present the field before the import */
export function fieldDifferences(wanted: NewField, present: FieldDefinition): string[] {
  const metadata = Object.entries(wanted.metadata ?? {}).map(
    ([name, value]): Compared => [`metadata ${name}`, value, present.metadata[name]],
  );
  const rules = (validations: readonly { typeId: number; parameter?: string | null }[]) =>
    validations.map(({ typeId, parameter }) => [typeId, parameter ?? null]);
  return sentence(`the field "${wanted.externalId}"`, [
    ['label', wanted.label.trim(), present.label],
    [
      'description',
      wanted.description && descriptionDelta('description', wanted.description, new FieldErrors()),
      present.description,
    ],
    ['required', wanted.required, present.required],
    ['readonly', wanted.readonly, present.readonly],
    ['searchable', wanted.searchable, present.searchable],
    ['sortable', wanted.sortable, present.sortable],
    ['preview', wanted.visibleInPreview, present.visibleInPreview],
    ['parent', wanted.parentId, present.parentId],
    ['catalog', wanted.catalogId ?? null, present.catalogId],
    ['validations', rules(wanted.validations ?? []), rules(present.validations)],
    ...metadata,
  ]);
}

/** A code by its name in mappings. */
function word(codes: Readonly<Record<string, number>>, code: number | undefined): string | undefined {
  return Object.keys(codes)
    .find((name) => codes[name] === code)
    ?.toLowerCase();
}

/** @param definition as it was before the import */
export function communityDifferences(mapping: Mapping, { community }: CommunityDefinition): string[] {
  const wanted = mapping.community;
  return sentence(`the community "${community.name}"`, [
    ['description', wanted.description, community.description],
    ['color', wanted.color, community.colorCode],
    ['defaultVisibility', word(Visibility, wanted.defaultVisibility), word(Visibility, community.defaultVisibility)],
    ['title', word(PartUse, wanted.title), word(PartUse, community.titleEnabled)],
    ['body', word(PartUse, wanted.body), word(PartUse, community.descriptionEnabled)],
    ['events', wanted.events, community.eventsEnabled],
  ]);
}

/** @param present the workflow as it was before the import */
export function workflowDifferences(mapping: Mapping, present: WorkflowDefinition): string[] {
  const { title, states, transitions } = mapping.workflow!;
  // If the mapping names no initial state, the first state of a new workflow becomes the initial
  // one.
  const initial = states.some((state) => state.initial);
  const names = new Map(present.states.map((state) => [state.id, state.name]));
  return [
    ...sentence(`the workflow "${present.title}"`, [['title', title.trim(), present.title]]),
    ...states.flatMap((state) => stateDifferences(state, present, initial)),
    ...transitions.flatMap((transition) => transitionDifferences(transition, present, names)),
  ];
}

function stateDifferences(wanted: StateMapping, workflow: WorkflowDefinition, initial: boolean): string[] {
  const present = workflow.states.find((state) => !state.deleted && state.name === wanted.name);
  if (!present) return [];
  return sentence(`the state "${present.name}"`, [
    ['description', wanted.description, present.description],
    ['color', wanted.color, present.color],
    ['initial', initial ? wanted.initial : undefined, present.initial],
    ['terminal', wanted.terminal, present.terminal],
  ]);
}

function transitionDifferences(
  wanted: TransitionMapping,
  workflow: WorkflowDefinition,
  names: ReadonlyMap<number, string>,
): string[] {
  const found = workflow.transitions.filter(
    ({ name, fromStateId, toStateId }) =>
      name === wanted.name && wanted.from.includes(names.get(fromStateId) ?? '') && names.get(toStateId) === wanted.to,
  );
  return found.flatMap((present) =>
    sentence(`the transition "${present.name}" from "${names.get(present.fromStateId)}"`, [
      ['roles', wanted.roles, present.roles],
      ['byAuthor', wanted.byAuthor, present.byAuthor],
    ]),
  );
}
