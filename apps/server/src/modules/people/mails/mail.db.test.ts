import { randomBytes } from 'node:crypto';
import { startTestSmtp, type TestSmtp } from '@portico/platform/mail/smtp.fixture';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { sendMails } from '../../../jobs/send-mails.ts';
import { tidy } from '../../../jobs/tidy.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Log } from '../../../kernel/scope.ts';
import { measureMails } from '../../../process/measure-mails.ts';
import { createServices } from '../../../process/services.ts';
import type { NewMail } from './enqueue-mail.ts';
import { enqueueMail } from './mail.fixture.ts';
import { LEASE_MS, MAX_ATTEMPTS, waitAfter } from './mail-sender.ts';
import { claimMail, listMails, retryMails } from './outgoing-mails.repository.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Log lines of every level, as text. */
function recorder(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const take = (level: string) => (fields: object, message?: string) => {
    lines.push(JSON.stringify({ level, message, ...fields }));
  };
  return { log: { debug: take('debug'), info: take('info'), warn: take('warn'), error: take('error') }, lines };
}

describe('outgoing mail', () => {
  let smtp: TestSmtp;
  let portal: TestPortal;
  let tenant: TestTenant;
  const { log, lines } = recorder();
  /** The clock of the portal: moved by tests. */
  let now = Date.now();
  const clock = { now: () => now };

  beforeAll(async () => {
    smtp = await startTestSmtp();
    portal = await createTestPortal({ env: { ...smtp.env, PORTICO_MAIL_PER_MINUTE: '20' }, log, clock });
  });
  afterAll(async () => {
    await portal?.close();
    await smtp?.close();
  });
  beforeEach(async () => {
    // The pause after a failure of an earlier test is over.
    now += HOUR;
    tenant = await portal.createTenant();
    smtp.taken.length = 0;
    lines.length = 0;
    for (const name of Object.keys(smtp.refusals)) delete smtp.refusals[name as keyof typeof smtp.refusals];
  });

  const db = () => portal.services.databases.for(tenant.tenant.id);
  const send = (services = portal.services) => sendMails(services, tenant.tenant);
  const list = () => listMails(db(), { now, state: undefined, limit: 100 });
  const secret = () => `tok3n${randomBytes(12).toString('hex')}`;
  const enqueue = async (changes: Partial<NewMail<'invitation'>> = {}, expiry = now + 2 * DAY) => {
    const token = secret();
    const scope = await tenant.scope(tenant.systemUserId, clock);
    const id = await writeTransaction(scope, 'none', (within) =>
      enqueueMail(within, {
        to: 'ada@acme.example',
        template: 'invitation',
        language: 'it',
        values: { name: 'Ada', link: `https://acme.example/invitation/${token}`, expiry },
        ...changes,
      }),
    );
    return { id, token };
  };
  const rowsText = async () =>
    JSON.stringify(await db().query('SELECT * FROM outgoing_mails WHERE tenant_id = $1', [tenant.tenant.id]));
  /** The rows with their contents decrypted. */
  const openedText = async () => {
    const rows = await db().query<{ message_id: string; sealed_content: Buffer | null }>(
      'SELECT * FROM outgoing_mails WHERE tenant_id = $1',
      [tenant.tenant.id],
    );
    return JSON.stringify(
      rows.map(({ sealed_content: sealed, ...row }) => {
        const place = { tenantId: tenant.tenant.id, table: 'outgoing_mails', column: 'sealed_content' };
        return [row, sealed && portal.services.sealer.open(sealed, { ...place, row: row.message_id }).toString()];
      }),
    );
  };
  const nodeOf = async (env: Record<string, string>) =>
    createServices({
      config: { ...portal.services.config, ...(await configOf(env)) },
      database: portal.database.service,
      sealer: portal.services.sealer,
      log,
      clock,
    });
  const configOf = async (env: Record<string, string>) => {
    const { readConfig } = await import('../../../process/config/config.ts');
    const { mail } = readConfig(env);
    return { mail };
  };

  it('is sent in the language of the recipient, with TLS, and its content is removed', async () => {
    const { id, token } = await enqueue();
    expect(await openedText()).toContain(token);
    expect(await rowsText()).not.toContain(token);
    await send();
    expect(smtp.taken).toMatchObject([{ to: ['ada@acme.example'], secure: true, user: smtp.user }]);
    const { raw } = smtp.taken[0]!;
    expect(raw).toContain(`From: "${tenant.tenant.displayName}" <portal@acme.example>`);
    expect(raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@acme\.example>/m);
    expect(raw.replaceAll('=\r\n', '')).toContain(token);
    expect(raw).toMatch(/^Subject: Il tuo invito a /m);
    expect(await list()).toMatchObject([
      { id, state: 'sent', attempts: 1, dueAt: null, error: null, retryable: false },
    ]);
    expect(await openedText()).not.toContain(token);
    expect(lines.join()).not.toContain(token);
    await send();
    expect(smtp.taken).toHaveLength(1);
  });

  it('is written in the language of the tenant where that of the recipient is unknown', async () => {
    await db().execute(`UPDATE tenant_settings SET default_language = 'it' WHERE tenant_id = $1`, [tenant.tenant.id]);
    await enqueue({ language: 'fr' });
    await enqueue({ language: 'en-US', to: 'en@acme.example' });
    await send();
    expect(smtp.taken.map(({ raw }) => /^Subject: (\S+)/m.exec(raw)?.[1])).toEqual(['Il', 'Your']);
  });

  it('is not sent when its write fails or is a dry run', async () => {
    const scope = await tenant.scope(tenant.systemUserId, clock);
    const values = { name: 'Ada', link: 'https://acme.example/i', expiry: now + DAY };
    const failing = writeTransaction(scope, 'none', async (within) => {
      await enqueueMail(within, { to: 'ada@acme.example', template: 'invitation', language: 'en', values });
      throw new Error('the write fails');
    });
    await expect(failing).rejects.toThrow('the write fails');
    await send();
    expect([await list(), smtp.taken]).toEqual([[], []]);
  });

  it('refuses addresses that are none, or several, and links that are none', async () => {
    for (const to of [
      '',
      'ada',
      'a@b.example, c@d.example',
      'a@b.example\r\nBcc: c@d.example',
      `${'a'.repeat(60)}@${'b'.repeat(200)}`,
    ])
      await expect(enqueue({ to }), to).rejects.toThrow('An e-mail address');
    const values = { name: 'Ada', expiry: now + DAY };
    for (const link of ['javascript:alert(1)', `https://a.example/${'x'.repeat(3000)}`])
      await expect(enqueue({ values: { ...values, link } })).rejects.toThrow('The link of a mail');
    expect(await list()).toEqual([]);
  });

  it('is not tried again when the server refuses the recipient, and told to the operator', async () => {
    smtp.refusals.recipient = (address) => (address === 'gone@acme.example' ? '550 no such user' : undefined);
    const { id, token } = await enqueue({ to: 'gone@acme.example' });
    const other = await enqueue();
    await send();
    expect(smtp.taken.map(({ to }) => to)).toEqual([['ada@acme.example']]);
    expect(await list()).toMatchObject([
      { id: other.id, state: 'sent' },
      { id, state: 'failed', attempts: 1, error: expect.stringContaining('550 no such user'), retryable: true },
    ]);
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([
      expect.stringMatching(/a mail was given up.*"fault":"recipient"/),
    ]);
    expect(lines.join()).not.toContain(token);
    const figures = (await measureMails(portal.services)).find((one) => one.tenant === tenant.tenant.name);
    expect(figures?.states).toEqual({ waiting: 0, failed: 1, unsent: 0 });
    now += DAY;
    await send();
    expect(smtp.taken).toHaveLength(1);

    delete smtp.refusals.recipient;
    expect(await retryMails(db(), now, [other.id])).toEqual([]);
    expect(await retryMails(db(), now, undefined)).toEqual([id]);
    await send();
    expect(smtp.taken.map(({ to }) => to)).toEqual([['ada@acme.example'], ['gone@acme.example']]);
    expect(await openedText()).not.toContain(token);
  });

  it('keeps a link that the server repeats out of the log and of the list', async () => {
    smtp.refusals.content = (raw) => `554 spam: ${/https:\S+/.exec(raw.replaceAll('=\r\n', ''))?.[0]}`;
    const { token } = await enqueue();
    await send();
    expect((await list())[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('spam') });
    expect(JSON.stringify(await list()) + lines.join()).not.toContain(token);
  });

  it('forgets the link of a failed mail when it expires, after a week, and the mail after 30 days', async () => {
    smtp.refusals.recipient = () => '550 no';
    const [short, long] = [await enqueue({}, now + DAY), await enqueue({}, now + 60 * DAY)];
    await send();
    now += DAY;
    await tidy(portal.services, tenant.tenant);
    expect(await openedText()).not.toContain(short.token);
    expect(await openedText()).toContain(long.token);
    expect(await retryMails(db(), now, [short.id])).toEqual([]);
    now += 7 * DAY;
    await tidy(portal.services, tenant.tenant);
    expect(await openedText()).not.toContain(long.token);
    expect(await retryMails(db(), now, undefined)).toEqual([]);
    expect(await list()).toHaveLength(2);
    now += 23 * DAY;
    await tidy(portal.services, tenant.tenant);
    expect(await list()).toEqual([]);
  });

  it('waits longer after each attempt, and is given up after the last', async () => {
    smtp.refusals.recipient = () => '450 greylisted';
    const { id } = await enqueue({}, now + 30 * DAY);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      await send();
      const [mail] = await list();
      expect(mail).toMatchObject({ id, attempts: attempt });
      if (mail!.dueAt === null) break;
      waits.push(mail!.dueAt - now);
      now = mail!.dueAt - 1;
      await send();
      expect((await list())[0]!.attempts).toBe(attempt);
      now += 1;
    }
    expect(waits).toEqual(Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => waitAfter(index + 1)));
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect((await list())[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('greylisted') });
  });

  it('arrives once a server that was away is back, and no mail is sent after its link expired', async () => {
    const [first, second, late] = [await enqueue(), await enqueue(), await enqueue({}, now + 30_000)];
    const { port } = smtp;
    const { env } = smtp;
    await smtp.close();
    await send();
    await send();
    // A single attempt shows that the server is down; the other mails keep their attempts.
    expect((await list()).map(({ attempts }) => attempts)).toEqual([0, 0, 1]);
    expect(lines.filter((line) => line.includes('"fault":"connection"'))).toHaveLength(1);
    smtp = await startTestSmtp({ port });
    const back = await nodeOf(smtp.env);
    now += waitAfter(1);
    await send(back);
    expect(smtp.taken).toHaveLength(2);
    const states = new Map((await list()).map(({ id, state, error }) => [id, [state, error]]));
    expect(states.get(first.id)).toEqual(['sent', null]);
    expect(states.get(second.id)).toEqual(['sent', null]);
    expect(states.get(late.id)).toEqual(['failed', 'The link expired before the mail was sent.']);
    expect(await openedText()).not.toContain(late.token);
    await back.close();
    // The certificate is new: the portal of the other tests uses it from now on.
    portal.services.mail.close();
    (portal.services as { mail: unknown }).mail = (await nodeOf(smtp.env)).mail;
    expect(env.PORTICO_SMTP_URL).not.toBe(smtp.env.PORTICO_SMTP_URL);
  });

  it('is sent once by two nodes, and not more of them within a minute than allowed', async () => {
    const nodes = [await nodeOf(smtp.env), await nodeOf(smtp.env)];
    for (let mail = 0; mail < 30; mail++) await enqueue({ to: `p${mail}@acme.example` });
    await Promise.all(nodes.map((node) => send(node)));
    expect(smtp.taken).toHaveLength(20);
    now += 30_000;
    await Promise.all(nodes.map((node) => send(node)));
    expect(smtp.taken).toHaveLength(20);
    now += 31_000;
    await Promise.all(nodes.map((node) => send(node)));
    const recipients = smtp.taken.flatMap(({ to }) => to);
    expect(recipients).toHaveLength(30);
    expect(new Set(recipients).size).toBe(30);
    for (const node of nodes) await node.close();
  });

  it('goes on after a crash: with the same Message-ID, and no earlier than another node may be done with it', async () => {
    const { id } = await enqueue();
    const dead = await claimMail(db(), portal.services.sealer, now, { perMinute: 10, leaseMs: LEASE_MS });
    expect(dead?.id).toBe(id);
    now += LEASE_MS - 1;
    await send();
    expect(smtp.taken).toEqual([]);
    now += 1;
    await send();
    expect(smtp.taken).toHaveLength(1);
    expect(smtp.taken[0]!.raw).toContain(`Message-ID: <${dead!.messageId}@acme.example>`);
    expect(await list()).toMatchObject([{ state: 'sent', attempts: 2 }]);
  });

  it('goes on after a restart in the middle of sending', async () => {
    const node = await nodeOf(smtp.env);
    await enqueue();
    const arrived = Promise.withResolvers<void>();
    const restarted = Promise.withResolvers<void>();
    smtp.refusals.delay = () => {
      arrived.resolve();
      return restarted.promise;
    };
    let messages = 0;
    smtp.refusals.content = () => (messages++ === 0 ? '451 the client is gone' : undefined);
    const sending = send(node);
    await arrived.promise;
    node.mail.close();
    await sending;
    await node.close();
    restarted.resolve();
    const [waiting] = await list();
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, error: 'The service stops.' });
    const next = await nodeOf(smtp.env);
    now = waiting!.dueAt!;
    await send(next);
    await send(next);
    expect(smtp.taken).toHaveLength(1);
    expect(await list()).toMatchObject([{ state: 'sent', attempts: 2 }]);
    await next.close();
  });

  it('ends when each of its attempts was cut off', async () => {
    await enqueue({}, now + 30 * DAY);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await claimMail(db(), portal.services.sealer, now, { perMinute: 100, leaseMs: LEASE_MS });
      now += LEASE_MS;
    }
    await send();
    expect(smtp.taken).toEqual([]);
    expect(await list()).toMatchObject([{ state: 'failed', attempts: MAX_ATTEMPTS }]);
  });

  it('without a server is told in the log once, without the link, and marked as not sent', async () => {
    const node = await nodeOf({});
    const { id, token } = await enqueue();
    await send(node);
    await send(node);
    expect(lines).toEqual([
      JSON.stringify({
        level: 'info',
        message: 'a mail was not sent: there is no mail server',
        tenant: tenant.tenant.name,
        mail: id,
        to: 'ada@acme.example',
        template: 'invitation',
      }),
    ]);
    expect(await list()).toMatchObject([{ id, state: 'unsent', attempts: 0, retryable: false }]);
    expect(await openedText()).not.toContain(token);
    expect(smtp.taken).toEqual([]);
    await node.close();
  });
});
