-- Who changed a community or its definition last, and when: a 409 for a stale token says so.
ALTER TABLE communities ADD COLUMN modifier_id bigint, ADD COLUMN modified_at timestamptz;
