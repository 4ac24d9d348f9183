import { expect, test } from 'vitest';
import { accentTones, isReadableAccent, readableAccent } from './accent.ts';

/** Contrast by the definition of WCAG 2.2. */
function contrastOf(...colours: [string, string]): number {
  const [light, dark] = colours
    .map((colour) => {
      const linear = (colour.match(/[0-9a-f]{2}/g) ?? []).map((pair) => {
        const share = Number.parseInt(pair, 16) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
    })
    .sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** A grid over all colours. */
const CHANNEL = ['00', '33', '66', '99', 'cc', 'ff'];
const colours = CHANNEL.flatMap((red) => CHANNEL.flatMap((green) => CHANNEL.map((blue) => `#${red}${green}${blue}`)));

test('every colour has a readable one near it, and tones that can be read in the light and in the dark', () => {
  for (const colour of colours) {
    const readable = readableAccent(colour);
    expect(isReadableAccent(readable), colour).toBe(true);
    if (isReadableAccent(colour)) expect(readable).toBe(colour);
    const { light, lightHover, dark, darkHover } = accentTones(readable);
    for (const tone of [light, lightHover]) expect(contrastOf(tone, '#ffffff'), tone).toBeGreaterThanOrEqual(4.5);
    for (const tone of [dark, darkHover]) {
      expect(contrastOf(tone, '#1f2024'), tone).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(tone, '#000000'), tone).toBeGreaterThanOrEqual(4.5);
    }
  }
});
