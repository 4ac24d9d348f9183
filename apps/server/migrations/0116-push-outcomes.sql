-- What became of a notification at the browsers of its person. NULL: nothing that has ended.
ALTER TABLE notifications ADD COLUMN push_state text, ADD COLUMN push_reason text, ADD COLUMN push_at timestamptz;
-- Finds the messages of a notification that wait.
CREATE INDEX push_messages__notification ON push_messages (tenant_id, notification_id);
