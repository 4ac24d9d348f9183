/** The operator's half of the server, loaded where it is present: `portico` alone can be installed without a server. */
import { UsageError } from './errors.ts';

type Operator = typeof import('@portico/server/operator');

/** @throws UsageError where @portico/server is not installed */
export async function loadOperator(): Promise<Operator> {
  try {
    return await import('@portico/server/operator');
  } catch (error) {
    if (
      (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' &&
      String((error as Error).message).includes('@portico/server')
    ) {
      throw new UsageError(
        'This is an operator command: run it where the server is installed, as "npx portico …" in the folder of Portico.',
      );
    }
    throw error;
  }
}

/** Runs work in a session of the operator. @throws as {@link loadOperator} */
export const withOperator: Operator['withOperator'] = async (...given) => (await loadOperator()).withOperator(...given);
