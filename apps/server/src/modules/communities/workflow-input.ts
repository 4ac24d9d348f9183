/** What a workflow is made from. */
import type { OpenToRole } from '../../kernel/scope.ts';
import type { FieldCondition } from '../fields/index.ts';
import type { NewField } from './definition-input.ts';
import type { TransitionValue } from './definition-types.ts';
import type { AddedField } from './field-rows.ts';

/** Whom a transition or an editable screen is open to: any of these suffices. */
export interface OpenTo {
  /** These roles in the community and stronger ones. */
  roles?: readonly OpenToRole[];
  groupIds?: readonly number[];
  /** The creator of the post. */
  byAuthor?: boolean;
  /** Whoever the post holds in these fields. */
  fieldIds?: readonly number[];
}

export interface NewState {
  name: string;
  description?: string;
  /** `#rrggbb`. */
  color?: string;
  /** Posts can begin here. */
  initial?: boolean;
  /** Work on a post ends here. */
  terminal?: boolean;
  externalId?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Name of the screen that can be edited in this state, and by whom. */
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
  /** Name of the screen that running it asks for. */
  screen?: string;
  /** Default: contributors and managers. */
  run?: OpenTo;
  conditions?: readonly FieldCondition[];
  sets?: readonly TransitionValue[];
}

export interface NewScreen {
  name: string;
  message?: string;
  /** Screen fields by label, or by id where they exist; in the order of the form. */
  fields: readonly { label: string; fieldId?: number; required?: boolean }[];
}

/** A screen field; `parent` is the label of the field above it, one of those before it. */
export type NewScreenField = Omit<NewField, 'parentId'> & { parent?: string };

/** A workflow; names of states and screens and labels of fields tell its parts apart, so each is unique within it. */
export interface NewWorkflow {
  title: string;
  /** In order. One at least is initial. */
  states: readonly NewState[];
  transitions?: readonly NewTransition[];
  screens?: readonly NewScreen[];
  screenFields?: readonly NewScreenField[];
}

/** Ids of the parts of a workflow that was made. */
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
