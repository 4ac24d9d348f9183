/** Lengths of texts. Limits of the interface count code points, as `maxLength` of JSON Schema does: an emoji is one. */

/** How many code points a text has. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) as number) > 0xffff) {
      count--;
      index++;
    }
  }
  return count;
}

/** Whether a text has more than `limit` code points. */
export function isLongerThan(text: string, limit: number): boolean {
  return text.length > limit && codePoints(text) > limit;
}
