/** Messages to chats: escaping, templates, gathering. Markdown is read by markdown-it. */
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { FieldErrors } from '../../../kernel/errors.ts';
import { withoutPost } from '../bodies.ts';
import { type ChatValues, chatBody, chatText, gatherBodies, readTemplate } from './chat-messages.ts';
import { type ChatForm, escapeText, onOneLine } from './escape.ts';
import { gather } from './gather.ts';

const LINK = 'https://portal.example/portal/post/12';
const FORMS: readonly ChatForm[] = ['slack', 'mattermost', 'teams'];
const values: ChatValues = {
  event: 'New post',
  title: 'Pump',
  link: LINK,
  number: '7',
  community: 'Service',
  state: 'Open',
  author: 'Ada',
};

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['@channel', '@here', '@ada', '~town', '#tag', '<!channel>', '<@U1>', '<#C1>', '<https://evil.example|x>'],
        ...['](https://evil.example)', '[x](https://evil.example)', '<https://evil.example>', '[', ']', '(', '`', '\\'],
        ...[
          'https://evil.example/',
          'www.evil.example',
          '&lt;',
          '&#64;here',
          '{{link}}',
          '\n',
          '\u202e',
          '|',
          '*',
          '!',
        ],
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replaceAll('\u200B', '');

test('a text of a post mentions nobody, has no link of its own, and reads as it was written', () => {
  const markdown = new MarkdownIt({ linkify: true });
  fc.assert(
    fc.property(hostile, (title) => {
      const text = onOneLine(title, 300);
      const slack = escapeText('slack', text);
      expect(slack).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
      expect(unescaped(slack)).toBe(text);
      for (const form of ['mattermost', 'teams'] as const) {
        const escaped = escapeText(form, text);
        expect(escaped).not.toMatch(/[@~#](?!\u200B)|<|\](?!\u200B)/);
        const tokens = markdown.parseInline(`a [b${escaped}](${LINK}) c${escaped}`, {})[0]!.children!;
        const links = tokens.filter(({ type }) => type === 'link_open').map((token) => token.attrGet('href'));
        expect(links).toEqual([LINK]);
        const read = tokens
          .map(({ content }) => content)
          .join('')
          .replaceAll('\u200B', '');
        expect(read).toBe(`a b${text} c${text}`);
      }
    }),
    { numRuns: 200 },
  );
});

test('a message has its links and the text of its template alone, within the limits', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom(...FORMS), (text, form) => {
      const template = '{{event}} {{post}} {{ title }} {{state}} {{author}} {{community}} {{link}}';
      const long = { ...values, title: text.repeat(100), author: text, community: text, state: text };
      const message = chatText(form, template, long);
      expect(message.length).toBeLessThanOrEqual(2_900);
      expect(Buffer.byteLength(chatBody(form, message))).toBeLessThanOrEqual(12_000);
      const addressed = form === 'slack' ? /<([^|<>]*)\|/g : /\]\(([^)]*)\)/g;
      expect([...message.matchAll(addressed)].map(([, address]) => address)).toEqual([LINK]);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['slack', 'New post: <https://portal.example/portal/post/12|Pump> (Service)'],
  ['mattermost', 'New post: [Pump](https://portal.example/portal/post/12) (Service)'],
  ['teams', 'New post: [Pump](https://portal.example/portal/post/12) (Service)'],
] as const)('%s has a default text', (form, text) => {
  expect(chatText(form, null, values)).toBe(text);
  expect(chatText(form, null, { ...values, title: '' })).toContain('7');
});

test('a template has published placeholders only', () => {
  const read = (template: string) => {
    const errors = new FieldErrors();
    const text = readTemplate(template, errors);
    errors.throwIfAny();
    return text;
  };
  expect(read(' *{{event}}* {{ post }} ')).toBe('*{{event}}* {{ post }}');
  const refusals = { '{{constructor}}': 'INVALID_VALUE', ['{{title}}'.repeat(11)]: 'TOO_MANY_ITEMS' };
  for (const [template, code] of Object.entries({ ...refusals, ['x'.repeat(1_001)]: 'TEXT_TOO_LONG' }))
    expect(() => read(template)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'template', code })] }),
    );
});

test('messages are gathered in their order, and lose their contents', () => {
  const texts = (body: string) =>
    [...body.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).filter((text) => !text!.includes('\\n'));
  for (const form of FORMS) {
    const body = gatherBodies(['one', 'two', 'three'].map((text) => chatBody(form, text)));
    if (form === 'mattermost') expect(JSON.parse(body)).toEqual({ text: 'one\ntwo\nthree' });
    else expect(texts(body)).toEqual(['one', 'two', 'three']);
    expect(withoutPost(chatBody(form, 'secret'))).toBe(chatBody(form, '(…)'));
  }
});

test.each([
  ['few', [1, 1, 1], 10, [1, 2, 3]],
  ['more bytes than one message has', [1, 1, 1], 9_000, [1, 2]],
  ['the first one was refused twice', [3, 1, 1], 10, [1]],
  ['the second one was refused twice', [1, 3, 1], 10, [1]],
  [
    'more than one message gathers',
    Array.from({ length: 25 }, () => 1),
    10,
    Array.from({ length: 20 }, (_, i) => i + 1),
  ],
])('%s', (_, attempts, length, together) => {
  const messages = attempts.map((count, index) => ({ id: index + 1, attempts: count, body: 'x'.repeat(length) }));
  const parts = gather(messages.toReversed());
  expect(parts.together.map(({ id }) => id)).toEqual(together);
  expect([...parts.together, ...parts.left]).toEqual(messages);
});
