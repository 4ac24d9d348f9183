/** Messages to chats: templates without code, and the requests of each chat. */
import { type WebhookPlaceholder, webhookLimits, webhookPlaceholders } from '@portico/contract';
import type { FieldErrors } from '../../../kernel/errors.ts';
import { type ChatForm, chatLink, escapeText, onOneLine } from './escape.ts';

const DEFAULT_TEMPLATE = '{{event}}: {{post}} ({{community}})';
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** Longest value of a placeholder. Code points. */
const LONGEST_VALUE = 300;
/** Longest text of a message: below the limit of a section of Slack. UTF-16 units. */
const LONGEST_TEXT = 2_900;
/** Longest body of a message. Bytes. */
const LONGEST_BODY = 12_000;
/** Text of a message whose contents were removed. */
const REMOVED = '(…)';

/** Values of placeholders, as texts without markup. */
export type ChatValues = Readonly<Record<Exclude<WebhookPlaceholder, 'post'>, string>>;

interface SlackBody {
  readonly text: string;
  readonly blocks: readonly object[];
}

interface TeamsBody {
  readonly type: 'message';
  readonly attachments: readonly [
    { readonly contentType: string; readonly content: { readonly body: readonly object[] } },
  ];
}

type ChatBody = SlackBody | TeamsBody | { readonly text: string };

/** Reads the template of a chat. */
export function readTemplate(given: string | undefined, errors: FieldErrors): string | null {
  const template = errors.optional('template', given, webhookLimits.template);
  if (template === null) return null;
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(webhookPlaceholders, name));
  const known = Object.keys(webhookPlaceholders);
  if (unknown !== undefined)
    errors.add(
      'template',
      'INVALID_VALUE',
      `There is no placeholder {{${unknown}}}. Placeholders: ${known.join(', ')}.`,
      known,
    );
  if (names.length > webhookLimits.placeholders)
    errors.add('template', 'TOO_MANY_ITEMS', `At most ${webhookLimits.placeholders} placeholders.`, [
      webhookLimits.placeholders,
    ]);
  return template;
}

/** Returns the text of a message. Values are cut until it has at most {@link LONGEST_TEXT} units. */
export function chatText(form: ChatForm, template: string | null, values: ChatValues): string {
  for (let longest = LONGEST_VALUE; longest >= 1; longest = Math.floor(longest / 2)) {
    const text = textOf(form, template ?? DEFAULT_TEMPLATE, values, longest);
    if (text.length <= LONGEST_TEXT && Buffer.byteLength(chatBody(form, text)) <= LONGEST_BODY) return text;
  }
  // The links alone are too long.
  return values.link;
}

function textOf(form: ChatForm, template: string, values: ChatValues, longest: number): string {
  const escaped = (text: string) => escapeText(form, onOneLine(text, longest));
  // One pass: a placeholder within a value stays text.
  return template.replaceAll(PLACEHOLDER, (_, given: string) => {
    const name = given.trim() as WebhookPlaceholder;
    if (name === 'link') return values.link;
    if (name !== 'post') return escaped(values[name]);
    return chatLink(form, escaped(values.title || `#${values.number}`), values.link);
  });
}

/** Returns the body of a request with one text, as JSON. */
export function chatBody(form: ChatForm, text: string): string {
  return JSON.stringify(bodyOfForm(form, text));
}

function bodyOfForm(form: ChatForm, text: string): ChatBody {
  if (form === 'mattermost') return { text };
  if (form === 'slack') {
    // Verbatim: names and addresses in the text do not become links. The text beside the blocks is for notifications.
    return { text, blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }] };
  }
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [{ type: 'TextBlock', text, wrap: true }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

/** Gathers bodies of one chat into one. @param bodies of {@link chatBody}, at least one */
export function gatherBodies(bodies: readonly string[]): string {
  if (bodies.length === 1) return bodies[0]!;
  return JSON.stringify(bodies.map((body) => JSON.parse(body) as ChatBody).reduce(joined));
}

function joined(first: ChatBody, second: ChatBody): ChatBody {
  if ('attachments' in first) {
    const [{ contentType, content }] = first.attachments;
    const body = [...content.body, ...(second as TeamsBody).attachments[0].content.body];
    return { type: 'message', attachments: [{ contentType, content: { ...content, body } }] };
  }
  const text = `${first.text}\n${(second as { text: string }).text}`;
  return 'blocks' in first ? { text, blocks: [...first.blocks, ...(second as SlackBody).blocks] } : { text };
}

/** Returns a body of a chat without its contents. */
export function withoutText(body: object): string {
  if ('attachments' in body) return chatBody('teams', REMOVED);
  return chatBody('blocks' in body ? 'slack' : 'mattermost', REMOVED);
}
