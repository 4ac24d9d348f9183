/** Why a principal sees a private post (post_grants.source). A grant's source id names the task or the field. */
export const GrantSource = {
  CREATOR: 1,
  WATCHER: 2,
  /** Assignee of a task; the source id is the task's. */
  ASSIGNEE: 3,
  INVITED: 4,
  /** Held in a field that extends visibility; the source id is the field's. */
  FIELD: 5,
} as const;
export type GrantSource = (typeof GrantSource)[keyof typeof GrantSource];
