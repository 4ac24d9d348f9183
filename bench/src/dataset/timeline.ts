/** When posts were made: over six years, more on working days, in bursts, and rather many in the last month. */
import { mix } from './random.ts';

const DAY = 86_400_000;
const START = Date.UTC(2020, 0, 1);
/** The moment up to which the data tells; a fixed one, so that it is the same whenever it is built. */
export const END = Date.UTC(2026, 0, 1);
/** The stream remembers changes from here on. */
export const STREAM_START = END - 29 * DAY;
const DAYS = (END - START) / DAY;
/** Posts per day, relative. */
const BURST = 25;
const LAST_MONTH = 4;

function weightOf(day: number): number {
  const weekday = new Date(START + day * DAY).getUTCDay();
  const usual = weekday === 0 || weekday === 6 ? 0.1 : 1;
  const burst = mix(day, 17) % 40 === 0 ? BURST : 1;
  return usual * burst * (day >= DAYS - 29 ? LAST_MONTH : 1) * (0.5 + day / DAYS);
}

const upTo = new Float64Array(DAYS + 1);
for (let day = 0; day < DAYS; day++) upTo[day + 1] = (upTo[day] as number) + weightOf(day);

/** The moment of the post at this share of all posts (0 up to 1): grows with the share. Epoch milliseconds. */
export function momentAt(share: number): number {
  const wanted = share * (upTo[DAYS] as number);
  let [low, high] = [0, DAYS - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((upTo[middle + 1] as number) > wanted) high = middle;
    else low = middle + 1;
  }
  const [from, to] = [upTo[low] as number, upTo[low + 1] as number];
  return Math.floor(START + (low + (wanted - from) / (to - from)) * DAY);
}
