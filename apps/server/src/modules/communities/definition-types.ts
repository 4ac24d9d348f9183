/**
 * Definitions of communities, as the rest of the server sees them. Immutable: a definition never
 * changes once it is returned; a newer version of the tenant's definitions has new objects.
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

/** A value of a field with its own list (no catalog). */
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
  /** Whether the value can no longer be chosen; posts that hold it keep it. */
  readonly deleted: boolean;
}

/** A rule for the values of a field. `validationRules` of the contract describes each type. */
export interface FieldValidation {
  readonly id: number;
  readonly typeId: ValidationType;
  readonly parameter: string | null;
  readonly position: number;
}

/** A field of posts or of workflow screens. A definition contains no deleted fields. */
export interface FieldDefinition {
  readonly id: number;
  /** Location of the values: `custom_data` (post) or `screen_data` (screen). */
  readonly owner: 'post' | 'screen';
  readonly type: FieldType;
  readonly label: string;
  /** The label in other languages, by language code. */
  readonly translations: Readonly<Record<string, string>>;
  /** Name of the form section that contains the field. */
  readonly section: string | null;
  /** The name of the section in other languages, by language code. */
  readonly sectionTranslations: Readonly<Record<string, string>>;
  /** Default value of forms; see `usableDefaults`. */
  readonly defaultValue: StoredValue | null;
  /** Rich text: delta as a bare array in JSON text. */
  readonly description: string | null;
  readonly externalId: string | null;
  /**
   * In hierarchical fields: the field of the same owner whose value decides which values can be
   * chosen.
   */
  readonly parentId: number | null;
  /**
   * Catalog of the values of an enumerated field; null: the field has its own {@link enumValues}.
   */
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
  /** Text to text; the contract lists the keys (`fieldTypes`). */
  readonly metadata: Readonly<Record<string, string>>;
  /** The field's own values in order, deleted ones included; empty for fields on a catalog and for other types. */
  readonly enumValues: readonly EnumValue[];
  readonly enumValueById: ReadonlyMap<number, EnumValue>;
  readonly validations: readonly FieldValidation[];
  /**
   * Conditions on fields of the same form. Forms show the field, and demand a value where it is
   * required, while all of them hold.
   */
  readonly conditions: readonly FieldCondition[];
  /** Weakest roles that see the field, together with stronger roles; empty: everybody. */
  readonly visibleRoles: readonly OpenToRole[];
}

/** Common properties of states and transitions. */
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
  /** Screen that can be edited while a post is in this state. */
  readonly screenId: number | null;
  /**
   * Access to the screen: these roles and stronger roles, members of these groups, the creator of
   * the post.
   */
  readonly editRoles: readonly OpenToRole[];
  readonly editGroupIds: readonly number[];
  readonly editByAuthor: boolean;
  /** Fields of people: the people in them may edit the screen too. */
  readonly editFieldIds: readonly number[];
}

/** Access to a transition or to the screen of a state: any of these suffices. */
export interface WorkflowAccess {
  /** These roles in the community and stronger roles. */
  readonly roles: readonly OpenToRole[];
  readonly groupIds: readonly number[];
  /** Whether the creator of the post has access. */
  readonly byAuthor: boolean;
  /** Fields of people: the people in them have access. */
  readonly fieldIds: readonly number[];
}

/** A transition with the access to it. */
export interface WorkflowTransition extends WorkflowElement, WorkflowAccess {
  readonly fromStateId: number;
  readonly toStateId: number;
  /** Form that the transition asks for. */
  readonly screenId: number | null;
  /** Conditions under which a post offers the transition: all must hold. */
  readonly conditions: readonly FieldCondition[];
  /** Values that the transition sets in fields of screens. */
  readonly sets: readonly TransitionValue[];
}

/**
 * A value that a transition sets: a given value (none empties the field), the time of the step, or
 * the account that runs it.
 */
export interface TransitionValue {
  readonly fieldId: number;
  readonly source: 'value' | 'now' | 'actor';
  readonly value?: StoredValue;
}

export interface ScreenField {
  readonly fieldId: number;
  /**
   * Required on this screen. On screens the field's own `required` does not count; its rules do.
   */
  readonly required: boolean;
}

export interface WorkflowScreen {
  readonly id: number;
  readonly name: string;
  readonly message: string | null;
  /** Fields in the order of the form, without deleted fields. */
  readonly fields: readonly ScreenField[];
}

/** A workflow; several communities may share it. */
export interface WorkflowDefinition {
  readonly id: number;
  readonly title: string;
  /** In order, deleted ones included. */
  readonly states: readonly WorkflowState[];
  /** In order, without deleted transitions. */
  readonly transitions: readonly WorkflowTransition[];
  readonly screens: readonly WorkflowScreen[];
  /** Fields of all screens, in order. */
  readonly fields: readonly FieldDefinition[];
  readonly stateById: ReadonlyMap<number, WorkflowState>;
  /** Deleted transitions included: history names them. */
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
  /** In preparation: only managers may write. */
  readonly draft: boolean;
  /** Role of plain members of the workspace; null: no role (docs/decisions/people.md). */
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
  /** Bytes; null: the limit of the server applies. */
  readonly attachmentMaxSize: number | null;
  readonly defaultVisibility: Visibility;
  /** Retention period of versions of posts, in days. */
  readonly versionRetentionDays: number;
}

/** A community itself: its name and its switches. */
export interface CommunityHead extends CommunitySettings {
  readonly id: number;
  /** Token; each change of the community or its definition raises it. */
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
  /** Time since which the community is read-only; null while it is in use. Epoch milliseconds. */
  readonly archivedAt: number | null;
}

/** Everything about a community that posts need, except hashtags: they change often. */
export interface CommunityDefinition {
  readonly id: number;
  readonly community: CommunityHead;
  /** Custom fields of posts, in the order of the form. */
  readonly fields: readonly FieldDefinition[];
  readonly fieldById: ReadonlyMap<number, FieldDefinition>;
  /**
   * Fields of posts and of screens that the actor does not see (`seenBy`): no other list of the
   * definition contains them. Empty in the whole definition.
   */
  readonly hidden: readonly FieldDefinition[];
  /** Null: posts have no workflow. */
  readonly workflow: WorkflowDefinition | null;
  readonly postViews: readonly PostViewDefinition[];
  /** Relations from this community to others, and from others to this one. */
  readonly relations: readonly CommunityRelationDefinition[];
  readonly inverseRelations: readonly CommunityRelationDefinition[];
}
