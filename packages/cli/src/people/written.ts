/** Flags of the writes of people, and what the commands print after a write. */
import type { Command } from 'commander';
import { printDryRun } from '../client/run.ts';
import type { Session } from '../session.ts';
import { openPage } from './browser.ts';
import { addShownOptions, asksForData, printData, type ShownFlags } from './flags.ts';
import { postPage } from './names.ts';

/** Flags of commands that write. */
export interface WriteFlags extends ShownFlags {
  title?: string;
  description?: string;
  field?: string[];
  attach?: string[];
  visibility?: number;
  draft?: boolean;
  editor?: boolean;
  dryRun?: boolean;
  web?: boolean;
}

/** Adds the flags of every write. */
export function addWriteOptions(command: Command): void {
  command
    .option('--dry-run', 'print the changes, and change nothing')
    .option('--yes', 'taken by every command that writes; this one does not ask')
    .option('--web', 'open the page of the post in the browser afterwards');
  addShownOptions(command);
}

/** Prints what a write has changed: a sentence, the changes of a dry run, or the answer as data. */
export async function tellWritten(
  { client }: Session,
  answer: unknown,
  postId: number | undefined,
  flags: WriteFlags,
  verb: string,
): Promise<void> {
  const { dryRun } = (answer ?? {}) as { dryRun?: Parameters<typeof printDryRun>[0] };
  if (flags.dryRun) return asksForData(flags) ? printData(dryRun ?? {}, flags) : printDryRun(dryRun ?? {});
  const page = postPage(client, postId as number);
  if (asksForData(flags)) await printData({ id: postId, url: page }, flags);
  else if (!flags.web) process.stdout.write(`${verb} post ${postId}: ${page}\n`);
  if (flags.web) await openPage(page);
}
