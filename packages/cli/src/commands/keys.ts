import { type Command, Option } from 'commander';
import { withOperator } from '../operator.ts';
import { type OutputFormat, outputFormats, printObject, printTable } from '../output.ts';

const kinds = ['signing', 'link', 'page'] as const;
type Kind = (typeof kinds)[number];

/** `portico admin keys …`: what signs access tokens, links to files, page and sync tokens. */
export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('List, replace and withdraw the keys of a tenant (operator)');
  keys
    .command('list')
    .summary('List the keys of a tenant')
    .description(
      'The keys of a tenant: signing (access tokens), link (links to files), page (page and ' +
        'sync tokens). A replaced key verifies its signatures until it is withdrawn.',
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin keys list --tenant acme\n  $ portico admin keys list --tenant acme --output json',
    )
    .action(async (options: { tenant: string; output: OutputFormat }) => {
      const found = await withOperator((session) => session.listKeys(options.tenant));
      const time = (at: number | null) => (at === null ? '' : new Date(at).toISOString());
      if (options.output !== 'table') return printObject(found, { format: options.output });
      printTable(
        found.map((key) => ({
          kind: key.kind,
          id: key.id,
          state: key.state,
          made: time(key.createdAt),
          replaced: time(key.replacedAt),
          'unused from': time(key.unusedFrom),
        })),
      );
    });
  keys
    .command('rotate')
    .summary('Replace keys')
    .description(
      'Replace keys: new keys sign from now on (link and page keys in five seconds, when every ' +
        'node knows them), the previous keys verify until they are withdrawn.',
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .addOption(new Option('--kind <kind>', 'which keys').choices([...kinds, 'all']).default('all'))
    .option(
      '--withdraw',
      'withdraw the old keys at once: their signatures become void; for signing keys, everybody must sign in again',
      false,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin keys rotate --tenant acme\n  $ portico admin keys rotate --tenant acme --kind signing --withdraw',
    )
    .action(async (options: { tenant: string; kind: Kind | 'all'; withdraw: boolean }) => {
      const chosen = options.kind === 'all' ? kinds : [options.kind];
      const ids = await withOperator((session) =>
        session.rotateKeys(options.tenant, chosen, { withdrawOthers: options.withdraw }),
      );
      for (const [index, id] of ids.entries()) process.stdout.write(`Created the ${chosen[index]} key ${id}.\n`);
    });
  keys
    .command('withdraw')
    .description('Withdraw a replaced key: its signatures become void')
    .requiredOption('--tenant <name>', 'the tenant')
    .argument('<id>', 'id of the key, as "portico admin keys list" shows it')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin keys withdraw --tenant acme page-1\n  $ portico admin keys withdraw --tenant acme 0b0ad7cf-8f2c-4a43-a9c5-3a8d3c9b3f0e',
    )
    .action(async (id: string, options: { tenant: string }) => {
      await withOperator((session) => session.withdrawKey(options.tenant, id));
      process.stdout.write(`Withdrew key ${id}.\n`);
    });
}
