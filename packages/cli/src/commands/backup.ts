import { type Command, Option } from 'commander';
import { parseMoment } from '../client/flags.ts';
import { CommandError, UsageError } from '../errors.ts';
import { loadOperator } from '../operator.ts';
import { type OutputFormat, outputFormats, printObject, printTable } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';

const FROM = '--from <place>';
const PLACE = 'a folder, or s3://BUCKET/PREFIX (default: PORTICO_BACKUP_TO)';

/** `portico backup …`: backups of the whole installation. */
export function backupCommand(program: Command): void {
  const backup = program
    .command('backup')
    .description('Create, verify, restore, list and prune backups of the whole installation (operator)');
  addCreate(backup);
  addVerify(backup);
  addRestore(backup);
  addList(backup);
  addPrune(backup);
  addReport(backup);
  addKey(backup);
}

/** The tenants and files of a backup, in words. */
function holds({
  tenants,
  files: { count },
}: {
  readonly tenants: number;
  readonly files: { readonly count: number };
}): string {
  return `${tenants} ${tenants === 1 ? 'tenant' : 'tenants'} and ${count} ${count === 1 ? 'file' : 'files'}`;
}

/** Progress is no result: standard output may be the archive. */
const bar = new ProgressBar(process.stderr);
const progress = (label: string, part: number | undefined) => bar.show(label, part);
const tell = (sentence: string) => {
  bar.clear();
  process.stderr.write(`${sentence}\n`);
};

/** Takes the bar away when the work ends, also when it fails. */
async function withBar<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } finally {
    bar.clear();
  }
}

function addCreate(backup: Command): void {
  backup
    .command('create')
    .summary('Back up database and files while the portal runs')
    .description(
      'Back up the database and the files as they are at one moment, while the portal runs and writes. The encryption keys of the portal are never in a backup: keep them apart. A backup that was interrupted stays unfinished, and is never restored.',
    )
    .option('--to <place>', `${PLACE}; - writes one ZIP archive to standard output`)
    .option('--incremental', 'copy only files that no earlier backup of the place holds', false)
    .option('--rows', 'read the rows of an external database also where pg_dump is found', false)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico backup create --to /backup/portico\n  $ portico backup create --incremental\n  $ portico backup create --to - | ssh vault "cat > portico.zip"',
    )
    .action(async (flags: { to?: string; incremental: boolean; rows: boolean }) => {
      const operator = await loadOperator();
      const started = performance.now();
      const { manifest, bytes } = await withBar(
        operator.makeBackup({
          ...(flags.to === '-' ? { archive: process.stdout } : { to: flags.to }),
          kind: flags.incremental ? 'incremental' : 'full',
          programs: !flags.rows,
          tell,
          progress,
        }),
      );
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      const { backupKey } = manifest;
      const locked = backupKey === null ? '' : `\nIt is encrypted for ${backupKey.replaceAll(',', ', ')}.`;
      const said = `Backup ${manifest.name}: ${holds(manifest)} of ${manifest.moment}, ${bytes} bytes, in ${seconds} s.\nIt needs the encryption keys ${manifest.encryptionKeys.join(', ')}, which are not in it.${locked}`;
      if (flags.to === '-') tell(said);
      else process.stdout.write(`${said}\n`);
    });
}

function addVerify(backup: Command): void {
  backup
    .command('verify')
    .summary('Read a backup and compare all checksums')
    .description(
      'Read the whole backup, compare all checksums and numbers of rows, and say which encryption keys a restored portal needs. Ends with 1 when the backup is damaged or incomplete.',
    )
    .argument('[name]', 'the backup, as "portico backup list" shows it (default: the newest)')
    .option(FROM, PLACE)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico backup verify\n  $ portico backup verify portico-20310401T020000Z-3f29ac --from /backup/portico',
    )
    .action(async (name: string | undefined, { from }: { from?: string }) => {
      const operator = await loadOperator();
      const { manifest, problems, notes, missingKeys } = await operator.checkBackup({ from, name });
      for (const note of notes) process.stdout.write(`${note}\n`);
      for (const problem of problems) process.stderr.write(`${problem}\n`);
      if (problems.length > 0) throw new CommandError(`The backup ${manifest.name} is damaged.`);
      const { files, encryptionKeys } = manifest;
      process.stdout.write(`The backup ${manifest.name} is complete: ${manifest.moment}, ${files.count} files.\n`);
      if (files.missing.length > 0)
        process.stdout.write(`Files that the portal had lost before: ${files.missing.join(', ')}.\n`);
      const there =
        missingKeys.length === 0 ? 'all are configured here' : `not configured here: ${missingKeys.join(', ')}`;
      process.stdout.write(`It needs the encryption keys ${encryptionKeys.join(', ')}; ${there}.\n`);
    });
}

function addRestore(backup: Command): void {
  backup
    .command('restore')
    .summary('Restore a backup into an empty installation')
    .description(
      'Restore a backup into an empty database and an empty storage of files, which the environment names as for the service. Put the encryption keys in place first. Sign-ins and ids stay valid; followers of the change streams start afresh, and links to files are made anew.',
    )
    .argument('[name]', 'the backup, as "portico backup list" shows it (default: the newest)')
    .option(FROM, `${PLACE}; also an unpacked archive`)
    .option('--without-keys', 'restore although encryption keys are missing', false)
    .option('--keep-files', 'restore although the storage has other files', false)
    .option(
      '--to <moment>',
      'restore the embedded database as of this time, such as 2031-04-01T09:30:00Z, or "latest"; needs PORTICO_BACKUP_LOG',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ PORTICO_DATA_DIR=/var/lib/portico/new portico backup restore --from /backup/portico\n  $ portico backup restore portico-20310401T020000Z-3f29ac\n  $ portico backup restore --to 2031-04-01T09:30:00Z',
    )
    .action(async (name: string | undefined, flags: RestoreFlags) => {
      const operator = await loadOperator();
      if (flags.to !== undefined) {
        process.stdout.write(await restoreTo(operator, name, { ...flags, to: flags.to }));
        return;
      }
      const manifest = await withBar(operator.restoreInstallation({ ...flags, name, tell, progress }));
      process.stdout.write(
        `Restored ${manifest.name}: ${holds(manifest)} as of ${manifest.moment}. Start the service; erase again people who were erased since.\n`,
      );
    });
}

interface RestoreFlags {
  from?: string;
  withoutKeys: boolean;
  keepFiles: boolean;
  to?: string;
}

/** Restores to a moment. @returns what was restored, in words */
async function restoreTo(
  operator: Awaited<ReturnType<typeof loadOperator>>,
  name: string | undefined,
  { from, to, withoutKeys, keepFiles }: RestoreFlags & { to: string },
): Promise<string> {
  if (name !== undefined || keepFiles)
    throw new UsageError(
      '--to finds the backup itself and keeps files that are there: leave out name and --keep-files.',
    );
  const moment = to === 'latest' ? undefined : new Date(parseMoment(to));
  if (moment && moment.getTime() > Date.now()) throw new UsageError('--to takes a time that has passed.');
  const restored = await operator.restoreInstallationTo({ from, moment, withoutKeys, tell });
  const { missing, tenants, files } = restored;
  const lost = missing.length === 0 ? '' : `Files that are in no backup: ${missing.join(', ')}.\n`;
  const as = moment ? moment.toISOString() : 'the end of the archived log';
  return `${lost}Restored ${restored.name} and the log up to ${as}: ${holds({ tenants, files: { count: files } })}. Start the service; erase again people who were erased since.\n`;
}

function addList(backup: Command): void {
  backup
    .command('list')
    .summary('List backups')
    .description('List the backups of a place, the oldest first. A backup that was interrupted is unfinished.')
    .option(FROM, PLACE)
    .addOption(new Option('-o, --output <format>', 'how to print').choices(outputFormats).default('table'))
    .addHelpText('after', '\nExamples:\n  $ portico backup list\n  $ portico backup list --from s3://backups/portico/')
    .action(async ({ from, output }: { from?: string; output: OutputFormat }) => {
      const found = await (await loadOperator()).findBackups(from);
      if (output !== 'table') return printObject(found, { format: output });
      printTable(
        found.map(({ name, state, kind, moment, tenants, files, bytes }) => ({
          name,
          state,
          kind: kind ?? '',
          moment: moment ?? '',
          tenants: tenants ?? '',
          files: files ?? '',
          bytes: bytes ?? '',
        })),
      );
    });
}

function addPrune(backup: Command): void {
  backup
    .command('prune')
    .summary('Remove old backups')
    .description(
      'Remove backups that neither --keep nor --keep-days keeps. The newest backup stays, and so does a backup that holds files of one that stays. Unfinished ones are removed after a day.',
    )
    .option('--keep <number>', 'keep so many of the newest (default: PORTICO_BACKUP_KEEP)', wholeNumber('--keep'))
    .option('--keep-days <days>', 'keep backups up to this age', wholeNumber('--keep-days'))
    .option('--dry-run', 'only list them', false)
    .option(FROM, PLACE)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico backup prune --keep 7 --dry-run\n  $ portico backup prune --keep 3 --keep-days 30',
    )
    .action(async (flags: { from?: string; keep?: number; keepDays?: number; dryRun: boolean }) => {
      const operator = await loadOperator();
      const { from, keep: count, keepDays: days, dryRun } = flags;
      const removed = await operator.removeBackups({ from, retention: { count, days }, dryRun });
      for (const name of removed) process.stdout.write(`${name}\n`);
      process.stdout.write(`${dryRun ? 'To be removed' : 'Removed'}: ${removed.length}.\n`);
    });
}

function addReport(backup: Command): void {
  backup
    .command('report')
    .summary('Record a backup that another tool made')
    .description(
      'Record a backup that another tool made, such as pgBackRest or a snapshot of the volume, so that portico_backup_age_seconds in /metrics counts from it.',
    )
    .requiredOption('--tool <name>', 'the tool')
    .option('--name <name>', 'name of the backup (default: its time)')
    .option('--place <text>', 'where it is, in words', '')
    .option('--moment <moment>', 'the time whose state it holds (default: now)', parseMoment)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico backup report --tool pgbackrest\n  $ portico backup report --tool snapshot --name daily-17 --moment 2031-04-01T02:00:00Z',
    )
    .action(async (flags: { tool: string; name?: string; place: string; moment?: number }) => {
      if (!/^[\w.-]{1,40}$/.test(flags.tool) || flags.tool === 'portico')
        throw new UsageError('--tool takes 1 to 40 letters, digits, dots, hyphens and underscores, and not "portico".');
      const moment = new Date(flags.moment ?? Date.now());
      if (moment.getTime() > Date.now()) throw new UsageError('--moment takes a time that has passed.');
      const name = flags.name ?? moment.toISOString();
      await (await loadOperator()).reportBackup({ tool: flags.tool, name, place: flags.place, moment });
      process.stdout.write(`Recorded ${name} of ${flags.tool}, as of ${moment.toISOString()}.\n`);
    });
}

function addKey(backup: Command): void {
  backup
    .command('key')
    .summary('Make a key that opens encrypted backups')
    .description(
      'Write a new private key, in the format of age, into a file that only its owner reads, and print its public key for PORTICO_BACKUP_RECIPIENTS. Keep the file away from the machine of the service: who has it reads the backups, and without it nobody does.',
    )
    .requiredOption('--out <file>', 'the file of the private key')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico backup key --out backup-key.txt\n  $ portico backup key --out /media/usb/backup-key.txt',
    )
    .action(async ({ out }: { out: string }) => {
      process.stdout.write(`${await (await loadOperator()).makeBackupKey(out)}\n`);
    });
}

function wholeNumber(flag: string) {
  return (text: string): number => {
    if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError(`${flag} takes a whole number from 1 to 99999.`);
    return Number(text);
  };
}
