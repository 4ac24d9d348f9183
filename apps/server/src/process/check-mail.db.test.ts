import { startTestSmtp, type TestSmtp } from '@portico/platform/mail/smtp.fixture';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../test/support/portal.ts';
import { sendMails } from '../jobs/send-mails.ts';
import { writeTransaction } from '../kernel/access/index.ts';
import { enqueueMail } from '../modules/people/mails/mail.fixture.ts';
import { OperatorSession } from '../operator/index.ts';
import { checkMail, type MailCheck } from './operator.ts';

async function all(env: Record<string, string>, to?: string): Promise<MailCheck[]> {
  const checks: MailCheck[] = [];
  for await (const check of checkMail(to, env)) checks.push(check);
  return checks;
}

describe('mail for operators', () => {
  let smtp: TestSmtp;
  let portal: TestPortal;
  beforeAll(async () => {
    smtp = await startTestSmtp();
    portal = await createTestPortal({ env: smtp.env });
  });
  afterAll(async () => {
    await portal?.close();
    await smtp?.close();
  });

  it('the check finds nothing wrong with a server that works, and sends a mail where it is told to', async () => {
    const tried = `connect to 127.0.0.1:${smtp.port} with STARTTLS and sign in as ${smtp.user}`;
    expect(await all(smtp.env)).toEqual([{ tried, ok: true, problem: '' }]);
    expect(smtp.taken).toEqual([]);
    expect((await all(smtp.env, 'ada@acme.example')).map(({ ok }) => ok)).toEqual([true, true]);
    expect(smtp.taken.splice(0)).toMatchObject([{ to: ['ada@acme.example'], secure: true }]);
    await expect(all(smtp.env, 'ada')).rejects.toThrow('"ada" is not an e-mail address.');
  });

  it('the check names what is at fault', async () => {
    const { env } = smtp;
    const problem = async (change: (url: string) => string, to?: string) => {
      const checks = await all({ ...env, PORTICO_SMTP_URL: change(env.PORTICO_SMTP_URL) }, to);
      expect(checks.at(-1)!.ok).toBe(false);
      expect(JSON.stringify(checks)).not.toContain(smtp.password);
      return checks.at(-1)!.problem;
    };
    expect((await all({}))[0]!.problem).toContain('PORTICO_SMTP_URL');
    expect(await problem((url) => url.replace(String(smtp.port), '9'))).toMatch(
      /^The server cannot be reached.*REFUSED/,
    );
    expect(await problem((url) => url.replace(/\?.*/, ''))).toMatch(/^The connection cannot be encrypted.*self-signed/);
    expect(await problem((url) => url.replace('smtp:', 'smtps:'))).toMatch(/^The connection cannot be encrypted/);
    expect(await problem((url) => url.replace('%2Fd@', 'x@'))).toMatch(/^The server refuses user and password.*535/);
    smtp.refusals.sender = '553 not your address';
    expect(await problem((url) => url, 'ada@acme.example')).toMatch(/^The server refuses the sender.*553 not your/);
    delete smtp.refusals.sender;
    smtp.refusals.recipient = () => '550 no such user';
    expect(await problem((url) => url, 'ada@acme.example')).toMatch(/^The server refuses the recipient.*550/);
    delete smtp.refusals.recipient;
    expect(smtp.taken).toEqual([]);
    await expect(all({ ...env, PORTICO_SMTP_URL: 'smtp://h?ca=/nowhere' })).rejects.toThrow(/PORTICO_SMTP_URL.*ENOENT/);
  });

  it('failed mails are listed without their links, and sent again', async () => {
    const tenant = await portal.createTenant();
    const { name } = tenant.tenant;
    const session = new OperatorSession(portal.services, portal.owner, portal.database.owner);
    const link = 'https://acme.example/i/a-very-secret-token';
    const id = await writeTransaction(await tenant.scope(tenant.systemUserId), 'none', (within) =>
      enqueueMail(within, {
        to: 'ada@acme.example',
        template: 'password-reset',
        language: 'en',
        values: { name: 'Ada', link, expiry: Date.now() + 3_600_000 },
      }),
    );
    expect(await session.listMails(name, 'failed', 10)).toEqual([]);
    await expect(session.retryMails(name, [id])).rejects.toThrow(`The mail ${id} cannot be sent again`);
    smtp.refusals.recipient = () => '550 no such user';
    await sendMails(portal.services, tenant.tenant);
    const listed = await session.listMails(name, 'failed', 10);
    expect(listed).toMatchObject([{ id, recipient: 'ada@acme.example', state: 'failed', retryable: true }]);
    expect(JSON.stringify(listed)).not.toContain('secret');
    await expect(session.retryMails(name, [id, id + 1])).rejects.toThrow(`The mail ${id + 1} cannot`);
    expect(await session.listMails(name, 'failed', 10)).toHaveLength(1);
    delete smtp.refusals.recipient;
    expect(await session.retryMails(name, undefined)).toEqual([id]);
    await sendMails(portal.services, tenant.tenant);
    expect(await session.listMails(name, 'sent', 10)).toMatchObject([{ id, state: 'sent' }]);
    expect(smtp.taken).toHaveLength(1);
    const other = await portal.createTenant();
    expect(await session.listMails(other.tenant.name, undefined, 10)).toEqual([]);
    await expect(session.retryMails(other.tenant.name, [id])).rejects.toThrow('cannot be sent again');
  });
});
