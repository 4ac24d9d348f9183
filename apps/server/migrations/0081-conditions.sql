-- Conditions on the values of fields: of fields (when forms show them) and of transitions (when posts offer them).
-- A condition is {fieldId, operator, values}; see modules/fields/conditions.ts.
ALTER TABLE fields ADD COLUMN conditions jsonb NOT NULL DEFAULT '[]';
-- sets: {fieldId, source, value}: values that running the transition sets. field_ids: whoever the post holds in these
-- fields may run it.
ALTER TABLE workflow_transitions
  ADD COLUMN conditions jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN sets jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN field_ids bigint[] NOT NULL DEFAULT '{}';
ALTER TABLE workflow_states ADD COLUMN edit_field_ids bigint[] NOT NULL DEFAULT '{}';
