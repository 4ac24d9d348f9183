import { type Command, InvalidArgumentError, Option } from 'commander';
import { readText } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { loadOperator, type Operator, withOperator } from '../operator.ts';
import { bold, type OutputFormat, outputFormats, printObject, printTable, RowPrinter } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';

type Session = Parameters<Parameters<Operator['withOperator']>[0]>[0];
type Advice = Awaited<ReturnType<Session['adviseIndexes']>>;

interface AdviseFlags {
  tenant?: string;
  minMs: number;
  days: number;
  /** True builds the indexes with a large gain, names build the given indexes. */
  apply?: true | string[];
  drop?: string[];
  dropUnused: boolean;
  lockTimeout: number;
  output: OutputFormat;
}

/** `portico db …`: care of the database. */
export function dbCommand(program: Command): void {
  const db = program
    .command('db')
    .description('Advise on indexes, copy the database to another server, and tell of a restored one (operator)');
  db.command('advise')
    .description(
      'Slow lists of posts by community and fields, from real use, and which indexes would help; builds and drops these while the service runs',
    )
    .option('--tenant <name>', 'only the lists of this tenant')
    .option('--min-ms <number>', 'lists that took at least this many milliseconds on average', wholeNumber, 20)
    .option('--days <number>', 'lists of the last days, at most 30', wholeNumber, 7)
    .option('--apply [names...]', 'build the recommended indexes of large gain, or those named')
    .option('--drop <names...>', 'drop advised indexes')
    .option('--drop-unused', 'drop advised indexes that are unused, superseded or were left half-built', false)
    .option('--lock-timeout <seconds>', 'longest wait for other transactions and maintenance', wholeNumber, 300)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico db advise\n  $ portico db advise --tenant acme --min-ms 50 --output json\n  $ portico db advise --apply\n  $ portico db advise --drop-unused',
    )
    .action(async (flags: AdviseFlags) => {
      if ([flags.apply, flags.drop, flags.dropUnused || undefined].filter((word) => word !== undefined).length > 1)
        throw new UsageError('Choose one of --apply, --drop and --drop-unused.');
      await withOperator(async (session) => {
        if (flags.drop) return drop(session, flags.drop, flags);
        const advice = await session.adviseIndexes(flags);
        if (flags.apply !== undefined) return apply(session, advice, flags.apply, flags);
        if (flags.dropUnused) {
          const useless = advice.advised.filter(({ state }) => ['unused', 'superseded', 'invalid'].includes(state));
          return drop(
            session,
            useless.map((index) => index.name),
            flags,
          );
        }
        return printAdvice(advice, flags);
      });
    });
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
      '\nExamples:\n  $ portico db copy --to @/etc/portico/database-url\n  $ DATABASE_URL_FILE=/etc/portico/database-url portico db copy --to @/etc/portico/citus-url',
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
    .addHelpText('after', '\nExamples:\n  $ portico db restored\n  $ PORTICO_DATA_DIR=/srv/portico portico db restored')
    .action(async () => {
      const tenants = await withOperator((session) => session.markRestored());
      process.stdout.write(
        `Followers of the change ${tenants === 1 ? 'stream of 1 tenant' : `streams of ${tenants} tenants`} start afresh when they ask again.\n`,
      );
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('it must be a whole number.');
  return Number(text);
}

async function apply(session: Session, advice: Advice, names: true | string[], flags: AdviseFlags): Promise<void> {
  if (names !== true) {
    const known = new Set(advice.recommended.map((index) => index.name));
    const unknown = names.filter((name) => !known.has(name));
    if (unknown.length > 0)
      throw new UsageError(`Not recommended now: ${unknown.join(', ')}; "portico db advise" shows what is.`);
  }
  const chosen = advice.recommended.filter((index) =>
    names === true ? index.gain === 'large' : names.includes(index.name),
  );
  const bar = new ProgressBar(process.stderr);
  const built = await session
    .buildIndexes(chosen, {
      lockTimeoutMs: flags.lockTimeout * 1000,
      onProgress: (name, phase, part) => bar.show(`${name}: ${phase}`, part),
    })
    .finally(() => bar.clear());
  process.stdout.write(built.length === 0 ? 'Nothing to build.\n' : `Built ${built.join(', ')}.\n`);
}

async function drop(session: Session, names: string[], flags: AdviseFlags): Promise<void> {
  await session.dropIndexes(names, flags.lockTimeout * 1000);
  process.stdout.write(names.length === 0 ? 'Nothing to drop.\n' : `Dropped ${names.join(', ')}.\n`);
}

async function printAdvice(advice: Advice, { output, minMs, days }: AdviseFlags): Promise<void> {
  if (output === 'json' || output === 'yaml') return printObject(advice, { format: output });
  if (output !== 'table') {
    const printer = new RowPrinter({ format: output });
    for (const shape of advice.shapes) printer.add(shape);
    return printer.end();
  }
  const { shapes, recommended, advised } = advice;
  const heading = (text: string) => process.stdout.write(`${bold(text)}\n`);
  heading(`Lists that took ${minMs} ms or more on average, of the last ${days} days`);
  printTable(
    shapes.map((shape, at) => ({
      '#': at + 1,
      tenant: shape.tenant,
      community: shape.community,
      list: `${shape.use === 'total' ? 'total of ' : ''}${shape.filters || 'all'}${shape.order && ` by ${shape.order}`}`,
      lists: shape.lists,
      'mean ms': shape.meanMs.toFixed(1),
      'slowest ms': Math.round(shape.slowestMs),
      failed: shape.failures,
      plan: shape.plan,
      index: [...shape.build, ...shape.served.map((name) => `has ${name}`)].join(', ') || 'none helps',
    })),
  );
  const reasons = Map.groupBy(shapes.keys(), (at) => shapes[at]?.why);
  for (const [why, places] of reasons)
    process.stdout.write(`  ${places.map((at) => `#${at + 1}`).join(', ')}: ${why}\n`);
  heading('\nRecommended indexes');
  printTable(
    recommended.map((index) => ({
      name: index.name,
      gain: index.gain,
      'seconds of lists': index.seconds.toFixed(1),
      size: `about ${megabytes(index.bytes)}`,
    })),
  );
  heading('\nAdvised indexes that there are');
  printTable(
    advised.map((index) => ({
      name: index.name,
      state: index.state,
      scans: index.scans,
      size: megabytes(index.bytes),
      built: index.builtAt === null ? '' : new Date(index.builtAt).toISOString().slice(0, 10),
    })),
  );
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_048_576))} MB`;
}
