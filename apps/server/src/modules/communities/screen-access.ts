import type { WorkflowAccess, WorkflowState } from './definition-types.ts';

/** Returns the access to the screen of a state. */
export const screenAccess = ({
  editRoles,
  editGroupIds,
  editByAuthor,
  editFieldIds,
}: WorkflowState): WorkflowAccess => ({
  roles: editRoles,
  groupIds: editGroupIds,
  byAuthor: editByAuthor,
  fieldIds: editFieldIds,
});
