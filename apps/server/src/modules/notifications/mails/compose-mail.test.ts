import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { HistoryType, NotificationKind } from '@portico/contract';
import { describe, expect, it } from 'vitest';
import { mailLanguages } from '../../people/mails/mail-types.ts';
import { composeMail, type MailedNotification, type MailInput } from './compose-mail.ts';

const notification = (id: number, changes: Partial<MailedNotification> = {}): MailedNotification => ({
  id,
  kind: NotificationKind.MENTION,
  typeId: HistoryType.MENTIONED_IN_COMMENT,
  author: 'Ada Byron',
  authorId: 1,
  at: 0,
  dueAt: null,
  overdue: null,
  postId: 7,
  customNo: 3,
  title: 'The plan',
  communityId: 12,
  communityName: 'News',
  commentId: 5,
  excerpt: 'See <b>this</b>\nand that',
  taskId: null,
  taskTitle: null,
  transition: null,
  read: false,
  done: false,
  mailState: 'bundled',
  mailReason: null,
  mailAt: null,
  pushState: null,
  pushReason: null,
  pushAt: null,
  pushWaits: false,
  ...changes,
});
const compose = (changes: Partial<MailInput> = {}) =>
  composeMail({
    language: 'en',
    timezone: 'Europe/Rome',
    portal: 'Acme',
    address: 'https://acme.test',
    name: 'Rita',
    digest: false,
    notifications: [notification(1)],
    unsubscribe: 'https://acme.test/portal/unsubscribe/abc',
    ...changes,
  });

describe('a mail of notifications', () => {
  it('has the layout that its source compiles to', async () => {
    const html = await readFile(new URL('layout.html', import.meta.url), 'utf8');
    const source = await readFile(new URL('../../../../mail/layout.mjml', import.meta.url));
    expect(html.split('\n')[0], 'run npm run mail:layout').toContain(createHash('sha256').update(source).digest('hex'));
  });

  it('says the same in text and HTML, with the texts of users escaped', () => {
    const title = '<img src=x onerror=alert(1)> & "more"\nBcc: eve@evil.test';
    const { subject, text, html } = compose({ notifications: [notification(1, { title })] });
    expect(subject).toBe('<img src=x onerror=alert(1)> & "more" Bcc: eve@evil.test [News]');
    expect(text).toContain('* Ada Byron mentioned you\n  > See <b>this</b>\n  > and that\n');
    expect(html).toContain('Ada Byron mentioned you');
    expect(html).toContain('See &lt;b&gt;this&lt;/b&gt;<br>and that');
    expect(html).not.toMatch(/<img|<b>|\{\{/);
    for (const form of [text, html]) {
      expect(form).toContain('https://acme.test/portal/post/7');
      expect(form).toContain('https://acme.test/portal/unsubscribe/abc');
      expect(form).toContain('https://acme.test/portal/me/notifications');
    }
  });

  it('loads nothing', () => {
    const { html } = compose();
    expect(html).not.toMatch(/<(?:img|link|script|iframe|object|base)\b|@import|url\(|\ssrc=|\sbackground=/i);
    const addresses = [...html.matchAll(/https?:\/\/[^\s"'<>]+/g)].map(([address]) => new URL(address).host);
    expect([...new Set(addresses)].sort()).toEqual(['acme.test', 'www.w3.org']);
  });

  it('groups a digest by post, and gives the number of what it does not show', () => {
    const notifications = Array.from({ length: 70 }, (_, index) =>
      notification(index, { postId: index % 2, title: `Post ${index % 2}`, excerpt: null }),
    );
    const { subject, text, html } = compose({ digest: true, notifications });
    expect(subject).toBe('Acme: 70 notifications');
    expect(text.match(/^Post \d \[News\]$/gm)).toEqual(['Post 0 [News]', 'Post 1 [News]']);
    expect(text.match(/^\* /gm)).toHaveLength(30);
    expect(text).toContain('and 40 more');
    expect(html).toContain('and 40 more');
  });

  it.each(mailLanguages)('has words for every kind (%s)', (language) => {
    const lines = Object.values(NotificationKind).map((kind) => {
      const { text } = compose({
        language,
        notifications: [notification(1, { kind, taskTitle: 'Count', transition: 'Approve', dueAt: 0, overdue: true })],
      });
      return /^\* (.*)$/m.exec(text)![1];
    });
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.join()).not.toMatch(/undefined|null/);
  });
});
