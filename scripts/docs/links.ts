/** Examines the built site: every link leads to a page and an anchor that exist, and nothing is loaded from elsewhere. */
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** Elements and attributes that make a browser load something. */
const LOADED = /<(?:script|img|link|iframe|source|video|audio)\b[^>]*?\s(?:src|href)="([^"]*)"/g;
const LINKED = /<a\b[^>]*?\shref="([^"]*)"/g;

const attributes = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'));

/**
 * Examines the pages.
 * @param folder of the built site
 * @param base address that it is built for
 * @returns what is wrong, a sentence each
 */
export async function faultsOfSite(folder: string, base: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const pages = new Map<string, { html: string; ids: Set<string> }>();
  for (const name of names.filter((file) => file.endsWith('.html'))) {
    const html = await readFile(join(folder, name), 'utf8');
    pages.set(name, { html, ids: new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)) });
  }
  const files = new Set(names);
  const faults: string[] = [];
  for (const [name, { html }] of pages) {
    for (const address of attributes(html, LOADED)) {
      if (address.startsWith('data:')) continue;
      if (!address.startsWith(base)) faults.push(`${name} loads ${address}`);
      else if (!files.has(address.slice(base.length))) faults.push(`${name} loads ${address}, which does not exist`);
    }
    for (const address of attributes(html, LINKED)) {
      const url = new URL(address, `http://site.invalid${base}${name}`);
      if (url.host !== 'site.invalid' || !url.pathname.startsWith(base)) continue;
      const target = fileOf(decodeURIComponent(url.pathname.slice(base.length)), files);
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (target === undefined) faults.push(`${name} links to ${address}, which does not exist`);
      else if (anchor && !(pages.get(target)?.ids.has(anchor) ?? true))
        faults.push(`${name} links to ${address}, and the page has no such part`);
    }
  }
  return faults;
}

/** The file that is served at a path below the address of the site. */
function fileOf(path: string, files: ReadonlySet<string>): string | undefined {
  return [path, `${path}.html`, posix.join(path, 'index.html')].find((name) => files.has(name));
}
