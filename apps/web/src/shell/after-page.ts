/** Parts of the frame that are loaded after the page: together they are one file. */
export { signOut, startInBackground } from '../notifications/background.ts';
export { default as Palette } from '../palette/palette.tsx';
