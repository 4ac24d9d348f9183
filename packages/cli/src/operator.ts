/** The operator's half of the server, loaded where it is present: `portico` alone can be installed without a server. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runScript } from './child.ts';
import { UsageError } from './errors.ts';

type Operator = typeof import('@portico/server/operator');

/** @throws UsageError where @portico/server is not installed */
export async function loadOperator(): Promise<Operator> {
  try {
    return await import('@portico/server/operator');
  } catch (error) {
    throw await handOver(error);
  }
}

/** The address of the script that starts the service. @throws as {@link loadOperator} */
export async function startScript(): Promise<string> {
  try {
    return import.meta.resolve('@portico/server/start');
  } catch (error) {
    throw await handOver(error);
  }
}

/** The command of the package of the service, which has the operator's half. */
const COMMAND_OF_SERVICE = 'portico/packages/cli/bin/portico.mjs';

/**
 * Runs the same words by the command of the service where that is installed beside this command,
 * and ends with it: both packages have the name `portico` for their commands.
 * @returns the error where it is not
 */
async function handOver(error: unknown): Promise<unknown> {
  const refusal = withoutServer(error);
  if (refusal === error) return error;
  let command: string;
  try {
    command = fileURLToPath(import.meta.resolve(COMMAND_OF_SERVICE));
  } catch {
    return refusal; // the package is not installed
  }
  if (!existsSync(command)) return refusal;
  process.exit(await runScript([command, ...process.argv.slice(2)]));
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
