import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { runScript } from '../child.ts';
import { startScript } from '../operator.ts';

/** Keep memory small, as `npm start` does. */
const FLAGS = ['--heap-growing-percent=60', '--max-semi-space-size=32'];
/** `portico serve`: the service itself. */
export function serveCommand(program: Command): void {
  program
    .command('serve')
    .summary('Start the service')
    .description(
      'Start the service with the variables of the environment, and with its embedded database unless DATABASE_URL names another. Ctrl-C or SIGTERM stops it.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico serve\n  $ PORT=8081 PORTICO_DATA_DIR=/var/lib/portico portico serve',
    )
    .action(async () => {
      process.exitCode = await runScript([...FLAGS, fileURLToPath(await startScript())]);
    });
}
