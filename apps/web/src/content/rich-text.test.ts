import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PicturesContext } from './pictures.ts';
import { RichText } from './rich-text.tsx';

// React complains in the console.
beforeEach(() => void vi.spyOn(console, 'error'));
afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

const markup = (ops: unknown) =>
  renderToStaticMarkup(createElement(RichText, { delta: JSON.stringify(ops) })).replaceAll(' dir="auto"', '');

const text = (inner: string) => `<div class="text">${inner}</div>`;

/** A line of a list. */
const item = (insert: string, list: string, indent = 0) => [{ insert }, { insert: '\n', attributes: { list, indent } }];

test('lists stand within lists', () => {
  const ops = [
    ...item('one', 'ordered'),
    ...item('deeper', 'bullet', 1),
    ...item('two', 'ordered'),
    ...item('done', 'checked'),
  ];
  expect(markup(ops)).toBe(
    text('<ol><li>one<ul><li>deeper</li></ul></li><li>two</li></ol><ul><li class="check">☑ done</li></ul>'),
  );
});

test('a list may begin deeper than it goes on', () => {
  expect(markup([...item('a', 'bullet', 5), ...item('b', 'bullet')])).toBe(text('<ul><li>a</li><li>b</li></ul>'));
});

test('headings are below that of the page', () => {
  const heading = (header: number) => [{ insert: 'H' }, { insert: '\n', attributes: { header } }];
  expect(markup([1, 2, 3, 6].flatMap(heading))).toBe(text('<h2>H</h2><h3>H</h3><h4>H</h4><h4>H</h4>'));
});

test('formats stand around their text', () => {
  expect(
    markup([
      { insert: 'x', attributes: { bold: true, italic: true } },
      { insert: '2', attributes: { script: 'super' } },
      { insert: { formula: 'e=mc^2' } },
      { insert: { mention: { id: 1, value: 'Ada' } } },
    ]),
  ).toBe(text('<p><strong><em>x</em></strong><sup>2</sup><code>e=mc^2</code><strong>@Ada</strong></p>'));
});

test.for([
  [{ insert: '<img src=x onerror=alert(1)>' }, '&lt;img src=x onerror=alert(1)&gt;'],
  [{ insert: 'a', attributes: { link: 'javascript:alert(1)' } }, 'a'],
  [{ insert: 'a', attributes: { script: 'alert(1)', class: 'x', style: 'color:red', onclick: 'x' } }, 'a'],
  [{ insert: { image: 'data:image/svg+xml,<svg onload=alert(1)>' } }, '[image]'],
  [{ insert: { '<script>': 'x' } }, '[&lt;script&gt;]'],
  [{ insert: { mention: { id: 1, value: '<b onclick=x>' } } }, '<strong>@&lt;b onclick=x&gt;</strong>'],
  [{ insert: { formula: '</code><script>x</script>' } }, '<code>&lt;/code&gt;&lt;script&gt;x&lt;/script&gt;</code>'],
] as const)('%j is inert', ([op, inner]) => {
  expect(markup([op])).toBe(text(`<p>${inner}</p>`));
});

test('pictures from elsewhere are linked, not loaded', () => {
  expect(markup([{ insert: { image: 'https://acme.example/a.png' } }])).toBe(
    text('<p><a href="https://acme.example/a.png" target="_blank" rel="noopener noreferrer nofollow">[image]</a></p>'),
  );
});

test('pictures that are attached beside the text are shown, and named where they are not there', () => {
  const ops = ['a%20%22b.png', 'gone.png', '%'].map((name) => ({ insert: { image: `attachments/${name}` } }));
  const find = (name: string) => (name === 'a "b.png' ? '/files/1' : undefined);
  const text = createElement(RichText, { delta: JSON.stringify(ops) });
  expect(renderToStaticMarkup(createElement(PicturesContext, { value: find }, text))).toContain(
    '<img src="/files/1" alt="a &quot;b.png" class="picture" loading="lazy"/>[gone.png][image]',
  );
});

test('text without a delta is shown as it is', () => {
  const plain = renderToStaticMarkup(createElement(RichText, { delta: undefined, plain: '<b>a</b>\nb' }));
  expect(plain).toBe('<p class="text" dir="auto">&lt;b&gt;a&lt;/b&gt;\nb</p>');
});
