/**
 * Checks the documents: hand-written pages have few words together, docs/README.md has a line for each page, and links to
 * files and their headings lead somewhere.
 * usage: node scripts/docs/check.ts
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Most words of all hand-written pages below docs/, decisions included. */
const MAX_WORDS = 40_000;

/** Opens a page that a program writes. */
const WRITTEN = '<!-- Written by `npm run bench`';

/** A Markdown file. */
interface Page {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const withoutCode = (text: string) => text.replace(/^ *```.*?^ *```$/gms, '');

/** Counts the pieces between blanks that have a letter or a digit, outside of blocks of code. */
export const countWords = (text: string): number =>
  withoutCode(text)
    .split(/\s+/)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;

const isDocument = ({ path }: Page) => path.startsWith('docs/');

/** @returns a sentence if the hand-written pages of docs/ have too many words together */
export function checkWords(pages: readonly Page[], limit = MAX_WORDS): string[] {
  const written = pages.filter((page) => isDocument(page) && !page.text.includes(WRITTEN));
  const words = written.reduce((sum, { text }) => sum + countWords(text), 0);
  if (words <= limit) return [];
  return [`The hand-written pages of docs/ have ${words} words, ${words - limit} too many; say it shorter, and once`];
}

/** The address of a heading on its page, as GitHub makes it. */
const slugOf = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const headingsOf = (text: string) =>
  new Set([...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading)));

/** The files and headings that a page links to; addresses of other hosts and of the portal are left out. */
function linksOf({ path, text }: Page): { link: string; file: string; heading: string }[] {
  const prose = withoutCode(text).replace(/`[^`]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^()\s]+)\)(?!\{)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^(?:[a-z]+:|\/)/.test(link))
    .map((link) => {
      const [name = '', heading = ''] = link.split('#');
      const file = name === '' ? path : posix.normalize(posix.join(posix.dirname(path), name)).replace(/\/$/, '');
      return { link, file, heading };
    });
}

/**
 * Checks the links of pages.
 * @param exists whether a file or folder exists, by its path from the root
 * @returns a sentence for each link that leads nowhere
 */
export function checkLinks(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  const headings = new Map(pages.map(({ path, text }) => [path, headingsOf(text)]));
  return pages.flatMap((page) =>
    linksOf(page).flatMap(({ link, file, heading }) => {
      if (!exists(file)) return [`${page.path} links to ${link}, which does not exist`];
      if (heading && !(headings.get(file)?.has(heading) ?? true))
        return [`${page.path} links to ${link}, and the page has no such heading`];
      return [];
    }),
  );
}

/** @returns a sentence for each page to which neither docs/README.md nor the README of its folder has a link */
export function checkEntrances(pages: readonly Page[]): string[] {
  const linked = new Set(
    pages.filter(({ path }) => path.endsWith('README.md')).flatMap((page) => linksOf(page).map(({ file }) => file)),
  );
  return pages
    .filter((page) => isDocument(page) && !/README\.md$|\/\./.test(page.path))
    .filter(({ path }) => !linked.has(path) && !linked.has(posix.dirname(path)))
    .map(({ path }) => `docs/README.md has no line for ${path}`);
}

/** Templates of pages are written to another folder. */
const isPage = (path: string) => !path.endsWith('.template.md');

function readPages(): Page[] {
  const names = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return names
    .split('\n')
    .filter((path) => path !== '' && isPage(path) && existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = readPages();
  const faults = [
    ...checkWords(pages),
    ...checkEntrances(pages),
    ...checkLinks(pages, (path) => existsSync(join(ROOT, path))),
  ];
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
