/**
 * Collects the pages of the documentation site: the documents for readers of the product, with their links made to fit the site,
 * and the pages that are generated from the contract.
 */
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { generatedPages } from './pages.ts';

/** Documents of the site: files and folders below the root. Maintainers read the others in the sources. */
const DOCUMENTS = [
  'docs/.vitepress/home.md',
  'docs/administering.md',
  'docs/building-communities.md',
  'docs/command.md',
  'docs/decisions',
  'docs/glossary.md',
  'docs/importing.md',
  'docs/interface.md',
  'docs/operating',
  'docs/performance-appendix.md',
  'docs/performance.md',
  'docs/quick-starts.md',
  'docs/reading-posts.md',
  'docs/security.md',
  'docs/webhooks.md',
  'docs/writing-posts.md',
  'packages/sdk/README.md',
  'CHANGELOG.md',
];

/** Pages whose place in the site is another one than in the sources. */
const PLACES: Readonly<Record<string, string>> = {
  'docs/.vitepress/home.md': 'index.md',
  'docs/decisions/README.md': 'decisions/index.md',
  'packages/sdk/README.md': 'library.md',
  'CHANGELOG.md': 'changes.md',
};

const placeOf = (path: string) => PLACES[path] ?? path.replace(/^docs\//, '');

/** Languages of the programs and files that documents link to, by the end of their names. */
const LANGUAGES: Readonly<Record<string, string>> = {
  mjs: 'js',
  yaml: 'yaml',
  service: 'ini',
  conf: 'nginx',
  cfg: 'text',
  Caddyfile: 'text',
};

/** The pages by their place in the site. */
type Pages = Map<string, string>;

async function filesOf(root: string, path: string): Promise<string[]> {
  if ((await stat(join(root, path))).isFile()) return [path];
  const names = (await readdir(join(root, path))).sort();
  return names.filter((name) => name.endsWith('.md')).map((name) => `${path}/${name}`);
}

/**
 * Writes the pages and their pictures.
 * @param root of the sources
 * @param folder that is replaced
 */
export async function stageDocuments(root: string, folder: string): Promise<void> {
  const documents = (await Promise.all(DOCUMENTS.map((path) => filesOf(root, path)))).flat();
  const pages: Pages = new Map(generatedPages());
  for (const path of documents) {
    const text = await readFile(join(root, path), 'utf8');
    pages.set(placeOf(path), await withLinksOfSite(text, { root, path, documents, pages }));
  }
  await rm(folder, { recursive: true, force: true });
  for (const [place, text] of pages) {
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await writeFile(join(folder, place), text);
  }
  await cp(join(root, 'docs/screenshots'), join(folder, 'public/screenshots'), { recursive: true });
  await cp(join(root, 'docs/openapi.json'), join(folder, 'public/openapi.json'));
}

interface Context {
  readonly root: string;
  /** Of the document, from the root of the sources. */
  readonly path: string;
  readonly documents: readonly string[];
  /** Gains the programs and files that the document links to. */
  readonly pages: Pages;
}

/** Makes links fit the site: to pages of it; a link to a source that the site does not have becomes its text. */
async function withLinksOfSite(text: string, context: Context): Promise<string> {
  const parts = text.split(/(^```.*?^```$|(?<!!)\[[^\]]*\]\([^()\s]+\))/ms);
  const replaced = parts.map((part) => {
    const [, label, target] = /^\[([^\]]*)\]\(([^()\s]+)\)$/s.exec(part) ?? [];
    return label === undefined || target === undefined ? part : linkOf(label, target, context);
  });
  return (await Promise.all(replaced)).join('');
}

async function linkOf(label: string, target: string, { root, path, documents, pages }: Context): Promise<string> {
  if (/^(?:[a-z]+:|#)/.test(target)) return `[${label}](${target})`;
  const [file = '', anchor] = target.split('#');
  const source = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '');
  await stat(join(root, source)).catch(() => {
    throw new Error(`${path}: there is no ${source}`);
  });
  const place = await placeOfTarget(source);
  if (place === undefined) return label;
  const relative = posix.relative(posix.dirname(placeOf(path)), place);
  return `[${label}](${relative.startsWith('.') ? relative : `./${relative}`}${anchor ? `#${anchor}` : ''})`;

  async function placeOfTarget(found: string): Promise<string | undefined> {
    if (documents.includes(found)) return placeOf(found);
    if (documents.includes(`${found}/README.md`)) return placeOf(`${found}/README.md`);
    if (found === 'docs/openapi.json') return 'openapi.json';
    const language = LANGUAGES[found.split(/[./]/).at(-1) ?? ''];
    if (language === undefined || !/^(?:examples|deploy)\//.test(found)) return undefined;
    const page = `${found.replace(/\.(?=\w+$)/, '-')}.md`;
    const code = await readFile(join(root, found), 'utf8');
    pages.set(
      page,
      `# ${posix.basename(found)}\n\n\`${found}\` in the sources.\n\n\`\`\`\`${language}\n${code}\`\`\`\`\n`,
    );
    return page;
  }
}
