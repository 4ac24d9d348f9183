/**
 * JSON of a Trello board: cards, with the lists, labels, members, checklists and comments that
 * documents/trello-cards.ts adds to them.
 * @param zone time zone, quoted
 */
export const trello = (zone: string): string => `
format: json
json: { shape: trello }
externalId: id
title: name
body: { column: text, format: markdown }
modified: { column: dateLastActivity, timezone: ${zone} }
state: list
workflow: { title: Trello }
fields:
  labels: { column: labelNames, type: ENUM_LIST, label: Labels }
  members: { column: memberNames, type: GENERIC_ENTITY_LIST, of: user, label: Members }
  due: { column: due, type: DATETIME, label: Due, timezone: ${zone} }
  dueComplete: { column: dueComplete, type: FLAG, label: Due complete }
  archived: { column: closed, type: FLAG, label: Archived }
  url: { columns: [shortUrl, url], pick: first, optional: true, type: STRING, label: Trello card }
comments:
  forEach: commentList
  text: { item: text }
  format: markdown
  author: { item: by }
  at: { item: at, timezone: ${zone} }
  externalId: { item: id }
`;
