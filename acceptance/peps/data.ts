/**
 * The Python Enhancement Proposals from their files, from which the suite computes the expected
 * answers: all of them at full length, otherwise a third.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { longForm } from '@portico/server/testing/process';

const DIRECTORY = new URL('../../../shared/data/peps/', import.meta.url);

const PEPS_FILE = fileURLToPath(new URL('peps.ndjson.gz', DIRECTORY));
const CHANGES_FILE = fileURLToPath(new URL('changes.ndjson.gz', DIRECTORY));
export const MAPPING_FILE = fileURLToPath(new URL('../../examples/peps/mapping.yaml', import.meta.url));

export const pepsArePresent = existsSync(PEPS_FILE) && existsSync(CHANGES_FILE);

/** A line of the file of proposals. Times are epoch milliseconds. */
export interface Pep {
  number: number;
  title: string;
  status: string;
  type: string;
  topics: string[];
  authors: string[];
  sponsor: string | null;
  delegate: string | null;
  created: number;
  pythonVersion: string | null;
  requires: number[];
  replaces: number[];
  supersededBy: number[];
  discussion: string | null;
  resolution: string | null;
  postHistory: number[];
  body: string;
}

/** A change of one proposal: a line of the file of changes names several. */
export interface PepChange {
  number: number;
  at: number;
  author: string;
  summary: string;
}

type Commit = { at: number; author: string; summary: string; changes: { number: number }[] };

function lines<T>(file: string): T[] {
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

/** Proposals that tests name. */
const NAMED: ReadonlySet<number> = new Set([1, 7, 8]);

/** Reads the proposals. If only a part is read, references outside it are omitted. */
export function readPeps(): Pep[] {
  const all = lines<Pep>(PEPS_FILE);
  const taken = all.filter(({ number }, index) => longForm || index % 3 === 0 || NAMED.has(number));
  const known = new Set(taken.map(({ number }) => number));
  const within = (numbers: number[]) => (longForm ? numbers : numbers.filter((number) => known.has(number)));
  return taken.map((pep) => ({
    ...pep,
    requires: within(pep.requires),
    replaces: within(pep.replaces),
    supersededBy: within(pep.supersededBy),
  }));
}

function readCommits(peps: readonly Pep[]): Commit[] {
  const known = new Set(peps.map(({ number }) => number));
  return lines<Commit>(CHANGES_FILE)
    .map((commit) => ({
      ...commit,
      changes: longForm ? commit.changes : commit.changes.filter(({ number }) => known.has(number)),
    }))
    .filter(({ changes }) => changes.length > 0);
}

/** Reads the changes of some proposals. */
export function readChanges(peps: readonly Pep[]): PepChange[] {
  return readCommits(peps).flatMap(({ at, author, summary, changes }) =>
    changes.map(({ number }) => ({ number, at, author, summary })),
  );
}

/** Writes what is imported: the files as they are, or those of a part. @returns their paths */
export function filesOf(peps: readonly Pep[], directory: string): { peps: string; changes: string } {
  if (longForm) return { peps: PEPS_FILE, changes: CHANGES_FILE };
  const write = (name: string, rows: readonly object[]) => {
    const path = join(directory, name);
    writeFileSync(path, gzipSync(rows.map((row) => JSON.stringify(row)).join('\n')));
    return path;
  };
  return { peps: write('peps.ndjson.gz', peps), changes: write('changes.ndjson.gz', readCommits(peps)) };
}

const STROKES: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', æ: 'ae', œ: 'oe' };

/** Text as people compare it: case, accents and the width of spaces do not count. */
export function fold(text: string): string {
  const bare = (part: string) => part.normalize('NFKD').replace(/\p{M}|\p{Default_Ignorable_Code_Point}/gu, '');
  return bare(bare(text).toLowerCase().toUpperCase().toLowerCase())
    .replace(/[øłđðħæœ]/g, (letter) => STROKES[letter]!)
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Hashtags that the mapping derives from type and topics. */
export function hashtagsOf(pep: Pep): string[] {
  return [pep.type, ...pep.topics].map((name) => name.toLowerCase().replaceAll(' ', '-'));
}

/** Everything that containsText looks into, folded. */
export function searchedText(pep: Pep): string {
  const dates = pep.postHistory.map((at) => new Date(at).toISOString().slice(0, 10)).join(', ');
  const tags = hashtagsOf(pep)
    .map((name) => `#${name}`)
    .join(' ');
  const parts = [pep.title, pep.body, tags, pep.pythonVersion, pep.discussion, pep.resolution, dates];
  return fold(parts.filter((part) => part !== null).join('\n'));
}

/** Order of folded text: by code point. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
