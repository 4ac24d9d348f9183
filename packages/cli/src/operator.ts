/** The operator's half of the server, loaded where it is present: `portico` alone can be installed without a server. */
import { UsageError } from './errors.ts';

type Operator = typeof import('@portico/server/operator');

/** @throws UsageError where @portico/server is not installed */
export async function loadOperator(): Promise<Operator> {
  try {
    return await import('@portico/server/operator');
  } catch (error) {
    throw withoutServer(error);
  }
}

/** The address of the script that starts the service. @throws as {@link loadOperator} */
export function startScript(): string {
  try {
    return import.meta.resolve('@portico/server/start');
  } catch (error) {
    throw withoutServer(error);
  }
}

/** Returns a sentence where the server is not installed, else the error itself. */
function withoutServer(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes('@portico/server')) return error;
  return new UsageError(
    'This is an operator command: run it where the server is installed, as "npx portico …" in the folder of Portico.',
  );
}

/** Runs work in a session of the operator. @throws as {@link loadOperator} */
export const withOperator: Operator['withOperator'] = async (...given) => (await loadOperator()).withOperator(...given);
