/** Renders mails of notifications to subject, text and HTML. */
import { readFileSync } from 'node:fs';
import { notificationMailLimits } from '@portico/contract';
import { escapeHtml, type MailLanguage, plainName } from '../../people/index.ts';
import type { NotificationRow } from '../notifications.repository.ts';
import { wordings } from './wording.ts';

/** Longest title in a mail. Characters. */
const MAX_TITLE = 150;

/** Compiled from `apps/server/mail/layout.mjml`; a part between marks is repeated for each post. */
const LAYOUT = splitLayout(readFileSync(new URL('layout.html', import.meta.url), 'utf8'));

function splitLayout(html: string): { head: string; post: string; foot: string } {
  const [head, rest] = html.slice(html.indexOf('<!doctype')).split('<!-- post -->');
  const [post, foot] = (rest ?? '').split('<!-- /post -->');
  if (head === undefined || !post || foot === undefined) throw new Error('The layout of mails has no part for posts.');
  return { head, post, foot };
}

/** Notification as a mail shows it. */
export type MailedNotification = NotificationRow & { readonly author: string };

/** Values of a mail. */
export interface MailInput {
  readonly language: MailLanguage;
  /** IANA name of the zone of displayed times. */
  readonly timezone: string;
  /** Name of the tenant. */
  readonly portal: string;
  /** Accent colour of the tenant; null: that of the layout. */
  readonly accent?: string | null;
  /** Address of the tenant, without trailing slash. */
  readonly address: string;
  /** Name of the recipient. */
  readonly name: string;
  readonly digest: boolean;
  /** At least one, the oldest first. */
  readonly notifications: readonly MailedNotification[];
  /** Address that ends mail of these kinds. */
  readonly unsubscribe: string;
  /** Whether an answer to the mail becomes a comment. */
  readonly takesAnswers?: boolean;
}

interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A post and the lines about it. */
interface PostPart {
  readonly title: string;
  readonly community: string;
  readonly link: string;
  readonly events: readonly { readonly line: string; readonly quote: string }[];
}

/** Composes a mail. Nothing is loaded from elsewhere. */
export function composeMail(input: MailInput): ComposedMail {
  const { language, digest, notifications, address, unsubscribe } = input;
  const texts = wordings[language];
  const portal = plainName(input.portal);
  const shown = notifications.slice(0, notificationMailLimits.shown);
  const posts = [...Map.groupBy(shown, ({ postId }) => postId).values()].map((ofPost) => partOf(input, ofPost));
  const more = notifications.length > shown.length ? texts.more(notifications.length - shown.length) : undefined;
  const greeting = texts.greeting(plainName(input.name), portal, digest);
  const subject = digest ? texts.digest(notifications.length, portal) : `${posts[0]!.title} [${posts[0]!.community}]`;
  const why = input.takesAnswers ? `${texts.answers} ${texts.why(portal)}` : texts.why(portal);
  const links = [
    ...(more === undefined ? [] : [{ label: `${more}: ${texts.open}`, href: `${address}/portal/` }]),
    { label: texts.settings, href: `${address}/portal/me/notifications` },
    { label: texts.unsubscribe(digest), href: unsubscribe },
  ];
  return {
    subject,
    text: `${[
      greeting,
      ...posts.map(textOfPost),
      `-- \n${[why, ...links.map(({ label, href }) => `${label}: ${href}`)].join('\n')}`,
    ].join('\n\n')}\n`,
    html: [
      fill(tinted(LAYOUT.head, input), { language, subject, preview: posts[0]!.events[0]!.line, portal, greeting }),
      ...posts.map((post) => htmlOfPost(post, input)),
      fill(LAYOUT.foot, { language }, { footer: htmlOfFooter(why, links) }),
    ].join(''),
  };
}

function partOf(input: MailInput, notifications: readonly MailedNotification[]): PostPart {
  const texts = wordings[input.language];
  const [first] = notifications as readonly [MailedNotification, ...MailedNotification[]];
  return {
    title: plainName(first.title ?? '', MAX_TITLE) || texts.untitled(String(first.customNo)),
    community: plainName(first.communityName),
    link: `${input.address}/portal/post/${first.postId}`,
    events: notifications.map((notification) => ({
      line: lineOf(input, notification),
      quote: (notification.excerpt ?? '').trim().toWellFormed(),
    })),
  };
}

/** Returns what happened, in a sentence without markup. */
export function lineOf(
  { language, timezone }: Pick<MailInput, 'language' | 'timezone'>,
  notification: MailedNotification,
): string {
  const { kind, typeId, author, taskTitle, transition, dueAt, overdue } = notification;
  const due = (at: number) =>
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: timezone,
    }).format(at);
  return wordings[language].event({
    kind,
    typeId,
    author: plainName(author),
    task: plainName(taskTitle ?? '', MAX_TITLE),
    transition: plainName(transition ?? ''),
    due: dueAt === null ? '' : due(dueAt),
    overdue: overdue === true,
  });
}

function textOfPost({ title, community, link, events }: PostPart): string {
  const lines = events.flatMap(({ line, quote }) => [
    `* ${line}`,
    ...(quote === '' ? [] : quote.split('\n').map((one) => `  > ${one}`)),
  ]);
  return [`${title} [${community}]`, ...lines, link].join('\n');
}

/** The colour of links in the layout. */
const LINK_COLOUR = '#1d5b79';

const tinted = (layout: string, { accent }: MailInput): string => layout.replaceAll(LINK_COLOUR, accent ?? LINK_COLOUR);

function htmlOfPost({ title, community, link, events }: PostPart, input: MailInput): string {
  const quoted = (text: string) =>
    `<div style="border-left:3px solid #dcdfdb;margin:4px 0 8px;padding-left:12px">${escapeHtml(text).replaceAll('\n', '<br>')}</div>`;
  const lines = events.map(({ line, quote }) => `${escapeHtml(line)}<br>${quote === '' ? '' : quoted(quote)}`);
  return fill(tinted(LAYOUT.post, input), { title, community, link }, { events: lines.join('\n') });
}

function htmlOfFooter(why: string, links: readonly { label: string; href: string }[]): string {
  const anchors = links.map(({ label, href }) => `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a>`);
  return [escapeHtml(why), ...anchors].join('<br>');
}

/** Fills places of the layout. @param texts are escaped @param html is not */
function fill(layout: string, texts: Readonly<Record<string, string>>, html: Readonly<Record<string, string>> = {}) {
  return layout.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = html[name] ?? (texts[name] === undefined ? undefined : escapeHtml(texts[name]));
    if (value === undefined) throw new Error(`The layout of mails has an unknown place ${place}.`);
    return value;
  });
}
