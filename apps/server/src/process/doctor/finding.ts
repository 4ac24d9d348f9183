/** Results of `portico doctor`. */

/** Parts of an installation, in the order of the report. */
type Area =
  | 'configuration'
  | 'service'
  | 'permissions'
  | 'room'
  | 'clock'
  | 'database'
  | 'versions'
  | 'indexes'
  | 'tenants'
  | 'backups'
  | 'storage'
  | 'mail';

/** A line of the report. */
export interface Finding {
  readonly area: Area;
  /** A `problem` needs to be corrected; a `warning` may be meant so. */
  readonly state: 'ok' | 'warning' | 'problem';
  /** The state, in words. */
  readonly found: string;
  /** The remedy; absent where none is needed. */
  readonly remedy?: string;
}

/** Returns functions that make the findings of an area. */
export function findingsOf(area: Area) {
  return {
    ok: (found: string): Finding => ({ area, state: 'ok', found }),
    warning: (found: string, remedy: string): Finding => ({ area, state: 'warning', found, remedy }),
    problem: (found: string, remedy: string): Finding => ({ area, state: 'problem', found, remedy }),
  };
}

/** A number with its noun. */
export const count = (number: number, one: string, several: string): string =>
  `${number} ${number === 1 ? one : several}`;
