/**
 * Interface by which a feature reports when its background work is due next for a tenant. Each
 * feature describes its own work beside the code that does it.
 */
import type { TenantSettings } from './scope.ts';

/** SQL of `$1`, the tenant, and `$2`, the present. */
export type DueWork =
  | {
      /** A SELECT of rows that are to be worked on now. */
      readonly waiting: string;
    }
  | {
      /** A SELECT of one time: the earliest of the rows that are to be worked on later. */
      readonly earliest: string;
      /** How long after that time they are. Milliseconds; default 0. */
      readonly afterMs?: (terms: DueTerms) => number;
    };

/** Terms that decide, besides their times, when rows are due. */
export interface DueTerms {
  readonly settings: TenantSettings;
  readonly config: { readonly eraseAfterDays: number };
}
