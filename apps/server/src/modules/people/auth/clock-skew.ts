/** Maximum difference between the clocks of clients and nodes, in seconds. */
export const CLOCK_SKEW_SECONDS = 30;
