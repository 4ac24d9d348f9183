import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { addCommonOptions, parseMoment } from '../client/flags.ts';
import { CommandError, UsageError } from '../errors.ts';
import { withOperator } from '../operator.ts';
import { type CommonOptions, openSession } from '../session.ts';

/** Adds the verb of `portico api audit` that is no operation of the interface. */
export function addAuditCommands(audit: Command): void {
  addExport(audit);
}

/** `portico admin audit`: the audit log in the database. */
export function auditCommand(admin: Command): void {
  const audit = admin.command('audit').description('Verify the audit log, and remove its old entries');
  addVerify(audit);
  addPrune(audit);
}

interface ExportFlags extends CommonOptions {
  from?: number;
  to?: number;
  file?: string;
}

function addExport(audit: Command): void {
  const command = audit
    .command('export')
    .summary('Write the audit log as lines of JSON')
    .description('Write the entries of the audit log, oldest first, as one JSON object a line.')
    .option('--from <moment>', 'only entries at or after this time', parseMoment)
    .option('--to <moment>', 'only entries before this time', parseMoment)
    .option('--file <path>', 'file to write, which must not exist (default: standard output)');
  addCommonOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api audit export --file audit.ndjson\n  $ portico api audit export --from 2031-01-01 --to 2031-02-01 | gzip > january.ndjson.gz',
    )
    .action(async () => {
      const { from, to, file, ...flags } = command.opts<ExportFlags>();
      const { client } = await openSession(flags);
      const entries = client.audit.iterate({
        orderDesc: false,
        pageSize: 500,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      });
      const lines = async function* () {
        for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
      };
      if (file === undefined) {
        // Standard output stays open for what else the program writes.
        for await (const line of lines()) {
          if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve));
        }
        return;
      }
      try {
        await pipeline(Readable.from(lines()), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new UsageError(`${file} already exists.`);
        throw error;
      }
    });
}

function addVerify(audit: Command): void {
  audit
    .command('verify')
    .summary('Verify the audit log')
    .description(
      'Verify that no entry of the audit log was changed, removed or inserted, and print the head. Keep the head elsewhere: with it, a later verification also finds entries that were removed from the end.',
    )
    .requiredOption('--tenant <name>', 'the tenant')
    .option('--head <position:hash>', 'head printed by an earlier verification')
    .addHelpText(
      'after',
      '\nExits with 1 and names the first broken entry when the log was changed.\n\nExamples:\n  $ portico admin audit verify --tenant acme\n  $ portico admin audit verify --tenant acme --head 1207:pXJ0…',
    )
    .action(async (flags: { tenant: string; head?: string }) => {
      const kept = flags.head === undefined ? undefined : readHead(flags.head);
      const report = await withOperator((session) => session.verifyAuditLog(flags.tenant, kept));
      if (report.checkpoint)
        process.stdout.write(
          `Entries up to position ${report.checkpoint.position} were removed because of their age.\n`,
        );
      process.stdout.write(`${verifiedLine(report)}\n`);
      if (report.fault) throw new CommandError(report.fault.problem);
      process.stdout.write(`Head: ${report.head.position}:${report.head.hash}\n`);
    });
}

/** The line that says how many entries were verified. */
export function verifiedLine({ entries, waiting }: { entries: number; waiting: number }): string {
  const verified = `Verified ${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  return `${verified}; ${waiting} ${waiting === 1 ? 'is' : 'are'} not chained yet.`;
}

function readHead(text: string): { position: number; hash: string } {
  const [, position, hash] = /^(\d{1,15}):([\w-]*)$/.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new UsageError('--head takes what "portico admin audit verify" printed: a place, a colon and a hash.');
  return { position: Number(position), hash };
}

function addPrune(audit: Command): void {
  audit
    .command('prune')
    .summary('Remove old entries of the audit log')
    .description(
      'Remove entries that are older. A checkpoint is left, from which the rest is verified, and an entry that says how many were removed.',
    )
    .option('--tenant <name>', 'the tenant (default: all tenants whose settings have auditRetentionDays)')
    .option('--older-than <days>', 'age of the entries (default: auditRetentionDays in the settings of the tenant)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico admin audit prune\n  $ portico admin audit prune --tenant acme --older-than 365',
    )
    .action(async ({ tenant, olderThan }: { tenant?: string; olderThan?: string }) => {
      if (olderThan !== undefined && !/^[1-9]\d{0,4}$/.test(olderThan))
        throw new UsageError(`--older-than takes a whole number of days from 1, not "${olderThan}".`);
      if (olderThan !== undefined && tenant === undefined)
        throw new UsageError('--older-than is for one tenant; name it with --tenant.');
      if (tenant === undefined) {
        const logs = await withOperator((session) => session.pruneAuditLogs());
        for (const log of logs)
          if (log.problem === undefined) process.stdout.write(`${log.tenant}: removed ${log.removed} entries.\n`);
          else process.stderr.write(`${log.tenant}: ${log.problem}\n`);
        if (logs.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
        return;
      }
      const removed = await withOperator((session) =>
        session.pruneAuditLog(tenant, olderThan === undefined ? undefined : Number(olderThan)),
      );
      process.stdout.write(`Removed ${removed} entries.\n`);
    });
}
