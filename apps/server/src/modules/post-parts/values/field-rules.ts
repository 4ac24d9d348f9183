/** The part of the definition of a custom field that writes depend on. */
import type { CommunityDefinition, FieldDefinition, FieldValidation } from '../../communities/index.ts';

export type { FieldValidation };

/** A field of a community's posts or of a workflow's screens. */
export type FieldRule = Pick<
  FieldDefinition,
  | 'id'
  | 'type'
  | 'label'
  | 'externalId'
  | 'parentId'
  | 'catalogId'
  | 'required'
  | 'readonly'
  | 'searchable'
  | 'sortable'
  | 'visibleInCreate'
  | 'visibleInEdit'
  | 'metadata'
  | 'validations'
  | 'conditions'
  | 'visibleRoles'
> & {
  readonly enumValues: readonly {
    readonly id: number;
    readonly parentIds: readonly number[];
    readonly deleted: boolean;
  }[];
};

/**
 * The fields that a post of a community may hold values of: its own and its workflow's screen
 * fields.
 */
export interface FieldRules {
  readonly post: readonly FieldRule[];
  readonly screen: readonly FieldRule[];
}

/** Returns all fields of a definition, also fields hidden from the actor: each has rows. */
export function fieldRules({ fields, hidden, workflow }: CommunityDefinition): FieldRules {
  const of = (owner: 'post' | 'screen') => hidden.filter((field) => field.owner === owner);
  return { post: [...fields, ...of('post')], screen: [...(workflow?.fields ?? []), ...of('screen')] };
}
