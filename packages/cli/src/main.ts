/** `portico`: parse the words, run the command, turn failures into one sentence and an exit code. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { eraseCommand } from './commands/erase.ts';
import { importCommand } from './commands/import.ts';
import { serviceAccountCommand } from './commands/service-account.ts';
import { tenantCommand } from './commands/tenant.ts';
import { userCommand } from './commands/user.ts';
import { exitCodes } from './errors.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('portico')
  .description('Operate and use a Portico installation')
  .version(version)
  .showHelpAfterError('(add --help for the words this command takes)')
  .configureOutput({ outputError: (text, write) => write(text) })
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? exitCodes.ok : exitCodes.usage);
  });
tenantCommand(program);
serviceAccountCommand(program);
userCommand(program);
eraseCommand(program);
importCommand(program);

/** Names of errors whose message is written for the person at the terminal. */
const SPEAKING = new Set([
  'UsageError',
  'TenantError',
  'OperatorError',
  'ConfigError',
  'MigrationError',
  'EmbeddedPostgresError',
  'PorticoError',
  'ValidationError',
  'MappingError',
]);

try {
  await program.parseAsync();
} catch (error) {
  const known =
    error instanceof Error && (SPEAKING.has(error.name) || typeof (error as { code?: unknown }).code === 'string');
  process.stderr.write(
    `portico: ${known ? (error as Error).message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exitCode = error instanceof Error && error.name === 'UsageError' ? exitCodes.usage : exitCodes.failed;
}
