/** Documents with too many words, without a line in docs/README.md, and with links that lead nowhere. */
import { expect, it } from 'vitest';
import { checkEntrances, checkLinks, checkWords, countWords } from './check.ts';

it('counts words of texts and tables, without code and lines of tables', () => {
  expect(countWords('# A title\n\n| one | two |\n|---|---|\n| 3 | `four` |\n\n```sh\nnpm ci\n```\n\nfive – six')).toBe(
    8,
  );
});

it('refuses too many words of hand-written pages together', () => {
  const pages = [
    { path: 'docs/a.md', text: 'one two three' },
    { path: 'docs/adr/0001-b.md', text: 'four five' },
    { path: 'docs/performance.md', text: '<!-- Written by `npm run bench`: edit the template --> six seven' },
    { path: 'README.md', text: 'eight' },
  ];
  expect(checkWords(pages, 5)).toEqual([]);
  expect(checkWords(pages, 4)).toEqual([
    'The hand-written pages of docs/ have 5 words, 1 too many; say it shorter, and once',
  ]);
});

it('refuses links to absent files and headings', () => {
  const pages = [
    { path: 'docs/a.md', text: '# A page\n\n[b](sub/b.md#the-code) [c](sub/c.md) [x](#a-page) [y](#no-page)' },
    { path: 'docs/sub/b.md', text: '## The `code`\n\n[a](../a.md#nothing) [site](https://acme.example) `[d](d.md)`' },
  ];
  expect(checkLinks(pages, (path) => pages.some((page) => page.path === path))).toEqual([
    'docs/a.md links to sub/c.md, which does not exist',
    'docs/a.md links to #no-page, and the page has no such heading',
    'docs/sub/b.md links to ../a.md#nothing, and the page has no such heading',
  ]);
});

it('requires a line for each page, or for the folder of the page', () => {
  const pages = [
    { path: 'docs/README.md', text: '[a](a.md) [decisions](adr/)' },
    { path: 'docs/a.md', text: '' },
    { path: 'docs/b.md', text: '' },
    { path: 'docs/adr/0001-c.md', text: '' },
  ];
  expect(checkEntrances(pages)).toEqual(['docs/README.md has no line for docs/b.md']);
});
