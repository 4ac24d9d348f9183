/**
 * The Python Enhancement Proposals from their files, from which the expected answers of the suite
 * are computed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const DIRECTORY = new URL('../../../shared/data/peps/', import.meta.url);

export const PEPS_FILE = fileURLToPath(new URL('peps.ndjson.gz', DIRECTORY));
export const CHANGES_FILE = fileURLToPath(new URL('changes.ndjson.gz', DIRECTORY));
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

function lines<T>(file: string): T[] {
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

export function readPeps(): Pep[] {
  return lines<Pep>(PEPS_FILE);
}

export function readChanges(): PepChange[] {
  type Commit = { at: number; author: string; summary: string; changes: { number: number }[] };
  return lines<Commit>(CHANGES_FILE).flatMap(({ at, author, summary, changes }) =>
    changes.map(({ number }) => ({ number, at, author, summary })),
  );
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
