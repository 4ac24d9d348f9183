/** Escapes texts of posts for chats, so that they mention nobody and have no markup or link. */
import { oneLine, type WebhookForm } from '@portico/contract';
import { cutCodePoints } from '@portico/platform/text/sort-key';

/** Form of a chat. */
export type ChatForm = Exclude<WebhookForm, 'standard'>;

/** Zero-width space: separates a mark from the name after it, which chats then do not look up. */
const GAP = '\u200B';

/** Entities of the characters that begin links, mentions and entities of chats. */
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Returns a text on one line, without characters that hide or reverse others.
 * @param length of a longer text, in code points
 */
export function onOneLine(text: string, length: number): string {
  const line = oneLine(text.toWellFormed()).replaceAll(/\s+/gu, ' ').trim();
  const begin = cutCodePoints(line, length);
  return begin === line ? line : `${begin}…`;
}

/** Escapes a text for Slack: https://docs.slack.dev/messaging/formatting-message-text */
function escapeSlack(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ENTITIES[character]!);
}

/**
 * Escapes a text for the Markdown of Mattermost and Adaptive Cards. Marks of mentions, channels and
 * hashtags are looked for before Markdown is read, so a gap follows them.
 */
function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]()#+\-.!|~>]/g, String.raw`\$&`)
    .replaceAll(/[&<]/g, (character) => ENTITIES[character]!)
    .replaceAll(/[@~#\]]|:(?=\/)/g, `$&${GAP}`);
}

/** Escapes a text of one line. */
export function escapeText(form: ChatForm, text: string): string {
  return form === 'slack' ? escapeSlack(text) : escapeMarkdown(text);
}

/** Returns a link to the portal. @param text escaped @param address absolute */
export function chatLink(form: ChatForm, text: string, address: string): string {
  return form === 'slack' ? `<${address}|${text}>` : `[${text}](${address})`;
}
