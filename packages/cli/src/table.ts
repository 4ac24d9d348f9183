/** Tables that fit the terminal. */

/** Columns of a terminal that each cell keeps. */
const NARROWEST = 6;
const GAP = '  ';

/** Columns of the terminal; undefined if the output is no terminal and `COLUMNS` is not set. */
export function terminalWidth(): number | undefined {
  if (process.stdout.isTTY) return process.stdout.columns || 80;
  const given = Number(process.env['COLUMNS']);
  return Number.isSafeInteger(given) && given > 0 ? given : undefined;
}

/**
 * Lays out cells in aligned columns. Columns that are too wide together are cut, the widest first;
 * the last column continues on further lines.
 * @param lines cells without line breaks; the first line is the heading
 * @param available columns of the terminal, if it limits the table
 * @returns the lines of the table, and the number of columns that have no room
 */
export function layOut(
  lines: readonly (readonly string[])[],
  available = Number.POSITIVE_INFINITY,
): { lines: string[]; left: number } {
  const count = lines[0]?.length ?? 0;
  const all = Array.from({ length: count }, (_, index) =>
    Math.max(0, ...lines.map((line) => displayWidth(line[index] ?? ''))),
  );
  const room = columnsWithRoom(all, available);
  const natural = all.slice(0, room);
  const widths = fitted(natural, available - GAP.length * (room - 1));
  const last = room - 1;
  const printed = lines.flatMap((line) => {
    const before = widths.slice(0, last).map((width, index) => padded(cut(line[index] ?? '', width), width));
    const rest = wrapped(line[last] ?? '', widths[last] as number);
    const indent = ' '.repeat(widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, 0));
    return rest.map((part, index) => (index === 0 ? [...before, part].join(GAP) : `${indent}${part}`).trimEnd());
  });
  return { lines: printed, left: count - room };
}

/** Counts the first columns that have room if each is as narrow as it may be; at least one. */
function columnsWithRoom(natural: readonly number[], available: number): number {
  let used = -GAP.length;
  const first = natural.findIndex((width) => {
    used += GAP.length + Math.min(width, NARROWEST);
    return used > available;
  });
  return first < 0 ? natural.length : Math.max(1, first);
}

/** Narrows the widest columns until all of them have room. */
function fitted(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) - available;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
    over -= 1;
  }
  return widths;
}

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** Cuts a text to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const character of text) {
    used += displayWidth(character);
    if (used > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Divides a text at spaces into lines of a width; a longer word stands alone and is cut. */
export function wrapped(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const found: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) line = longer;
    else {
      if (line !== '') found.push(line);
      line = cut(word, width);
    }
  }
  return line === '' ? found : [...found, line];
}

/** Width of text on a terminal: wide characters take two columns, marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}
