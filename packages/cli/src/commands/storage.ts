import type { Command } from 'commander';
import { CommandError } from '../errors.ts';
import { loadOperator } from '../operator.ts';
import { bold, red } from '../output.ts';

/** `portico admin storage …`: where files are kept. */
export function storageCommand(program: Command): void {
  const storage = program.command('storage').description('Try the storage of files (operator)');
  storage
    .command('check')
    .description(
      'Write, read and remove a file in the file store of the service, and check that it ' +
        'rejects forbidden requests',
    )
    .addHelpText(
      'after',
      `
With a store (PORTICO_S3_BUCKET), forms are sent and links are followed at the address that clients use
(PORTICO_S3_PUBLIC_ENDPOINT): run it where that address can be reached as clients reach it. Nothing is left behind.
Ends with 1 when anything failed.

Examples:
  $ portico admin storage check
  $ PORTICO_S3_BUCKET=files PORTICO_S3_ENDPOINT=http://10.0.0.7:7480 portico admin storage check`,
    )
    .action(async () => {
      const operator = await loadOperator();
      let failures = 0;
      for await (const check of operator.checkStorage()) {
        if (!check.ok) failures += 1;
        process.stdout.write(`${check.ok ? bold('ok    ') : red('FAILED', process.stdout)}  ${check.tried}\n`);
        if (!check.ok) process.stdout.write(`        ${check.problem}\n`);
      }
      if (failures > 0) throw new CommandError(`Failed checks: ${failures}.`);
    });
}
