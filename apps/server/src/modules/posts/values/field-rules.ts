/** What writing needs to know about a custom field: the part of its definition that values depend on. */
import type { CommunityDefinition, FieldDefinition, FieldValidation } from '../../communities/index.ts';

export type { FieldValidation };

/** One field of a community's posts or of a workflow's screens. */
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

/** The fields whose values a post of a community may hold: its own and those of its workflow's screens. */
export interface FieldRules {
  readonly post: readonly FieldRule[];
  readonly screen: readonly FieldRule[];
}

/** All fields of a definition, also those that the actor does not see: rows are kept of each. */
export function fieldRules({ fields, hidden, workflow }: CommunityDefinition): FieldRules {
  const of = (owner: 'post' | 'screen') => hidden.filter((field) => field.owner === owner);
  return { post: [...fields, ...of('post')], screen: [...(workflow?.fields ?? []), ...of('screen')] };
}
