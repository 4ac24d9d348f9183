/** Times in the time zone of the account, or of the browser until that is known. */
const BROWSER = Intl.DateTimeFormat().resolvedOptions().timeZone;

let zone = BROWSER;
let clock = clockOf(BROWSER);

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

/** Name of the time zone in the IANA database. */
export const timeZone = (): string => zone;

/**
 * @param name in the IANA database; undefined or an unknown name selects the time zone of the
 *   browser
 */
export function setTimeZone(name: string | undefined): void {
  if (name === zone) return;
  try {
    clock = clockOf(name ?? BROWSER);
    zone = name ?? BROWSER;
  } catch {
    clock = clockOf(BROWSER);
    zone = BROWSER;
  }
}

/** @returns `2026-11-25T18:05:00` */
export function wallTime(ms: number): string {
  const { year, month, day, hour, minute, second } = Object.fromEntries(
    clock.formatToParts(ms).map(({ type, value }) => [type, value]),
  );
  return `${year!.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** @returns `2026-11-25` */
export const wallDay = (ms: number): string => wallTime(ms).slice(0, 10);

/**
 * Returns the moment at which a clock shows a time.
 * @param wall `2026-11-25T18:05`, with or without seconds
 * @returns epoch milliseconds; NaN if the text is no time
 */
export function instantOf(wall: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return asUtc;
  const ahead = (ms: number) => Date.parse(`${wallTime(ms)}Z`) - Math.floor(ms / 1000) * 1000;
  // Around a change of the clocks, the offset at the time itself counts.
  return asUtc - ahead(asUtc - ahead(asUtc));
}

/** Whether a text is a day, such as `2026-11-25`. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
/** Whether a text is a day with a time, such as `2026-11-25T18:05`. */
export const isWallTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text);
