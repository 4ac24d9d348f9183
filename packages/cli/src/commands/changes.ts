import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { addCommonOptions, parseNumber } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { type OutputFormat, projected, RowPrinter } from '../output.ts';
import { type CommonOptions, openSession } from '../session.ts';

interface FollowFlags extends CommonOptions {
  syncToken?: string;
  stateFile?: string;
  interval: number;
  once?: boolean;
  ndjson?: boolean;
  output: OutputFormat;
  fields?: string[];
}

/** `portico api changes follow`: the stream as lines, for pipelines. */
export function addFollowCommand(changes: Command): void {
  const command = changes
    .command('follow')
    .summary('Print every post as it changes, one JSON object a line')
    .description(
      'Print every post that is created, modified, touched or deleted, as it happens, one JSON object a line. Deliveries happen at least once: after a reconnect, the last batch repeats.',
    )
    .option('--sync-token <token>', 'continue from this token (default: begin with every visible post)')
    .option('--state-file <file>', 'read the token from this file and save it there after each complete round')
    .option('--interval <seconds>', 'wait this long between rounds', parseNumber, 5)
    .option('--once', 'exit after everything up to now was printed')
    .option('--ndjson', 'one JSON object a line (the default for this command)');
  addCommonOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  $ portico api changes follow --ndjson --state-file token.txt | while read -r line; do echo "$line"; done
  $ portico api changes follow --once --fields status,id,title --output csv`,
    )
    .action(async () => {
      const flags = command.opts<FollowFlags>();
      const { client, options } = await openSession(flags);
      const once = flags.once ?? false;
      const asTable = command.getOptionValueSource('output') === 'cli' && !flags.ndjson && flags.output !== 'ndjson';
      if (asTable && !once && flags.output !== 'csv') {
        throw new UsageError(`--output ${flags.output} requires --once. Use --once, or the format ndjson or csv.`);
      }
      const printer = asTable
        ? new RowPrinter({
            format: flags.output,
            fields: flags.fields,
            columns: ['status', 'id', 'communityId', 'title'],
          })
        : undefined;
      const follower = client.changes.follow({
        syncToken: flags.syncToken ?? readToken(flags.stateFile),
        intervalMs: flags.interval * 1000,
        once,
        ...(options.signal && { signal: options.signal }),
        onSync: (token) => {
          if (flags.stateFile !== undefined) keepToken(flags.stateFile, token);
        },
      });
      for await (const item of follower) {
        if (printer) printer.add(item);
        else process.stdout.write(`${JSON.stringify(projected(item, flags.fields))}\n`);
      }
      await printer?.end();
      if (flags.stateFile === undefined && follower.syncToken !== undefined) {
        process.stderr.write(`To continue later: --sync-token ${follower.syncToken}\n`);
      }
    });
}

interface LiveFlags extends CommonOptions {
  communityIds?: string;
  lastEventId?: string;
}

/** `portico api changes listen`: changes as lines while they happen. */
export function addListenCommand(changes: Command): void {
  const command = changes
    .command('listen')
    .summary('Print changes while they happen, one JSON object a line')
    .description(
      'Print events of the posts that you see, within a second, one JSON object a line: `post` ' +
        'with the id and the kind of change; `ready` when the connection stands; `reset` when ' +
        'changes may have been missed; `access` when your roles have changed. After an ' +
        'interruption it continues at the same position. To keep a copy of posts, use `changes ' +
        'follow`.',
    )
    .option('--community-ids <ids>', 'only changes in these communities, separated by commas')
    .option('--last-event-id <id>', 'begin with events after this event (`lastEventId` of a line)');
  addCommonOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  $ portico api changes listen
  $ portico api changes listen --community-ids 2,3 | while read -r line; do echo "$line"; done`,
    )
    .action(async () => {
      const flags = command.opts<LiveFlags>();
      const communityIds = flags.communityIds?.split(',').map(parseNumber);
      const { client, options } = await openSession(flags);
      const events = client.changes.listen({
        ...(communityIds && { communityIds }),
        ...(flags.lastEventId !== undefined && { lastEventId: flags.lastEventId }),
        ...(options.signal && { signal: options.signal }),
      });
      for await (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`);
    });
}

function readToken(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function keepToken(path: string, token: string): void {
  writeFileSync(`${path}.new`, `${token}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
