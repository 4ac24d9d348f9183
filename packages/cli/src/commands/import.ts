import type { Command } from 'commander';
import { exitCodes } from '../errors.ts';
import { loadOperator } from '../operator.ts';
import { ProgressBar } from '../progress-bar.ts';

interface ImportFlags {
  tenant: string;
  workspace: string;
  community: string;
  mapping: string;
  changes?: string;
  manager?: string[];
  dryRun: boolean;
}

const PHASES = {
  reading: 'Reading',
  preparing: 'Creating missing objects',
  writing: 'Writing posts',
  references: 'Resolving references',
  history: 'Writing histories',
} as const;

/** `portico admin import`: rows of a CSV or NDJSON file become posts of a community. */
export function importCommand(program: Command): void {
  program
    .command('import')
    .description('Import rows of a CSV or NDJSON file (also .gz) as posts of a community (operator)')
    .argument('<file>', 'file of rows; it is read twice')
    .requiredOption('--tenant <name>', 'the tenant it belongs to')
    .requiredOption('--workspace <name>', 'workspace of the community; created if missing')
    .requiredOption('--community <name>', 'community for the posts; created if missing')
    .requiredOption('--mapping <file>', 'YAML file that says which column is what (docs/importing.md)')
    .option(
      '--manager <who...>',
      "id or e-mail address of who manages the community; default: the tenant's first administrator",
    )
    .option('--changes <file>', 'file of changes that become the history of the posts')
    .option('--dry-run', 'run the whole import, then roll it back; the report is the same', false)
    .addHelpText(
      'after',
      `
Repeating an import is safe: rows are found again by their external id; unchanged ones are left alone.
Exit code: 0 also when rows were refused (the report names them); 1 when the input cannot be read or no row
could be taken; 2 for wrong arguments or flags.

Examples:
  $ portico admin import peps.ndjson.gz --tenant acme --workspace Python --community PEPs \\
      --mapping examples/peps/mapping.yaml --changes changes.ndjson.gz
  $ portico admin import orders.csv --tenant acme --workspace Sales --community Orders --mapping orders.yaml --dry-run
  $ portico admin import orders.csv --tenant acme --workspace Sales --community Orders --mapping orders.yaml \\
      --manager grace@acme.example`,
    )
    .action(async (file: string, { manager, ...flags }: ImportFlags) => {
      const operator = await loadOperator();
      const { describeReport, runImport } = await operator.loadImports();
      const bar = new ProgressBar(process.stderr);
      const report = await operator.withOperator(async (session) => {
        const scope = await session.systemScope(flags.tenant);
        const managerIds = manager && (await session.findUsers(flags.tenant, manager));
        try {
          return await runImport(scope, {
            ...flags,
            file,
            managerIds,
            refreshStatistics: () => session.refreshStatistics(),
            onProgress: (phase, part) => bar.show(PHASES[phase], part),
          });
        } finally {
          bar.clear();
        }
      });
      process.stdout.write(describeReport(report));
      if (report.rows > 0 && report.created + report.edited + report.unchanged === 0)
        process.exitCode = exitCodes.failed;
    });
}
