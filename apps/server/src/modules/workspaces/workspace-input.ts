/** Bounds of the texts of a workspace. */

/** Longest name, in code points. */
export const MAX_NAME = 200;
/** Longest text in one language, in code points. */
export const MAX_TEXT = 10_000;
/** Longest identifier of another system, in code points. */
export const MAX_EXTERNAL_ID = 255;
