/** A script that tries what it is asked to, in the place of one that looks at files. */
import { readFileSync, writeFileSync } from 'node:fs';
import { answerJobs } from './isolated-child.ts';

export interface ProbeJob {
  readonly read?: string;
  readonly write?: string;
}

export interface ProbeAnswer {
  /** What the file holds. */
  readonly text: string;
  readonly uid: number | undefined;
  readonly environment: readonly string[];
}

answerJobs<ProbeJob, ProbeAnswer>(async ({ read, write }) => {
  if (write !== undefined) writeFileSync(write, 'written');
  return {
    text: read === undefined ? '' : readFileSync(read, 'utf8'),
    uid: process.getuid?.(),
    environment: Object.keys(process.env),
  };
});
