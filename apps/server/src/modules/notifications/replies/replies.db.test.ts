/** Answers to mails of notifications, from the mail that was sent to the comment. */
import { generateKeyPairSync } from 'node:crypto';
import { startTestSmtp, type TestSmtp } from '@portico/platform/mail/smtp.fixture';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { receiveReply } from '../../../jobs/receive-replies.ts';
import { sendNotificationMails } from '../../../jobs/send-notification-mails.ts';
import { deliverNotifications } from '../deliver-notifications.ts';

const ADDRESS = 'replies@portal.example';
const DAY = 86_400_000;
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const KEYS = {
  'mail._domainkey.people.example': `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`,
  '_dmarc.people.example': 'no policy',
  '_dmarc.example': 'no policy',
};

let smtp: TestSmtp;
let portal: TestPortal;
let world: TestWorld;
let now = Date.now() + 3_600_000;
let postId: number;
let author: string;
let replyTo: string;

beforeAll(async () => {
  smtp = await startTestSmtp();
  portal = await createTestPortal({ env: { ...smtp.env, PORTICO_MAIL_REPLIES: ADDRESS }, clock: { now: () => now } });
});
afterAll(async () => {
  await portal?.close();
  await smtp?.close();
});

let count = 0;
beforeEach(async () => {
  world = await createTestWorld(portal);
  smtp.taken.length = 0;
  count += 1;
  author = `reader${count}@people.example`;
  const { people, db } = world;
  await db.execute('UPDATE users SET contact_email = $3 WHERE tenant_id = $1 AND id = $2', [
    db.tenantId,
    people.contributor,
    author,
  ]);
  postId = await world.post(people.author, {
    description: JSON.stringify([
      { insert: { mention: { id: people.contributor, value: 'Reader' } } },
      { insert: '\n' },
    ]),
    descriptionFormat: 1,
  });
  const work = async () => {
    await deliverNotifications(db, now);
    await sendNotificationMails(portal.services, world.tenant.tenant);
  };
  await work();
  now += 30 * 60_000;
  await work();
  const sent = smtp.taken.find(({ to }) => to[0] === author);
  replyTo = (await PostalMime.parse(sent!.raw)).replyTo![0]!.address!;
});

interface Answer {
  from?: string;
  to?: string;
  headers?: string;
  text?: string;
  id?: string;
  signed?: boolean;
}

async function answer({ from, to, headers = '', text, id, signed = true }: Answer = {}): Promise<Buffer> {
  const lines = [
    `From: Reader <${from ?? author}>`,
    `To: ${(to ?? replyTo).toUpperCase()}`,
    'Subject: Re: A post',
    `Message-ID: <${id ?? `${Math.random()}@people.example`}>`,
    ...(headers === '' ? [] : [headers]),
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...(text ?? 'Yes, please.\n\nOn Monday, Portico wrote:\n> Somebody mentioned you').split('\n'),
    '',
  ];
  const mail = lines.join('\r\n');
  if (!signed) return Buffer.from(mail);
  const key = { signingDomain: 'people.example', selector: 'mail', privateKey };
  const options = { ...key, signatureData: [key] };
  const { signatures } = await dkimSign(mail, options);
  return Buffer.from(signatures + mail);
}

const receive = async (mail: Answer, trustedServer?: string) =>
  receiveReply(portal.services, { address: ADDRESS, trustedServer }, await answer(mail), KEYS);
const comments = async () => {
  const { items } = await world.ok(world.people.author, 'POST', `posts/data/comments-list/${postId}`, {});
  return items.map(({ commentPlainText }: { commentPlainText: string }) => commentPlainText);
};

describe('an answer to a mail', () => {
  test('becomes one comment of its author, without the quoted mail, also when it arrives twice', async () => {
    expect(replyTo).toMatch(/^replies\+[a-z0-9-]+@portal\.example$/);
    expect(replyTo.indexOf('@')).toBeLessThanOrEqual(64);
    const mail = { id: 'once@people.example' };
    expect(await receive(mail)).toMatchObject({ taken: true, postId });
    expect(await receive(mail)).toMatchObject({ taken: true, postId });
    expect(await comments()).toEqual(['Yes, please.']);
  });

  test('is dropped, with its reason, where nothing confirms it', async () => {
    const cases: [Answer, string][] = [
      [{ signed: false }, 'notAuthentic'],
      [{ from: 'other@people.example' }, 'otherAuthor'],
      [{ to: 'replies@portal.example' }, 'otherAddress'],
      [{ to: replyTo.replace(/.(?=@)/, (last) => (last === 'a' ? 'b' : 'a')) }, 'invalidAddress'],
      [{ headers: 'Auto-Submitted: auto-replied' }, 'automatic'],
      [{ text: '> only a quote' }, 'withoutText'],
    ];
    for (const [mail, reason] of cases) expect(await receive(mail), reason).toMatchObject({ taken: false, reason });
    now += 40 * DAY;
    expect(await receive({})).toMatchObject({ taken: false, reason: 'invalidAddress' });
    expect(await comments()).toEqual([]);
  });

  test('is read while other work goes on, whatever its text costs', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const text = 'On '.repeat(8_000);
    expect(await receive({ text, signed: false })).toMatchObject({ taken: false, reason: 'notAuthentic' });
    clearInterval(timer);
    // The parser takes a quarter of a second at least, within which it would let no timer run here.
    expect(turns).toBeGreaterThan(5);
    const lines = `Yes.${'\n'.repeat(50_000)}> No`;
    expect(await receive({ text: lines })).toMatchObject({ taken: true });
  });

  test('needs the rights of its author at that moment', async () => {
    await world.role(world.people.contributor, null);
    expect(await receive({})).toMatchObject({ taken: false, reason: 'refused' });
    expect(await comments()).toEqual([]);
  });

  test('is confirmed by the receiving server where it is trusted', async () => {
    const results = (server: string, domain: string) =>
      `Authentication-Results: ${server}; dmarc=pass (p=none; x) header.from=${domain}`;
    const mail = (server: string, domain: string) => ({ signed: false, headers: results(server, domain) });
    for (const [server, domain] of [
      ['mx.elsewhere.example', 'people.example'],
      ['mx.portal.example', 'other.example'],
    ] as const)
      expect(await receive(mail(server, domain), 'mx.portal.example')).toMatchObject({ reason: 'notAuthentic' });
    expect(await receive(mail('mx.portal.example', 'people.example'), 'mx.portal.example')).toMatchObject({
      taken: true,
    });
  });
});
