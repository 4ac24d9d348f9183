/**
 * CSV of the issues of Redmine, with English, German or Japanese column names.
 * @param zone time zone, quoted
 */
export const redmine = (zone: string): string => {
  const time = `date: [auto, YYYY/MM/DD HH:mm, YYYY/MM/DD, DD.MM.YYYY HH:mm, DD.MM.YYYY], timezone: ${zone}`;
  const one = (...columns: string[]) => `columns: [${columns.join(', ')}], pick: first, optional: true`;
  const choice = (label: string, ...columns: string[]) => `{ ${one(...columns)}, type: ENUM, label: ${label} }`;
  const day = (label: string, ...columns: string[]) => `{ ${one(...columns)}, type: DATE, label: ${label}, ${time} }`;
  return `
format: csv
externalId: { columns: ["#", Issue ID, Id, ID], pick: first }
title: { columns: [Subject, Thema, 題名], pick: first }
body: { ${one('Description', 'Beschreibung', '説明')} }
author: { ${one('Author', 'Autor', '作成者')} }
created: { ${one('Created', 'Angelegt', '作成日')}, ${time} }
modified: { ${one('Updated', 'Aktualisiert', '更新日')}, ${time} }
state: { ${one('Status', 'ステータス')} }
workflow: { title: Redmine }
fields:
  project: ${choice('Project', 'Project', 'Projekt', 'プロジェクト')}
  tracker: ${choice('Tracker', 'Tracker', 'トラッカー')}
  priority: ${choice('Priority', 'Priority', 'Priorität', '優先度')}
  category: ${choice('Category', 'Category', 'Kategorie', 'カテゴリ')}
  version: ${choice('Target version', 'Target version', 'Zielversion', '対象バージョン')}
  assignee:
    ${one('Assignee', 'Assigned to', 'Zugewiesen an', '担当者').replaceAll(/, (?=pick|optional)/g, '\n    ')}
    type: GENERIC_ENTITY_LIST
    of: user
    label: Assignee
  start: ${day('Start date', 'Start date', 'Beginn', '開始日')}
  due: ${day('Due date', 'Due date', 'Abgabedatum', '期日')}
  closed: { ${one('Closed', 'Geschlossen', '終了日')}, type: DATETIME, label: Closed, ${time} }
  done:
    ${one('"% Done"', '"% erledigt"', '進捗率').replaceAll(/, (?=pick|optional)/g, '\n    ')}
    type: INT
    label: Done (%)
`;
};
