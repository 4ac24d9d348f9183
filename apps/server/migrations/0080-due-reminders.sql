-- When a reminder is due, and when it was sent. NULL on reminders of earlier versions, which are not sent.
ALTER TABLE task_reminders ADD COLUMN due_at timestamptz, ADD COLUMN sent_at timestamptz;
CREATE INDEX task_reminders__due ON task_reminders (tenant_id, due_at, id) WHERE due_at IS NOT NULL AND sent_at IS NULL;
