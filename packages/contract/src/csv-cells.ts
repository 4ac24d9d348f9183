/**
 * Text in cells of CSV files. Spreadsheet programs calculate a cell that begins with `=`, `+`, `-`,
 * `@`, a tab or a carriage return, even in text of another user; an apostrophe before it makes it
 * text. Text that has apostrophes before such a character gets another apostrophe, so that removing
 * one restores the text. A line feed counts too: readers of files take a carriage return for one.
 * Fullwidth and small forms of the signs count as well: Japanese programs treat them as signs.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/u;

/** Returns the text for a cell. Numbers need no escape: a minus sign is part of them. */
export function escapeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Returns the text of a cell that {@link escapeCell} escaped. */
export function unescapeCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
