-- Indexes of the lists of tasks: by assignee, creator and watcher, by post, and the open tasks by expiration.
-- Tasks without an expiration come last: the day stands for none (tasks.repository.ts, task-filters.ts).
CREATE INDEX tasks__due ON tasks (tenant_id, coalesce(expires_at, '9999-12-31 00:00:00+00'::timestamptz), id)
  WHERE deleted_at IS NULL AND state <> 3;
CREATE INDEX tasks__assignee ON tasks (tenant_id, assignee, id) WHERE deleted_at IS NULL;
CREATE INDEX tasks__creator ON tasks (tenant_id, creator_id, id) WHERE deleted_at IS NULL;
CREATE INDEX task_watchers__principal ON task_watchers (tenant_id, principal, task_id);
CREATE INDEX posts__with_tasks ON posts (tenant_id, community_id, id) WHERE tasks_count > 0;
