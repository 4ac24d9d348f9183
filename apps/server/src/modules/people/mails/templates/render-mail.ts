/** Renders a mail's wording to subject, text and HTML. */
import { escapeHtml, plainName } from '../mail-text.ts';
import type { LinkValues, MailLanguage, MailTemplate, ObjectValues } from '../mail-types.ts';
import { wordings } from './wording.ts';

interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface RenderInput {
  readonly template: MailTemplate;
  readonly language: MailLanguage;
  readonly values: LinkValues & Partial<ObjectValues>;
  /** Name of the tenant. */
  readonly portal: string;
  /** Time zone of displayed times. */
  readonly timezone: string;
}

export function renderMail({ template, language, values, timezone, ...input }: RenderInput): RenderedMail {
  const portal = plainName(input.portal);
  const until = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  }).format(values.expiry);
  const { subject, greeting, before, action, after } = wordings[template][language]({
    name: plainName(values.name),
    about: plainName(values.about ?? ''),
    portal,
    until,
  });
  return {
    subject,
    text: `${[greeting, ...before, values.link, ...after, portal].join('\n\n')}\n`,
    html: page(language, subject, [
      ...[greeting, ...before].map(paragraph),
      `<p><a href="${escapeHtml(values.link)}" style="display:inline-block;padding:10px 16px;background:#1a4f8b;color:#ffffff;text-decoration:none;border-radius:4px">${escapeHtml(action)}</a></p>`,
      ...after.map(paragraph),
      `<p style="color:#555555">${escapeHtml(portal)}<br>${escapeHtml(values.link)}</p>`,
    ]),
  };
}

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;

function page(language: MailLanguage, title: string, body: readonly string[]): string {
  return [
    `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`,
    '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#1b1b1b">',
    ...body,
    '</body></html>',
  ].join('\n');
}
