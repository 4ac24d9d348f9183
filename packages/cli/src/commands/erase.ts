import type { Command } from 'commander';
import { UsageError } from '../errors.ts';
import { loadOperator } from '../operator.ts';
import { printTable } from '../output.ts';

/** `portico admin erase`: physically removes posts that were marked as erasable, or says what would go. */
export function eraseCommand(program: Command): void {
  program
    .command('erase')
    .description('Physically remove posts that were marked as erasable (operator)')
    .requiredOption('--tenant <name>', 'the tenant')
    .option('--older-than <days>', 'only posts marked at least this many days ago (default: PORTICO_ERASE_AFTER_DAYS)')
    .option('--dry-run', 'print the data that would be erased, and erase nothing', false)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin erase --tenant acme --dry-run\n  $ portico admin erase --tenant acme --older-than 0',
    )
    .action(async (flags: { tenant: string; olderThan?: string; dryRun: boolean }) => {
      if (flags.olderThan !== undefined && !/^\d{1,5}$/.test(flags.olderThan)) {
        throw new UsageError(`--older-than takes a whole number of days, not "${flags.olderThan}".`);
      }
      const operator = await loadOperator();
      const { erasePosts, erasureCutoff, previewErasure } = await operator.loadErasure();
      const erasure = await operator.withOperator(async (session) => {
        const { services } = session;
        const scope = await session.systemScope(flags.tenant);
        const days = flags.olderThan === undefined ? services.config.eraseAfterDays : Number(flags.olderThan);
        const cutoff = erasureCutoff(scope.clock.now(), days);
        const run = flags.dryRun ? previewErasure : erasePosts;
        return run(services, scope.tenant, cutoff);
      });
      const rows = [...erasure.rows].map(([kind, count]) => ({ kind, count }));
      printTable(erasure.postIds.length === 0 ? [] : [...rows, { kind: 'stored files', count: erasure.files }]);
      if (erasure.postIds.length > 0) {
        process.stdout.write(`${flags.dryRun ? 'Would erase' : 'Erased'} the posts ${erasure.postIds.join(', ')}.\n`);
      }
    });
}
