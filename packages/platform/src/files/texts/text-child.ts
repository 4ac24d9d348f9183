/** Reads the text of documents of users, in a process of its own. */
import { readFile } from 'node:fs/promises';
import { answerJobs } from '../isolation/isolated-child.ts';
import { extractText } from './extract-text.ts';
import type { TextJob } from './text-reader.ts';

answerJobs<TextJob, string>(async ({ input, mimeType }) => extractText(mimeType, await readFile(input)));
