/** The eight hues in which states are shown. */
const hues = ['grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const;
type Hue = (typeof hues)[number];

/** Upper ends of the hues on the colour circle, in degrees; red is at both ends. */
const ENDS: readonly (readonly [number, Hue])[] = [
  [15, 'red'],
  [42, 'orange'],
  [65, 'yellow'],
  [160, 'green'],
  [195, 'teal'],
  [255, 'blue'],
  [330, 'purple'],
  [360, 'red'],
];
/** Colours with less of a difference between their parts are grey. */
const LEAST_CHROMA = 0.12;

/** The hue nearest to a colour that an administrator chose. @param code `#` and six hexadecimal digits */
export function hueOf(code: string | undefined): Hue {
  const [, digits] = /^#?([0-9a-f]{6})$/i.exec(code ?? '') ?? [];
  if (digits === undefined) return 'grey';
  const [r, g, b] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ];
  const most = Math.max(r, g, b);
  const chroma = most - Math.min(r, g, b);
  if (chroma < LEAST_CHROMA) return 'grey';
  let sixth = (r - g) / chroma + 4;
  if (most === r) sixth = (g - b) / chroma;
  else if (most === g) sixth = (b - r) / chroma + 2;
  const degrees = (sixth * 60 + 360) % 360;
  return ENDS.find(([end]) => degrees <= end)?.[1] ?? 'grey';
}
