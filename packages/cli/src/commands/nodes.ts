import { type Command, Option } from 'commander';
import { withOperator } from '../operator.ts';
import { type OutputFormat, outputFormats, printObject, printTable } from '../output.ts';

/** `portico admin nodes …`: the database servers of a cluster (Citus). */
export function nodesCommand(program: Command): void {
  const nodes = program
    .command('nodes')
    .description('Show the nodes of a Citus cluster with their contents, and empty a worker (operator)');
  nodes
    .command('list', { isDefault: true })
    .summary('Show the nodes with their contents; "portico admin nodes" does the same')
    .description(
      'Show the nodes of a Citus cluster, how many tenants and bytes are on each, and whether that is balanced.',
    )
    .option('--tenants', 'list the tenants with their nodes instead')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin nodes\n  $ portico admin nodes list --tenants\n  $ portico admin nodes list --output json',
    )
    .action(async ({ tenants, output }: { tenants?: boolean; output: OutputFormat }) => {
      const report = await withOperator((session) => session.readNodes());
      if (output !== 'table') return printObject(report, { format: output });
      printTable(tenants ? report.tenants : report.nodes);
      if (tenants) return;
      process.stdout.write(`${describeBalance(report.balanced)}\n`);
    });
  nodes
    .command('drain')
    .summary('Move everything off a worker')
    .description(
      'Move everything off a worker while tenants work, each group of shards to the worker that holds least. It can be run again when it was interrupted.',
    )
    .argument('<node>', 'the worker, as "portico admin nodes" names it')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin nodes drain db2.internal:5432\n  $ DATABASE_URL=postgres://portico@db1.internal/portico portico admin nodes drain db2.internal:5432',
    )
    .action(async (node: string) => {
      const moved = await withOperator((session) => session.drainNode(node, printSentence));
      printSentence(`${node} is empty. Groups of shards moved: ${moved}.`);
    });
}

/** `portico admin tenant move`. */
export function addMove(tenant: Command): void {
  tenant
    .command('move')
    .summary('Move a tenant to another worker of a Citus cluster')
    .description(
      'Move a tenant to another worker of a Citus cluster. The tenant gets its own shards ' +
        'first, if it has none: the writes of all tenants wait meanwhile, for a few seconds, ' +
        'which are printed. Then the tenant is moved while in use. Followers of its stream ' +
        'continue at their position. The command can be run again after an interruption.',
    )
    .argument('<name>', 'the tenant')
    .requiredOption('--to <node>', 'the worker, as "portico admin nodes" names it')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin tenant move acme --to db3.internal:5432\n  $ portico admin nodes && portico admin tenant move acme --to 10.0.0.13:5432',
    )
    .action(async (name: string, { to }: { to: string }) => {
      await withOperator((session) => session.moveTenant(name, to, printSentence));
    });
}

function printSentence(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

/** @param balanced null: not known */
function describeBalance(balanced: boolean | null): string {
  if (balanced === null) return 'A worker cannot be reached, so the balance is not known.';
  return balanced
    ? 'Balanced: no worker holds 1.3 times the mean.'
    : 'Not balanced: a worker holds more than 1.3 times the mean. "portico admin tenant move" moves a tenant.';
}
