/** Source of the time; code that depends on the time takes a clock, so that a test can set it. */
interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
