/** Letters that look like letters of ASCII, by the table of Unicode (UTS 39). */
import unhomoglyph from 'unhomoglyph';

/**
 * Replaces each character beyond ASCII that looks like characters of ASCII by them: a dotless i by i, the Cyrillic a by a.
 * Characters that look like no others stay.
 */
export function readAsAscii(text: string): string {
  return text.replaceAll(/[^\p{ASCII}]/gu, (character) => {
    const prototype = unhomoglyph(character);
    return /^\p{ASCII}+$/u.test(prototype) ? prototype : character;
  });
}
