/** Names are shown in one line, in lists, mails and menus: what a name may hold. */

/** Line breaks, tabs and other control characters. */
const BREAKS = /[\p{Cc}\u2028\u2029]+/gu;
/**
 * Characters without a glyph that names have no use for: those that open, override and isolate directions of writing, which
 * make a name read as another one, spaces of no width, and operators of formulas. Joiners and marks of direction spell
 * words and emoji: they stay.
 */
const UNSEEN = /[\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/gu;
const NOTHING_TO_SEE = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * A name as it is kept: each line break and control character is a space, and characters that hide or turn others around are
 * gone. Spaces stay as they are.
 * @returns an empty text where nothing can be seen
 */
export function oneLine(text: string): string {
  const line = text.replace(UNSEEN, '').replace(BREAKS, ' ');
  return NOTHING_TO_SEE.test(line) ? '' : line;
}
