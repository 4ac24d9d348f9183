/**
 * CSV of a project of Asana. Its custom fields have columns of their own, which the mapping adds.
 * @param zone time zone, quoted
 */
export const asana = (zone: string): string => {
  const time = `optional: true, timezone: ${zone}`;
  return `
format: csv
externalId: Task ID
title: Name
body: { column: Notes, optional: true }
created: { column: Created At, ${time} }
modified: { column: Last Modified, ${time} }
state: { columns: [Section/Column, Section], pick: first, optional: true }
workflow: { title: Asana }
fields:
  assignee:
    columns: [Assignee Email, Assignee]
    pick: first
    optional: true
    type: GENERIC_ENTITY_LIST
    of: user
    label: Assignee
  start: { column: Start Date, type: DATE, label: Start date, ${time} }
  due: { column: Due Date, type: DATE, label: Due date, ${time} }
  completed: { column: Completed At, type: DATE, label: Completed, ${time} }
  tags: { column: Tags, split: ",", optional: true, type: ENUM_LIST, label: Tags }
  projects: { column: Projects, split: ",", optional: true, type: ENUM_LIST, label: Projects }
  parent: { columns: [Parent task, Parent Task], pick: first, optional: true, type: STRING, label: Parent task }
`;
};
