/** Rows that make up the definition of a community. */

/** Members of a stored definition that are lists of rows. */
export type DefinitionList =
  | 'fields'
  | 'values'
  | 'validations'
  | 'states'
  | 'transitions'
  | 'screens'
  | 'screenFields'
  | 'views';

const ofForms = 'NOT f.deleted AND (f.community_id = c.id OR f.workflow_id = c.workflow_id)';

/** SQL of the rows `r` of the definition of the community `c`. */
export const definitionRows: Readonly<Record<DefinitionList, string>> = {
  fields: `fields r WHERE r.tenant_id = $1 AND NOT r.deleted
              AND (r.community_id = c.id OR r.workflow_id = c.workflow_id)`,
  values: `field_enum_values r JOIN fields f ON f.tenant_id = r.tenant_id AND f.id = r.field_id
              WHERE r.tenant_id = $1 AND ${ofForms}`,
  validations: `field_validations r JOIN fields f ON f.tenant_id = r.tenant_id AND f.id = r.field_id
              WHERE r.tenant_id = $1 AND ${ofForms}`,
  states: 'workflow_states r WHERE r.tenant_id = $1 AND r.workflow_id = c.workflow_id',
  transitions: 'workflow_transitions r WHERE r.tenant_id = $1 AND r.workflow_id = c.workflow_id',
  screens: 'workflow_screens r WHERE r.tenant_id = $1 AND r.workflow_id = c.workflow_id',
  screenFields: `workflow_screen_fields r JOIN workflow_screens s ON s.tenant_id = r.tenant_id AND s.id = r.screen_id
              WHERE r.tenant_id = $1 AND s.workflow_id = c.workflow_id`,
  views: 'post_views r WHERE r.tenant_id = $1 AND r.community_id = c.id',
};
