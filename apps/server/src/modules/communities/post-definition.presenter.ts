/**
 * Definition → wire. Keys without a value are omitted; `enumValues` is empty for fields without a
 * list of values. A field on a small catalog (at most 500 entries) shows the entries as its values,
 * with deleted ones marked. A field on a larger catalog is `paged` and shows none:
 * listPostDefinitionCatalogEntries returns the entries, and the metadata names its path.
 */
import {
  type GetPostDefinitionResponse,
  type Hashtag,
  type PostFieldConfigEnumValue,
  type PostFieldDefinition,
  type PostFieldValidation,
  type PostView,
  type PostWorkflowDefinition,
  type PostWorkflowDefinitionScreenField,
  type PostWorkflowDefinitionState,
  type PostWorkflowDefinitionTransition,
  ValidationType,
  type WorkflowDefinitionScreen,
} from '@portico/contract';
import { isChoice } from '../fields/index.ts';
import { type Catalog, textIn, translationsOf } from './catalogs/catalog-types.ts';
import type { HashtagRow } from './communities.repository.ts';
import type { UsableDefault } from './default-values.ts';
import type {
  CommunityDefinition,
  FieldDefinition,
  PostViewDefinition,
  WorkflowDefinition,
  WorkflowScreen,
  WorkflowState,
  WorkflowTransition,
} from './definition-types.ts';
import { isDemanded, isDemandedOnScreen, isRequired, isRequiredOnScreen, metadataOf } from './field-facts.ts';
import { presentConditions } from './read-conditions.ts';

/** Data needed to present a definition; see `loadPresentation`. */
export interface Presentation {
  /** The catalogs of the definition's fields. */
  readonly catalogs: ReadonlyMap<number, Catalog>;
  /** Defaults that can be written, by field. */
  readonly defaults: ReadonlyMap<number, UsableDefault>;
  /** The tenant's language. */
  readonly language: string;
}

/** Returns texts by language; undefined without texts. */
const textsIn = (texts: Readonly<Record<string, string>>) =>
  Object.keys(texts).length === 0 ? undefined : { ...texts };

/**
 * Returns the values of a field, deleted ones included. Clients expect `externalId` on each, empty
 * or not.
 */
function presentEnumValues(field: FieldDefinition, presentation: Presentation): PostFieldConfigEnumValue[] {
  if (!isChoice(field)) return [];
  if (field.catalogId === null) {
    return field.enumValues.map(({ id, label, translations, externalId, parentIds, deleted }) => ({
      id,
      label,
      externalId: externalId ?? '',
      parentIds: [...parentIds],
      deleted,
      translations: textsIn(translations),
    }));
  }
  return (presentation.catalogs.get(field.catalogId)?.entries ?? []).map((entry) => ({
    id: entry.id,
    label: textIn(entry.label, presentation.language),
    externalId: entry.externalId ?? '',
    parentIds: [...entry.parentIds],
    deleted: entry.deleted,
    translations: textsIn(translationsOf(entry.label, presentation.language)),
  }));
}

function presentMetadata(field: FieldDefinition, { catalogs }: Presentation): Record<string, string> {
  return metadataOf(field, field.catalogId === null ? undefined : catalogs.get(field.catalogId));
}

/**
 * Returns the rules of a field. A field that is demanded under a condition shows rule 1, even if
 * only `required` demands it: then with the negated id of rule 10, because no such rule is stored
 * (docs/decisions/values.md).
 * @param demanded whether a form that shows the field must hold a value of it
 */
function presentValidations(field: FieldDefinition, demanded: boolean): PostFieldValidation[] {
  const condition = field.validations.find(({ typeId }) => typeId === ValidationType.CONDITIONAL);
  const isTold = field.validations.some(({ typeId }) => typeId === ValidationType.REQUIRED);
  const implied =
    demanded && condition && !isTold ? [{ id: -condition.id, typeId: ValidationType.REQUIRED, parameter: null }] : [];
  return [...implied, ...field.validations].map(({ id, typeId, parameter }, order) => ({
    id,
    fieldId: field.id,
    validationTypeId: typeId,
    parameter,
    order,
  }));
}

function presentField(field: FieldDefinition, presentation: Presentation): PostFieldDefinition {
  return {
    id: field.id,
    name: `column_${field.id}`,
    label: field.label,
    description: field.description ?? undefined,
    type: field.type,
    parentId: field.parentId ?? undefined,
    required: isRequired(field),
    readonly: field.readonly,
    searchable: field.searchable,
    sortable: field.sortable,
    visibleInPreview: field.visibleInPreview,
    visibleInDetail: field.visibleInDetail,
    visibleInCreate: field.visibleInCreate,
    visibleInEdit: field.visibleInEdit,
    externalId: field.externalId ?? undefined,
    enumValues: presentEnumValues(field, presentation),
    metadata: presentMetadata(field, presentation),
    validations: presentValidations(field, isDemanded(field) && !field.readonly),
    ...conditionsOf(field),
    ...additionsOf(field, presentation),
  };
}

/** Returns the properties that Portico adds to every description of a field, without unset ones. */
function additionsOf({ id, translations, section, sectionTranslations }: FieldDefinition, { defaults }: Presentation) {
  const usable = defaults.get(id);
  return {
    translations: textsIn(translations),
    section: section ?? undefined,
    sectionTranslations: textsIn(sectionTranslations),
    ...(usable && { defaultValue: usable.value }),
  };
}

/** `conditions` of a field with conditions. */
function conditionsOf({ conditions }: FieldDefinition) {
  return conditions.length === 0 ? {} : { conditions: presentConditions(conditions) };
}

function presentScreenField(field: FieldDefinition, presentation: Presentation): PostWorkflowDefinitionScreenField {
  return {
    id: field.id,
    label: field.label,
    type: field.type,
    parentId: field.parentId ?? undefined,
    readonly: field.readonly,
    searchable: field.searchable,
    sortable: field.sortable,
    visibleInDetail: field.visibleInDetail,
    visibleInEdit: field.visibleInEdit,
    externalId: field.externalId ?? undefined,
    enumValues: presentEnumValues(field, presentation),
    metadata: presentMetadata(field, presentation),
    ...additionsOf(field, presentation),
  };
}

/**
 * Presents a state; `metadata` also carries its colour and description, as `color` and
 * `description`.
 */
export function presentState(state: WorkflowState): PostWorkflowDefinitionState {
  return {
    id: state.id,
    initState: state.initial,
    name: state.name,
    metadata: {
      ...(state.color !== null && { color: state.color }),
      ...(state.description !== null && { description: state.description }),
      ...state.metadata,
    },
    terminal: state.terminal,
    deleted: state.deleted,
    externalId: state.externalId ?? undefined,
  };
}

export function presentScreen(
  screen: WorkflowScreen,
  workflow: WorkflowDefinition,
  presentation: Presentation,
): WorkflowDefinitionScreen {
  return {
    id: screen.id,
    name: screen.name,
    message: screen.message ?? undefined,
    fieldMetadatas: screen.fields.map((onScreen) => {
      const field = workflow.fieldById.get(onScreen.fieldId)!;
      return {
        id: field.id,
        label: field.label,
        type: field.type,
        searchable: field.searchable,
        sortable: field.sortable,
        enumValues: presentEnumValues(field, presentation),
        metadata: presentMetadata(field, presentation),
        required: isRequiredOnScreen(field, onScreen),
        validations: presentValidations(field, isDemandedOnScreen(field, onScreen)),
        ...conditionsOf(field),
        ...additionsOf(field, presentation),
      };
    }),
  };
}

/** Presents a transition with its states and, when it asks for one, its screen. */
export function presentTransition(
  transition: WorkflowTransition,
  workflow: WorkflowDefinition,
  presentation: Presentation,
): PostWorkflowDefinitionTransition {
  const from = workflow.stateById.get(transition.fromStateId);
  const to = workflow.stateById.get(transition.toStateId);
  const screen = transition.screenId === null ? undefined : workflow.screenById.get(transition.screenId);
  return {
    id: transition.id,
    fromState: from ? presentState(from) : undefined,
    toState: to ? presentState(to) : undefined,
    name: transition.name,
    metadata: { ...transition.metadata },
    screen: screen ? presentScreen(screen, workflow, presentation) : undefined,
    externalId: transition.externalId ?? undefined,
  };
}

function presentWorkflow(workflow: WorkflowDefinition | null, presentation: Presentation): PostWorkflowDefinition {
  if (!workflow) return { states: [], transitions: [], screenFieldMetadatas: [], empty: true };
  return {
    id: workflow.id,
    title: workflow.title,
    states: workflow.states.map(presentState),
    transitions: workflow.transitions.map((transition) => presentTransition(transition, workflow, presentation)),
    screenFieldMetadatas: workflow.fields.map((field) => presentScreenField(field, presentation)),
    empty: false,
  };
}

export function presentPostView(view: PostViewDefinition): PostView {
  return {
    id: view.id,
    name: view.name,
    titleEnabled: view.titleEnabled,
    customIdEnabled: view.customIdEnabled,
    descriptionEnabled: view.descriptionEnabled,
    currentWorkflowStateEnabled: view.currentWorkflowStateEnabled,
    scenarios: [...view.scenarios],
    postFieldIds: [...view.fieldIds],
  };
}

export function presentHashtag(row: Pick<HashtagRow, 'id' | 'name' | 'externalId' | 'deleted'>): Hashtag {
  return { id: row.id, name: row.name, externalId: row.externalId ?? undefined, deleted: row.deleted };
}

/**
 * Presents the definition without the parts that need other communities: the reader adds relations.
 */
export function presentPostDefinition(
  definition: CommunityDefinition,
  hashtags: readonly HashtagRow[],
  presentation: Presentation,
): GetPostDefinitionResponse {
  const { community } = definition;
  return {
    communityId: community.id,
    workflowDefinition: presentWorkflow(definition.workflow, presentation),
    titleEnabled: community.titleEnabled,
    descriptionEnabled: community.descriptionEnabled,
    watchersEnabled: community.watchersEnabled,
    watchersVisibleInPreview: community.watchersVisibleInPreview,
    manualAuthorEnabled: community.manualAuthorEnabled,
    hashTagEnabled: community.hashtagEnabled,
    attachmentEnabled: community.attachmentEnabled,
    likeEnabled: community.likeEnabled,
    offlineEnabled: community.offlineEnabled,
    customFieldsEnabled: community.customFieldsEnabled,
    attachmentMaxSize: community.attachmentMaxSize ?? undefined,
    fieldDefinitions: definition.fields.map((field) => presentField(field, presentation)),
    hashtags: hashtags.map(presentHashtag),
    defaultPostVisibility: community.defaultVisibility,
    postViews: definition.postViews.map(presentPostView),
    acknowledgeTaskEnabled: community.acknowledgeTaskEnabled,
  };
}
