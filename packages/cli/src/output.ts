/** Printing rows. */

/** Prints rows as a table with aligned columns; nothing for no rows but the word "none". */
export function printTable(rows: readonly Readonly<Record<string, unknown>>[]): void {
  if (rows.length === 0) {
    process.stdout.write('none\n');
    return;
  }
  const columns = Object.keys(rows[0] as object);
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] as string).length)));
  for (const line of cells) {
    process.stdout.write(
      `${line
        .map((cell, index) => cell.padEnd(widths[index] as number))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}
