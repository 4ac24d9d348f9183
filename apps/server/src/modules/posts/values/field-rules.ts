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

/** The fields of a definition. */
export function fieldRules(definition: CommunityDefinition): FieldRules {
  return { post: definition.fields, screen: definition.workflow?.fields ?? [] };
}
