/**
 * Text in which a semicolon ends no statement: comments, texts, quoted names and bodies between
 * dollar signs.
 */
const OPAQUE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1/y;

/**
 * The statements of an SQL file, in order, without comments between them. Texts with backslashes as escapes (`E'…'`) may not
 * hold an escaped quote.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  for (let at = 0; at < sql.length; ) {
    OPAQUE.lastIndex = at;
    const opaque = OPAQUE.exec(sql);
    if (opaque) {
      at = OPAQUE.lastIndex;
      continue;
    }
    if (sql[at] === ';') {
      statements.push(sql.slice(start, at));
      start = at + 1;
    }
    at++;
  }
  statements.push(sql.slice(start));
  return statements.map(withoutLeadingComments).filter((statement) => statement !== '');
}

function withoutLeadingComments(statement: string): string {
  return statement.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, '').trimEnd();
}
