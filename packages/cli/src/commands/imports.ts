/** `portico api imports run|run-archive`: uploads a file, imports it and tells what became of it. */
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Import, ImportPhase, ImportRefusal, PlanCommunityArchiveResponse } from '@portico/contract';
import type { Command } from 'commander';
import { addCommonOptions, parseInteger } from '../client/flags.ts';
import { uploadFile } from '../client/run.ts';
import { exitCodes } from '../errors.ts';
import { ProgressBar } from '../progress-bar.ts';
import { type CommonOptions, openSession, type Session } from '../session.ts';
import { readNamedFile } from '../text-files.ts';

/** How often the progress is asked for. Milliseconds. */
const ASK_MS = 500;

const PHASES: Readonly<Record<ImportPhase, string>> = {
  reading: 'Reading',
  preparing: 'Creating missing objects',
  writing: 'Writing posts',
  references: 'Resolving references',
  history: 'Writing histories',
};

interface RunFlags extends CommonOptions {
  mapping: string;
  changes?: string;
  trial?: boolean;
}

/** Adds the command to `portico api imports`. */
export function addImportCommands(imports: Command): void {
  const run = imports
    .command('run')
    .argument('<community-id>', 'the community', parseInteger)
    .argument('<file>', 'file of rows: CSV or NDJSON, also with .gz')
    .summary('Upload a file, import it and print the rejected rows')
    .description(RUN_DESCRIPTION)
    .requiredOption('--mapping <path>', 'YAML file that says which column is what (docs/importing.md)')
    .option('--changes <path>', 'file of changes that become the history of the posts')
    .option('--trial', 'run the whole import, then roll it back');
  addCommonOptions(run)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api imports run 2 orders.csv --mapping orders.yaml --trial\n  $ portico api imports run 2 orders.csv.gz --mapping orders.yaml',
    )
    .action(async (communityId: number, path: string) => {
      const { mapping, changes, trial = false, ...flags } = run.opts<RunFlags>();
      const text = readNamedFile(mapping);
      await runImport(await openSession(flags), { communityId, path, mapping: text, changes, trial });
    });
}

/** `portico api imports run-archive`: a community whole from an archive. */
export function addArchiveImportCommand(imports: Command): void {
  const run = imports
    .command('run-archive')
    .argument('<file>', 'archive of a community, as "communities export-archive" writes it')
    .summary('Upload the archive of a community and import it as a new community')
    .description(
      'Upload an archive, show its content and the people whom it matches, import it as a new community, wait for its end, and print what was not taken. This requires both administrative rights.',
    )
    .option('--name <name>', 'name of the new community (default: that of the archive)')
    .option('--key <key>', 'key of the new community (default: that of the archive)')
    .option('--workspace-key <key>', 'key of its workspace (default: that of the archive)')
    .option('--plan', 'show the content, and import nothing');
  addCommonOptions(run)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico api imports run-archive purchasing.zip --plan\n  $ portico api imports run-archive purchasing.zip --key buy-2 --name "Purchasing 2"',
    )
    .action(async (path: string) => {
      const { name, key, workspaceKey, plan: only, ...flags } = run.opts<ArchiveFlags>();
      const session = await openSession(flags);
      const { client, options } = session;
      const { contentRef } = await uploadFile(session, path, {});
      const place = { contentRef, ...(name && { name }), ...(key && { key }), ...(workspaceKey && { workspaceKey }) };
      const plan = await client.imports.planArchive(place, options);
      process.stdout.write(archiveText(plan));
      if (only) return;
      const { planToken } = plan;
      const started = await client.imports.startArchive(
        { ...place, fileName: basename(path), ...(planToken !== undefined && { planToken }) },
        options,
      );
      await tellEnd(session, started.id as number);
    });
}

interface ArchiveFlags extends CommonOptions {
  name?: string;
  key?: string;
  workspaceKey?: string;
  plan?: boolean;
}

function archiveText(plan: PlanCommunityArchiveResponse): string {
  const { postsCount = 0, commentsCount = 0, filesCount = 0, peopleCount = 0, matchedCount = 0 } = plan;
  const people = (plan.people ?? []).flatMap(({ firstName, lastName, user, matchedBy }) =>
    user ? [`  ${firstName} ${lastName} is user ${user.id} (${matchedBy})`] : [],
  );
  return `${[
    `${plan.name} (${plan.key}), exported by ${plan.portal}: ${postsCount} posts, ${commentsCount} comments, ${filesCount} files.`,
    `${peopleCount} people, ${matchedCount} of them users here:`,
    ...people,
  ].join('\n')}\n`;
}

/** What the commands that import do. */
export const RUN_DESCRIPTION =
  'Upload a file of rows, import it into a community, wait for its end, and print the ' +
  'rejected rows and the outcome. Interrupting the command does not stop the import.';

/** An import to run. */
interface ImportToRun {
  communityId: number;
  /** Path of the file of rows. */
  path: string;
  /** Text of the mapping. */
  mapping: string;
  /** Path of the file of changes. */
  changes: string | undefined;
  trial: boolean;
}

/** Uploads the files, imports them with a bar on a terminal, and prints the outcome. */
export async function runImport(
  session: Session,
  { communityId, path, mapping, changes, trial }: ImportToRun,
): Promise<void> {
  const { client, options } = session;
  const upload = async (file: string) => ({
    contentRef: (await uploadFile(session, file, {})).contentRef,
    name: basename(file),
  });
  const rows = await upload(path);
  const changed = changes === undefined ? undefined : await upload(changes);
  const { id } = await client.imports.start(
    {
      communityId,
      contentRef: rows.contentRef,
      fileName: rows.name,
      ...(changed && { changesContentRef: changed.contentRef, changesFileName: changed.name }),
      mapping,
      trial,
    },
    options,
  );
  await tellEnd(session, id as number);
}

/** Waits for the end of an import with a bar on a terminal, and prints the outcome. */
async function tellEnd({ client, options }: Session, importId: number): Promise<void> {
  const ended = await untilEnded(() => client.imports.get({ importId }, options));
  for await (const refusal of client.imports.iterateRefusals({ importId, pageSize: 500 }, options))
    process.stdout.write(`${refusalText(refusal)}\n`);
  process.stdout.write(endText(ended));
  const { createdCount = 0, editedCount = 0, unchangedCount = 0 } = ended.report ?? {};
  const taken = createdCount + editedCount + unchangedCount;
  if (ended.state !== 'done' || (taken === 0 && (ended.rows ?? 0) > 0)) process.exitCode = exitCodes.failed;
}

async function untilEnded(read: () => Promise<Import>): Promise<Import> {
  const bar = new ProgressBar(process.stderr);
  try {
    for (;;) {
      const found = await read();
      if (found.endTimestamp !== undefined) return found;
      const { phase, readRows = 0, rows } = found;
      bar.show(phase ? PHASES[phase] : 'Waiting', phase === 'writing' && rows ? readRows / rows : undefined);
      await setTimeout(ASK_MS);
    }
  } finally {
    bar.clear();
  }
}

function refusalText({ line, file, column, value, reason, lost }: ImportRefusal): string {
  const where = [
    `${file === 'changes' ? 'change' : 'row'} at line ${line}`,
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(value === undefined ? [] : [`"${value}"`]),
  ];
  return `${where.join(', ')}: ${reason} (${lost === 'row' ? 'not taken' : 'taken without this value'})`;
}

function endText({ state, problem, trial, rows = 0, report = {}, notes = [] }: Import): string {
  const lines = notes.map((note) => `note: ${note}`);
  if (problem !== undefined) lines.push(problem);
  if (state !== 'failed') {
    const { createdCount = 0, editedCount = 0, unchangedCount = 0, refusedCount = 0 } = report;
    lines.push(
      `${rows} rows: ${createdCount} created, ${editedCount} edited, ${unchangedCount} unchanged, ${refusedCount} not taken.`,
    );
  }
  if (state === 'cancelled') lines.push('The import was cancelled.');
  if (trial) lines.push('Trial: no changes were saved.');
  return `${lines.join('\n')}\n`;
}
