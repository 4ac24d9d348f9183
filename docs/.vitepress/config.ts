/** The documentation site: `npm run docs`. Its pages are collected by scripts/docs/stage.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

const page = (text: string, link: string) => ({ text, link });

const pages = new URL('./pages/operations/', import.meta.url);

/** The pages of operations, with the first heading of each. */
const operationPages = readdirSync(pages)
  .filter((file) => file !== 'index.md')
  .map((file) => {
    const [, heading = file] = /^# (.+)$/m.exec(readFileSync(new URL(file, pages), 'utf8')) ?? [];
    return page(heading, `/operations/${file.replace(/\.md$/, '')}`);
  });

const start = [
  page('Quick starts', '/quick-starts'),
  page('Words', '/glossary'),
  page('Changes by version', '/changes'),
];

const integrate = [
  page('The interface', '/interface'),
  page('Reading posts', '/reading-posts'),
  page('Writing posts', '/writing-posts'),
  page('Webhooks', '/webhooks'),
  page('The client library', '/library'),
  page('Errors', '/errors'),
  {
    text: 'Decisions',
    collapsed: true,
    items: [
      page('Open questions', '/decisions/'),
      ...['lists', 'people', 'stream', 'types', 'values', 'writes'].map((name) => page(name, `/decisions/${name}`)),
    ],
  },
  {
    text: 'Operations',
    link: '/operations/',
    collapsed: true,
    items: operationPages,
  },
];

const administer = [
  page('The administration', '/administering'),
  page('Building communities', '/building-communities'),
  page('Importing', '/importing'),
  page('The command', '/command'),
];

const operate = [
  page('Install and start', '/operating/start'),
  page('Places to run', '/operating/places'),
  page('Configure', '/operating/configure'),
  page('Secure', '/operating/secure'),
  page('Backup', '/operating/backup'),
  page('Tenants', '/operating/tenants'),
  page('Upgrade', '/operating/upgrade'),
  page('Watch', '/operating/watch'),
  page('Trouble', '/operating/trouble'),
  page('Grow', '/operating/grow'),
  page('Citus', '/operating/citus'),
  page('Security promises', '/security'),
  page('Performance', '/performance'),
  page('All figures', '/performance-appendix'),
];

export default defineConfig({
  title: 'Portico',
  description: 'Documents of Portico',
  lang: 'en',
  srcDir: '.vitepress/pages',
  cacheDir: '.vitepress/cache',
  cleanUrls: true,
  metaChunk: true,
  // The index of the search follows the order of reading: the same sources give the same bytes.
  buildConcurrency: 1,
  vite: { build: { chunkSizeWarningLimit: 1_000 } },
  markdown: {
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      // Braces in documents are text, not expressions of the page's template.
      for (const kind of ['text', 'code_inline'] as const) {
        const render = md.renderer.rules[kind];
        md.renderer.rules[kind] = (...given) =>
          render!(...given).replace(/\{\{|\}\}/g, (braces) => (braces === '{{' ? '&#123;&#123;' : '&#125;&#125;'));
      }
      // VitePress names groups of samples at random; the same sources give the same bytes.
      const open = md.renderer.rules['container_code-group_open']!;
      md.renderer.rules['container_code-group_open'] = (tokens, index, ...given) => {
        let tab = 0;
        return open(tokens, index, ...given)
          .replace(/"group-[^"]*"/g, `"group-${index}"`)
          .replace(/(id|for)="tab-[^"]*"/g, (_, kind: string) => {
            if (kind === 'id') tab += 1;
            return `${kind}="tab-${index}-${tab}"`;
          });
      };
    },
  },
  themeConfig: {
    nav: [
      page('Start', '/quick-starts'),
      page('Integrate', '/interface'),
      page('Administer', '/administering'),
      page('Operate', '/operating/start'),
    ],
    sidebar: [
      { text: 'Start', items: start },
      { text: 'Integrate', items: integrate },
      { text: 'Administer', items: administer },
      { text: 'Operate', items: operate },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
