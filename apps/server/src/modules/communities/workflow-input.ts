/** Input from which a workflow is created. */
import type { OpenToRole } from '../../kernel/scope.ts';
import type { FieldCondition } from '../fields/index.ts';
import type { NewField } from './definition-input.ts';
import type { TransitionValue } from './definition-types.ts';
import type { AddedField } from './field-rows.ts';

/** Access to a transition or an editable screen: any of these suffices. */
export interface OpenTo {
  /** These roles in the community and stronger roles. */
  roles?: readonly OpenToRole[];
  groupIds?: readonly number[];
  /** Whether the creator of the post has access. */
  byAuthor?: boolean;
  /** Fields of people: the people in them have access. */
  fieldIds?: readonly number[];
}

export interface NewState {
  name: string;
  description?: string;
  /** `#rrggbb`. */
  color?: string;
  /** Whether posts can begin here. */
  initial?: boolean;
  /** Whether work on a post ends here. */
  terminal?: boolean;
  externalId?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Name of the screen that can be edited in this state, and the access to it. */
  screen?: string;
  edit?: OpenTo;
}

export interface NewTransition {
  name: string;
  /** Names of states. */
  from: string;
  to: string;
  externalId?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Name of the screen that the transition asks for. */
  screen?: string;
  /** Default: contributors and managers. */
  run?: OpenTo;
  conditions?: readonly FieldCondition[];
  sets?: readonly TransitionValue[];
}

export interface NewScreen {
  name: string;
  message?: string;
  /** Screen fields by label, or by id if they exist; in the order of the form. */
  fields: readonly { label: string; fieldId?: number; required?: boolean }[];
}

/** A screen field; `parent` is the label of an earlier field. */
export type NewScreenField = Omit<NewField, 'parentId'> & { parent?: string };

/**
 * A workflow. Names of states and screens and labels of fields identify its parts, so each is
 * unique within it.
 */
export interface NewWorkflow {
  title: string;
  /** In order. At least one state is initial. */
  states: readonly NewState[];
  transitions?: readonly NewTransition[];
  screens?: readonly NewScreen[];
  screenFields?: readonly NewScreenField[];
}

/** Ids of the parts of a created workflow. */
export interface MadeWorkflow {
  id: number;
  /** By name. */
  states: Map<string, number>;
  screens: Map<string, number>;
  /** By label. */
  fields: Map<string, AddedField>;
  /** In the order of `transitions`. */
  transitionIds: number[];
}
