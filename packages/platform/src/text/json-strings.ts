/** Strings in the text of JSON. */

const BACKSLASH = 0x5c;

/** The place behind a string. @param start that of its opening quote */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
}
