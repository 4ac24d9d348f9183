/** Clocks of clients and nodes may differ by this much. Seconds. */
export const CLOCK_SKEW_SECONDS = 30;
