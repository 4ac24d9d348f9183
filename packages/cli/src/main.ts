/** `portico`: the process of one command. */
import { exitCodes } from './errors.ts';
import { runCommand } from './run-command.ts';
import { version } from './version.ts';

const args = process.argv.slice(2);

// `portico … | head` closes our output before we are through; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
});

if (args[0] === '--version' || args[0] === '-V') process.stdout.write(`${version}\n`);
else await runCommand(args);
