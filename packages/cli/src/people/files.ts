/** `portico import` and `portico export`: files of rows into a community and out of it. */
import type { Command } from 'commander';
import { addWhereOptions, conditions } from '../client/flags.ts';
import { addExportOptions, type ExportFlags, writeExport } from '../commands/export.ts';
import { RUN_DESCRIPTION, runImport } from '../commands/imports.ts';
import { type CommonOptions, openSession } from '../session.ts';
import { readNamedFile } from '../text-files.ts';
import { reads, writes } from '../words.ts';
import { addPeopleOptions } from './flags.ts';
import { communityNamed, withPeople } from './names.ts';

interface ImportFlags extends CommonOptions {
  mapping: string;
  changes?: string;
  dryRun?: boolean;
}

/** Adds `portico import`. */
export function importCommand(program: Command): void {
  const command = writes(program.command('import'))
    .summary('Import rows of a file as posts of a community')
    .description(RUN_DESCRIPTION)
    .argument('<community>', 'the community, by name or number')
    .argument('<file>', 'file of rows: CSV or NDJSON, also with .gz')
    .requiredOption('--mapping <file>', 'YAML file that says which column is what (docs/importing.md)')
    .option('--changes <file>', 'file of changes that become the history of the posts')
    .option('--dry-run', 'run the whole import, then roll it back; the report is the same')
    .option('--yes', 'taken by every command that writes; this one does not ask');
  addPeopleOptions(command)
    .addHelpText(
      'after',
      `
Repeating an import is safe: rows are found again by their external id. "portico api imports undo" takes one back.

Examples:
  $ portico import Purchasing orders.csv --mapping orders.yaml --dry-run
  $ portico import Purchasing orders.csv.gz --mapping orders.yaml`,
    )
    .action(async (given: string, path: string) => {
      const { mapping, changes, dryRun = false, ...flags } = command.opts<ImportFlags>();
      const text = readNamedFile(mapping);
      const session = await openSession(flags);
      const { id } = await communityNamed(session, given);
      await runImport(session, { communityId: id, path, mapping: text, changes, trial: dryRun });
    });
}

interface FileFlags extends ExportFlags {
  where?: string[];
  state?: string[];
  hashtag?: string[];
}

/** Adds `portico export`. */
export function exportCommand(program: Command): void {
  const command = reads(program.command('export'))
    .summary('Write the posts of a community to a file')
    .description(
      'Write the posts of a community as CSV, a workbook or lines of JSON, with labels, names and times as people read them.',
    )
    .argument('<community>', 'the community, by name or number');
  addWhereOptions(command);
  addExportOptions(command);
  command
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico export Purchasing --format xlsx --output orders.xlsx\n  $ portico export "IT Service Desk" --state Open --format ndjson',
    )
    .action((given: string) => {
      const flags = command.opts<FileFlags>();
      return writeExport(flags, async (session, options) => {
        const { id: communityId } = await communityNamed(session, given);
        const where = await withPeople(session, communityId, conditions(flags.where ?? []));
        return session.client.posts.export(
          {
            communityId,
            ...(flags.where && { where: where as Record<string, string> }),
            ...(flags.state && { state: flags.state }),
            ...(flags.hashtag && { hashtags: flags.hashtag }),
          },
          options,
        );
      });
    });
}
