/** The accent colour of a tenant: its contrast, and the tones of it that the page uses. */

/** Least contrast of text (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;
/** The darkest background of text in the light page, and the lightest one in the dark page. */
const LIGHT_PANEL = '#f7f7f8';
const DARK_PANEL = '#1f2024';
/** Luminance from which text on a colour is black. */
const BLACK_TEXT = 0.32;

/** Tones of an accent colour, as `#rrggbb`. */
interface AccentTones {
  readonly light: string;
  readonly lightHover: string;
  readonly dark: string;
  readonly darkHover: string;
}

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (colour: string): Channels =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Channels;

/** Returns a colour mixed with another. @param part of the other, 0 to 1 */
function mixed(colour: string, other: string, part: number): string {
  const others = channelsOf(other);
  const channels = channelsOf(colour).map((value, at) => Math.round(value + (others[at]! - value) * part));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the relative luminance of a colour (WCAG 2.2), 0 to 1. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours (WCAG 2.2), 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Whether an accent colour can be read in the light page: as text, and below white text. */
export const isReadableAccent = (accent: string): boolean => contrastOf(accent, LIGHT_PANEL) >= LEAST_CONTRAST;

/** Returns the colour nearest to an accent colour, on the way to black, that {@link isReadableAccent} accepts. */
export function readableAccent(accent: string): string {
  for (let percent = 0; percent < 100; percent++) {
    const colour = mixed(accent, '#000000', percent / 100);
    if (isReadableAccent(colour)) return colour;
  }
  return '#000000';
}

/** Returns the tones of an accent colour that {@link isReadableAccent} accepts. In the dark, it is lighter. */
export function accentTones(accent: string): AccentTones {
  let dark = accent;
  for (let percent = 1; contrastOf(dark, DARK_PANEL) < LEAST_CONTRAST || luminanceOf(dark) < BLACK_TEXT; percent++)
    dark = mixed(accent, '#ffffff', percent / 100);
  return { light: accent, lightHover: mixed(accent, '#000000', 0.15), dark, darkHover: mixed(dark, '#ffffff', 0.2) };
}
