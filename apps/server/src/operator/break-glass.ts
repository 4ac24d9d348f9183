/** The break-glass administrator of a tenant, as the operator makes, sees and withdraws it. */
import type { Scope } from '../kernel/scope.ts';
import { makeBreakGlass, readBreakGlass, withdrawBreakGlass } from '../modules/people/index.ts';

/** @param scope of the tenant's system account */
export function breakGlassOf(scope: Scope) {
  return {
    create: () => makeBreakGlass(scope),
    read: () => readBreakGlass(scope),
    withdraw: () => withdrawBreakGlass(scope),
  };
}
