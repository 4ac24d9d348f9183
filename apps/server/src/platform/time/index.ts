/** Clock, zones and dates as the interface writes and reads them. */
export { type Clock, systemClock } from './clock.ts';
export { parseDateInput } from './date-input.ts';
export { type TimeErrorCode, TimeInputError } from './errors.ts';
export {
  formatZoned,
  MAX_EPOCH_MS,
  MIN_EPOCH_MS,
  type ResolvedZoned,
  resolveZoned,
  type ZonedInput,
  type ZonedOutput,
} from './zoned.ts';
export { type Zone, zoneFor } from './zones.ts';
