/**
 * CSV of Jira with all fields. Older versions and Jira Cloud name some columns differently. Wiki
 * markup is not converted.
 * @param zone time zone, quoted
 */
export const jira = (zone: string): string => {
  const time = `date: [D/MMM/YY h:mm A, D/MMM/YY H:mm, D/MMM/YY, auto], timezone: ${zone}`;
  const choice = (label: string, columns: string) =>
    `{ columns: [${columns}], pick: first, optional: true, type: ENUM, label: ${label} }`;
  const choices = (label: string, column: string) =>
    `{ repeated: ${column}, optional: true, type: ENUM_LIST, label: ${label} }`;
  return `
format: csv
externalId: { columns: [Issue key, Key], pick: first }
title: Summary
body: { column: Description, optional: true }
author: { columns: [Reporter, Creator], pick: first, optional: true }
created: { column: Created, optional: true, ${time} }
modified: { column: Updated, optional: true, ${time} }
state: { column: Status, optional: true }
workflow: { title: Jira }
watchers: { repeated: Watchers, optional: true }
fields:
  issueType: ${choice('Issue type', 'Issue Type, Issue type')}
  priority: ${choice('Priority', 'Priority')}
  resolution: ${choice('Resolution', 'Resolution')}
  project: ${choice('Project', 'Project name, Project key, Project')}
  assignee: { column: Assignee, optional: true, type: GENERIC_ENTITY_LIST, of: user, label: Assignee }
  labels: ${choices('Labels', 'Labels')}
  components: ${choices('Components', 'Component/s')}
  fixVersions: ${choices('Fix versions', 'Fix Version/s')}
  affectedVersions: ${choices('Affected versions', 'Affects Version/s')}
  sprints: ${choices('Sprints', 'Sprint')}
  storyPoints:
    columns: [Custom field (Story Points), Custom field (Story point estimate), Story Points]
    pick: first
    optional: true
    type: DECIMAL
    digits: 2
    label: Story points
  due: { columns: [Due Date, Due date], pick: first, optional: true, type: DATE, label: Due, ${time} }
  resolved: { column: Resolved, optional: true, type: DATETIME, label: Resolved, ${time} }
  environment: { column: Environment, optional: true, type: TEXT_AREA, label: Environment }
comments:
  repeated: Comment
  parts: [at, author, text]
  text: { item: text }
  author: { item: author }
  at: { item: at, ${time} }
`;
};
