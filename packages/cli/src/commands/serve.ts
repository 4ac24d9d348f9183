import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { startScript } from '../operator.ts';

/** Keep memory small, as `npm start` does. */
const FLAGS = ['--heap-growing-percent=60', '--max-semi-space-size=32'];
/** Signals that end or restart the service; this process ends with it. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
      const start = fileURLToPath(startScript());
      const service = spawn(process.execPath, [...FLAGS, start], { stdio: 'inherit' });
      // On a terminal the service gets Ctrl-C itself, and does nothing at the second signal.
      for (const signal of SIGNALS) process.on(signal, () => service.kill(signal));
      const [code, signal] = (await once(service, 'exit')) as [number | null, NodeJS.Signals | null];
      process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
    });
}
