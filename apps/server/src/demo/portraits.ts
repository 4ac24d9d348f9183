/** Positions in the content of the people who have a photo. */
export const PORTRAITS: readonly number[] = [0, 1, 4, 16, 28];
