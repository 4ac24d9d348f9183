/**
 * What administrators define about a community, as the rest of the server sees it. Immutable: a definition that was
 * handed out never changes; a newer version of the tenant's definitions brings new objects.
 */
import type {
  FieldType,
  PartUse,
  PostViewScenario,
  RelationCardinality,
  ValidationType,
  Visibility,
} from '@portico/contract';
import type { CommunityRole, OpenToRole } from '../../kernel/scope.ts';
import type { FieldCondition, StoredValue } from '../fields/index.ts';

/** A value of a field that keeps its own list (no catalog). */
export interface EnumValue {
  readonly id: number;
  readonly label: string;
  /** The label in other languages, by language code. */
  readonly translations: Readonly<Record<string, string>>;
  /** {@link sortKey} of the label. */
  readonly labelKey: string;
  readonly externalId: string | null;
  /** In hierarchical fields: values of the parent field to which this one belongs. */
  readonly parentIds: readonly number[];
  /** Can no longer be chosen; posts that hold it keep it. */
  readonly deleted: boolean;
}

/** A rule that values of a field must keep; `validationRules` of the contract says what each type means. */
export interface FieldValidation {
  readonly id: number;
  readonly typeId: ValidationType;
  readonly parameter: string | null;
  readonly position: number;
}

/** A field of posts or of workflow screens. Deleted fields are not part of a definition. */
export interface FieldDefinition {
  readonly id: number;
  /** Whether values are stored in `custom_data` (post) or in `screen_data` (screen). */
  readonly owner: 'post' | 'screen';
  readonly type: FieldType;
  readonly label: string;
  /** The label in other languages, by language code. */
  readonly translations: Readonly<Record<string, string>>;
  /** Name of the section of the form that holds it. */
  readonly section: string | null;
  /** The name of the section in other languages, by language code. */
  readonly sectionTranslations: Readonly<Record<string, string>>;
  /** The value that forms begin with; see `usableDefaults`. */
  readonly defaultValue: StoredValue | null;
  /** Rich text: delta as a bare array in JSON text. */
  readonly description: string | null;
  readonly externalId: string | null;
  /** In hierarchical fields: the field of the same owner whose value decides which values can be chosen. */
  readonly parentId: number | null;
  /** Where an enumerated field takes its values from; null: from {@link enumValues}. */
  readonly catalogId: number | null;
  readonly position: number;
  readonly required: boolean;
  readonly readonly: boolean;
  readonly searchable: boolean;
  readonly sortable: boolean;
  readonly visibleInPreview: boolean;
  readonly visibleInDetail: boolean;
  readonly visibleInCreate: boolean;
  readonly visibleInEdit: boolean;
  /** Text to text; the contract says which keys there are (`fieldTypes`). */
  readonly metadata: Readonly<Record<string, string>>;
  /** The field's own values in order, deleted ones included; empty for fields on a catalog and for other types. */
  readonly enumValues: readonly EnumValue[];
  readonly enumValueById: ReadonlyMap<number, EnumValue>;
  readonly validations: readonly FieldValidation[];
  /** Forms show the field, and demand a value where it is required, while all of these hold; they name fields of the same form. */
  readonly conditions: readonly FieldCondition[];
  /** These roles and stronger ones see the field; empty: everybody. */
  readonly visibleRoles: readonly OpenToRole[];
}

/** What states and transitions have in common. */
interface WorkflowElement {
  readonly id: number;
  readonly name: string;
  readonly externalId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly deleted: boolean;
  readonly position: number;
}

export interface WorkflowState extends WorkflowElement {
  readonly description: string | null;
  /** `#rrggbb`. */
  readonly color: string | null;
  readonly initial: boolean;
  readonly terminal: boolean;
  /** The screen that can be edited while a post is in this state. */
  readonly screenId: number | null;
  /** Who may edit that screen: these roles and stronger ones, members of these groups, the creator of the post. */
  readonly editRoles: readonly OpenToRole[];
  readonly editGroupIds: readonly number[];
  readonly editByAuthor: boolean;
  /** Whoever the post holds in these fields, too. */
  readonly editFieldIds: readonly number[];
}

/** Whom a transition or the screen of a state is open to: any of these suffices. */
export interface WorkflowAccess {
  /** These roles in the community and stronger ones. */
  readonly roles: readonly OpenToRole[];
  readonly groupIds: readonly number[];
  /** The creator of the post. */
  readonly byAuthor: boolean;
  /** Whoever the post holds in these fields. */
  readonly fieldIds: readonly number[];
}

/** A transition, with who may run it. */
export interface WorkflowTransition extends WorkflowElement, WorkflowAccess {
  readonly fromStateId: number;
  readonly toStateId: number;
  /** The form that running it asks for. */
  readonly screenId: number | null;
  /** A post offers it while all of these hold. */
  readonly conditions: readonly FieldCondition[];
  /** What running it sets in fields of screens. */
  readonly sets: readonly TransitionValue[];
}

/** A value that a transition sets: a given one (none empties the field), the moment of the step, or who runs it. */
export interface TransitionValue {
  readonly fieldId: number;
  readonly source: 'value' | 'now' | 'actor';
  readonly value?: StoredValue;
}

export interface ScreenField {
  readonly fieldId: number;
  /** Required on this screen; the field's own `required` does not count on screens, its rules do. */
  readonly required: boolean;
}

export interface WorkflowScreen {
  readonly id: number;
  readonly name: string;
  readonly message: string | null;
  /** In the order of the form; fields that were deleted are not among them. */
  readonly fields: readonly ScreenField[];
}

/** A workflow; several communities may share one. */
export interface WorkflowDefinition {
  readonly id: number;
  readonly title: string;
  /** In order, deleted ones included. */
  readonly states: readonly WorkflowState[];
  /** In order, without deleted ones. */
  readonly transitions: readonly WorkflowTransition[];
  readonly screens: readonly WorkflowScreen[];
  /** Fields of all screens, in order. */
  readonly fields: readonly FieldDefinition[];
  readonly stateById: ReadonlyMap<number, WorkflowState>;
  /** Deleted ones included: history names them. */
  readonly transitionById: ReadonlyMap<number, WorkflowTransition>;
  readonly screenById: ReadonlyMap<number, WorkflowScreen>;
  readonly fieldById: ReadonlyMap<number, FieldDefinition>;
}

/** A view of posts. */
export interface PostViewDefinition {
  readonly id: number;
  readonly name: string;
  readonly titleEnabled: boolean;
  readonly customIdEnabled: boolean;
  readonly descriptionEnabled: boolean;
  readonly currentWorkflowStateEnabled: boolean;
  /** PostViewScenario codes of the contract. */
  readonly scenarios: readonly PostViewScenario[];
  readonly fieldIds: readonly number[];
}

/** A relation between the posts of two communities. */
export interface CommunityRelationDefinition {
  readonly id: number;
  readonly name: string;
  readonly itemName: string | null;
  readonly cardinality: RelationCardinality | null;
  readonly viewId: number | null;
  /** The view that `viewId` names; it may belong to the target community. */
  readonly view: PostViewDefinition | null;
  readonly sourceCommunityId: number;
  readonly targetCommunityId: number;
  readonly required: boolean;
}

/** Switches of a community (columns of table `communities`). */
export interface CommunitySettings {
  /** Being prepared: only managers may write. */
  readonly draft: boolean;
  /** Role that plain membership of the workspace gives; null gives none (docs/decisions/people.md). */
  readonly workspaceMemberRole: CommunityRole | null;
  readonly commentsHiddenFromReaders: boolean;
  readonly titleEnabled: PartUse;
  readonly descriptionEnabled: PartUse;
  readonly watchersEnabled: PartUse;
  readonly watchersVisibleInPreview: boolean;
  readonly manualAuthorEnabled: boolean;
  readonly hashtagEnabled: boolean;
  readonly attachmentEnabled: boolean;
  readonly likeEnabled: boolean;
  readonly offlineEnabled: boolean;
  readonly customFieldsEnabled: boolean;
  readonly acknowledgeTaskEnabled: boolean;
  readonly eventsEnabled: boolean;
  /** Authors may choose the initial state (`workflowInitStateId`). */
  readonly initStateChoiceEnabled: boolean;
  /** Bytes; null leaves the server's limit. */
  readonly attachmentMaxSize: number | null;
  readonly defaultVisibility: Visibility;
  /** How long versions of posts are kept. Days. */
  readonly versionRetentionDays: number;
}

/** A community itself: what it is called and its switches. */
export interface CommunityHead extends CommunitySettings {
  readonly id: number;
  /** Raised with each change of the community or its definition. */
  readonly etag: number;
  readonly workspaceId: number;
  readonly name: string;
  readonly description: string | null;
  /** `#rrggbb`. */
  readonly colorCode: string | null;
  readonly coverContentRef: string | null;
  readonly externalId: string | null;
  readonly creatorId: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Since when it can only be read; null while it is in use. Epoch milliseconds. */
  readonly archivedAt: number | null;
}

/** Everything about a community that posts need. Hashtags are not included: they change often. */
export interface CommunityDefinition {
  readonly id: number;
  readonly community: CommunityHead;
  /** Custom fields of posts, in the order of the form. */
  readonly fields: readonly FieldDefinition[];
  readonly fieldById: ReadonlyMap<number, FieldDefinition>;
  /**
   * Fields of posts and of screens that the actor does not see (`seenBy`): they are in no other list of the definition. Empty in
   * the whole definition.
   */
  readonly hidden: readonly FieldDefinition[];
  /** null: posts have no workflow. */
  readonly workflow: WorkflowDefinition | null;
  readonly postViews: readonly PostViewDefinition[];
  /** Relations from this community to others, and from others to this one. */
  readonly relations: readonly CommunityRelationDefinition[];
  readonly inverseRelations: readonly CommunityRelationDefinition[];
}
