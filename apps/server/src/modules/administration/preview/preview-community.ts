/**
 * Previews a definition before it is applied (operation previewCommunity): the forms as a person
 * meets them, and the transitions that the person may run from each state.
 */
import type {
  CommunityPreviewField,
  CommunityPreviewScreen,
  CommunityPreviewTransition,
  PreviewCommunityRequest,
  PreviewCommunityResponse,
} from '@portico/contract';
import { mayCreatePosts, type WriteScope } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type FieldDefinition, isDemanded, isDemandedOnScreen, rolesById, seesField } from '../../communities/index.ts';
import { type RehearsedDefinition, rehearseDefinition } from '../../definitions/index.ts';
import { conditionInWords, conditionsHold, type FieldData, shownFieldIds } from '../../fields/index.ts';
import { openByRule, transitionCase, transitionRule } from '../../post-parts/index.ts';
import type { Person } from '../explain/person.ts';
import { groupsIn, ReasonPresenter, rolesIn } from '../explain/present-reasons.ts';
import { visibleGroupNames } from '../explain/sources.repository.ts';
import { previewedPerson } from './previewed-person.ts';
import { type PreviewedValues, readPreviewedValues } from './previewed-values.ts';

/**
 * Returns the forms and transitions of a definition for a person, a role, or the caller.
 * @throws as planCommunity; ValidationError for an unknown person, role, field or value
 */
export function previewCommunity(scope: Scope, request: PreviewCommunityRequest): Promise<PreviewCommunityResponse> {
  return rehearseDefinition(scope, request, async (write, rehearsed) => {
    const { definition, ids } = rehearsed;
    const person = await previewedPerson(write, rehearsed, request);
    const data = readPreviewedValues(rehearsed, request.values ?? []);
    const { form = 'create' } = request;
    const posts = { keys: keysById(ids.fields), person, communityId: definition.id };
    return {
      mayCreatePosts: mayCreatePosts.holds({ actor: person.actor, community: { id: definition.id } }),
      fields: previewForm(definition.fields, data.customData, posts, (field) => ({
        inForm: form === 'create' ? field.visibleInCreate : field.visibleInEdit,
        required: isDemanded(field),
      })),
      screens: previewScreens(rehearsed, person, data),
      transitions: await previewTransitions(write, rehearsed, person, data, request.byAuthor ?? true),
    };
  });
}

/** Names and reader of a form. */
interface FormReader {
  /** Keys of its fields by id. */
  readonly keys: ReadonlyMap<number, string>;
  readonly person: Person;
  readonly communityId: number;
}

const keysById = (fields: ReadonlyMap<string, FieldDefinition>) =>
  new Map([...fields].map(([key, { id }]) => [id, key]));

/** @param facts whether the form has the field, and requires a value of it */
function previewForm(
  fields: readonly FieldDefinition[],
  data: FieldData,
  { keys, person, communityId }: FormReader,
  facts: (field: FieldDefinition) => { inForm: boolean; required: boolean },
): CommunityPreviewField[] {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const shown = shownFieldIds(fields, data);
  const visible = Object.fromEntries(Object.entries(data).filter(([id]) => shown.has(Number(id))));
  return fields.map((field) => {
    const { inForm, required } = facts(field);
    const failed = field.conditions.find((condition) => !conditionsHold([condition], visible));
    const on = failed && byId.get(failed.fieldId);
    return {
      key: keys.get(field.id)!,
      label: field.label,
      ...(field.section !== null && { section: field.section }),
      ...hiddenBy([
        ['role', seesField(person.actor, communityId, field), 'The role of the person does not see the field.'],
        ['form', inForm, 'This form leaves the field out.'],
        ['condition', shown.has(field.id), failed && on ? sentence(conditionInWords(on, failed, false)) : ''],
      ]),
      required,
      readonly: field.readonly,
    };
  });
}

type HiddenBy = NonNullable<CommunityPreviewField['hiddenBy']>;

/** Returns the first reason that does not hold. */
function hiddenBy(reasons: readonly (readonly [HiddenBy, boolean, string])[]) {
  const reason = reasons.find(([, holds]) => !holds);
  return reason ? { shown: false, hiddenBy: reason[0], text: reason[2] } : { shown: true };
}

const sentence = (clause: string) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

function previewScreens(
  { definition, ids }: RehearsedDefinition,
  person: Person,
  { screenData }: PreviewedValues,
): CommunityPreviewScreen[] {
  const { workflow, id: communityId } = definition;
  const reader = { keys: keysById(ids.screenFields), person, communityId };
  return (workflow?.screens ?? []).map(({ name, fields }) => {
    const onScreen = new Map(fields.map((field) => [field.fieldId, field]));
    const held = fields.flatMap(({ fieldId }) => workflow?.fieldById.get(fieldId) ?? []);
    return {
      name,
      fields: previewForm(held, screenData, reader, (field) => ({
        inForm: true,
        required: isDemandedOnScreen(field, onScreen.get(field.id)!),
      })),
    };
  });
}

async function previewTransitions(
  { tx, actor }: WriteScope,
  { definition, ids }: RehearsedDefinition,
  person: Person,
  data: PreviewedValues,
  byAuthor: boolean,
): Promise<CommunityPreviewTransition[]> {
  const { workflow, community } = definition;
  const stateKeys = new Map([...ids.states].map(([key, id]) => [id, key]));
  const byId = new Map(workflow?.transitions.map((transition) => [transition.id, transition]));
  const { userId } = person.actor;
  const creatorId = byAuthor ? userId : userId + 1;
  const asked = [...ids.transitions].map(([key, id]) => {
    const transition = byId.get(id)!;
    const post = { creatorId, draft: false, deleted: false, stateId: transition.fromStateId, ...data };
    const about = transitionCase({ actor: person.actor, community, workflow, post }, transition);
    const permitted = transitionRule.holds(about);
    return { key, transition, permitted, reason: (permitted ? openByRule : transitionRule).explain(about) };
  });
  const sources = { roles: [], rights: [], grants: [] };
  const reasons = asked.map(({ reason }) => reason);
  const presenter = new ReasonPresenter(person, sources, {
    groups: await visibleGroupNames(tx, actor, groupsIn(reasons, sources)),
    roles: await rolesById(tx, rolesIn(reasons)),
    fieldOf: (id) => definition.fieldById.get(id) ?? workflow?.fieldById.get(id),
  });
  return asked.map(({ key, transition, permitted, reason }) => {
    const screen = workflow?.screenById.get(transition.screenId ?? 0)?.name;
    return {
      key,
      name: transition.name,
      from: stateKeys.get(transition.fromStateId)!,
      to: stateKeys.get(transition.toStateId)!,
      ...(screen !== undefined && { screen }),
      permitted,
      text: sentence(presenter.present(reason).text ?? ''),
    };
  });
}
