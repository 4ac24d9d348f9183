/** Filters by state in the addresses of lists. */

/** Returns the reader of an address that names one of these states; others are ignored. */
export const stateSearch =
  <State extends string>(states: readonly State[]) =>
  ({ state }: Record<string, unknown>): { state?: State } =>
    states.includes(state as State) ? { state: state as State } : {};
