/**
 * Lists that the portal exports, with their usual columns. Custom fields have columns of their own,
 * which the mapping adds.
 * @param zone time zone, quoted
 */
export const portico = (zone: string): string => `
externalId: Number
title: Title
body: { column: Text, optional: true }
author: { column: Author, optional: true }
created: { column: Created, optional: true, timezone: ${zone} }
modifier: { column: Edited by, optional: true }
modified: { column: Edited, optional: true, timezone: ${zone} }
visibility: { column: Visibility, optional: true }
state: { column: State, optional: true }
workflow: { title: Workflow }
`;
