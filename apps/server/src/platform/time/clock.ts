/** Where the time comes from; what depends on the time takes one, so that a test can say what time it is. */
interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
