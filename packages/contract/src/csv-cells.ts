/**
 * Text in cells of CSV files. Spreadsheet programs calculate a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage
 * return, also when it came from another user's text; an apostrophe before it makes it text. Text that has apostrophes
 * before such a character gets one more, so that taking one off gives back what was there. A line feed counts too: readers
 * of files take a carriage return for one. So do the wide and small forms of the signs, which programs in Japanese take for them.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/u;

/** Text as a cell holds it. Numbers need no escape: a minus sign is part of them. */
export function escapeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text of a cell that {@link escapeCell} made. */
export function unescapeCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
