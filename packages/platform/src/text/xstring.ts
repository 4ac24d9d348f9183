/** Texts in workbooks (ECMA-376, ST_Xstring): `_xHHHH_` is the UTF-16 unit HHHH. */

/** The text that a workbook means. */
export function decodeXString(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));
}

/** The form in which a workbook holds a text, so that {@link decodeXString} gives it back. */
export function encodeXString(text: string): string {
  // The underscore may end a first escape and begin a second one, so the expression only looks
  // ahead.
  return text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}
