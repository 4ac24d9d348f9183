/**
 * Issues of GitHub, from its API or from "gh issue list --json". Pull requests are among them and
 * have a link.
 * @param zone time zone, quoted
 */
export const githubIssues = (zone: string): string => {
  const one = (...columns: string[]) => `columns: [${columns.join(', ')}], pick: first, optional: true`;
  return `
format: json
externalId: { columns: [id, url], pick: first, prefix: github- }
title: title
body: { column: body, format: markdown }
author: { ${one('user.login', 'author.login')} }
created: { ${one('created_at', 'createdAt')}, timezone: ${zone} }
modified: { ${one('updated_at', 'updatedAt')}, timezone: ${zone} }
state: { column: state, map: { OPEN: open, CLOSED: closed, MERGED: merged } }
workflow: { title: GitHub }
fields:
  number: { column: number, type: BIGINT, label: Number, sortable: true }
  repository: { ${one('repository.full_name', 'repository.nameWithOwner')}, type: ENUM, label: Repository }
  labels: { column: labels.name, optional: true, type: ENUM_LIST, label: Labels }
  assignees: { column: assignees.login, optional: true, type: GENERIC_ENTITY_LIST, of: user, label: Assignees }
  milestone: { column: milestone.title, optional: true, type: ENUM, label: Milestone }
  closed: { ${one('closed_at', 'closedAt')}, type: DATETIME, label: Closed, timezone: ${zone} }
  pullRequest: { ${one('pull_request.html_url', 'pull_request.url')}, type: STRING, label: Pull request }
`;
};
