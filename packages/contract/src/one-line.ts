/**
 * Names are shown in a single line, in lists, mails and menus: the characters that a name can hold.
 */

/** Line breaks, tabs and other control characters. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
/**
 * Invisible characters without a use in names: embeddings, overrides and isolates of the writing
 * direction, which disguise a name as another, zero-width spaces, and operators of formulas.
 * Joiners and direction marks stay, because words and emoji need them.
 */
const UNSEEN = /[\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/gu;
const NOTHING_TO_SEE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * Returns a name in the form to store: line breaks and control characters become spaces, and
 * characters that hide or reverse others are removed. Spaces stay unchanged.
 * @returns an empty text if nothing is visible
 */
export function oneLine(text: string): string {
  const line = text.replace(UNSEEN, '').replace(BREAKS, ' ');
  return NOTHING_TO_SEE.test(line) ? '' : line;
}
