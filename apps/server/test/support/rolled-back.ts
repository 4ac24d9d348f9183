import type { Scope } from '../../src/kernel/scope.ts';

/** Runs verbs in a transaction of their own, which is rolled back. @returns their answer */
export function rolledBack<T>(scope: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
  return scope.db.transaction((tx) => work({ ...scope, db: tx }), { rollback: true });
}
