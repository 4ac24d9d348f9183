-- Notifications of tasks that are due have no event of the history. due_at: when the task is due; overdue: whether that had passed.
ALTER TABLE notifications ALTER COLUMN event_id DROP NOT NULL, ALTER COLUMN type_id DROP NOT NULL,
  ADD COLUMN due_at timestamptz, ADD COLUMN overdue boolean;
-- A person is told once of each date, before and after it.
CREATE UNIQUE INDEX notifications__due ON notifications (tenant_id, user_id, task_id, due_at, overdue) WHERE due_at IS NOT NULL;
