import type { Command } from 'commander';
import { readText } from '../client/flags.ts';
import { loadOperator, withOperator } from '../operator.ts';

/** `portico admin db …`: care of the database. */
export function dbCommand(program: Command): void {
  const db = program
    .command('db')
    .description('Copy the database to another server, and tell of a restored one (operator)');
  db.command('copy')
    .summary('Copy everything to an empty database of another server')
    .description(
      'Copy everything to an empty database of another server, or of a cluster (Citus), of any supported version: how an installation moves. Ids, links and tokens stay valid, the streams go on. Stop all nodes first. Files are not copied. Both sides are compared before the copy is kept; the source is not changed.',
    )
    .requiredOption(
      '--to <address>',
      'its address, as the owner: as in DATABASE_URL; @file reads it from a file',
      (text) => (text.startsWith('@') ? readText(text).trim() : text),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin db copy --to @/etc/portico/database-url\n  $ DATABASE_URL_FILE=/etc/portico/database-url portico admin db copy --to @/etc/portico/citus-url',
    )
    .action(async ({ to }: { to: string }) => {
      const operator = await loadOperator();
      const started = performance.now();
      const { tables, rows, citus } = await operator.copyDatabase(to, (sentence) => {
        process.stdout.write(`${sentence}\n`);
      });
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      const scope = citus ? ', with PORTICO_DATABASE_SCOPE=transaction' : '';
      process.stdout.write(
        `Copied ${rows} rows of ${tables} tables in ${seconds} s, and compared them. Start the nodes with the new DATABASE_URL${scope}, and with the same encryption keys and files.\n`,
      );
    });
  db.command('restored')
    .description(
      'After a backup was restored, or the database moved: tell followers of the change streams of all tenants that their positions are void, so that they start afresh. Run it before the service is started.',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin db restored\n  $ PORTICO_DATA_DIR=/srv/portico portico admin db restored',
    )
    .action(async () => {
      const tenants = await withOperator((session) => session.markRestored());
      process.stdout.write(
        `Followers of the change ${tenants === 1 ? 'stream of 1 tenant' : `streams of ${tenants} tenants`} start afresh when they ask again.\n`,
      );
    });
}
