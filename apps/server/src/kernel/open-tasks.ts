import { TaskState, TaskType } from '@portico/contract';

/**
 * SQL of a boolean: the task `t` is open and assigned to a person, and another one could take it over. Requests to acknowledge
 * a post concern the person alone.
 * @param assignee SQL of the person's id
 */
export function openTaskSql(assignee: string): string {
  return `t.assignee = ${assignee} AND t.deleted_at IS NULL AND t.state <> ${TaskState.CLOSED} AND t.type <> ${TaskType.ACKNOWLEDGE}`;
}
