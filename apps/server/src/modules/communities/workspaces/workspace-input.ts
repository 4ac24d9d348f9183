/** Bounds of the texts of a workspace. */

/** Maximum length of the name, in code points. */
export const MAX_NAME = 200;
/** Maximum length of a text in one language, in code points. */
export const MAX_TEXT = 10_000;
/** Maximum length of the identifier of another system, in code points. */
export const MAX_EXTERNAL_ID = 255;
