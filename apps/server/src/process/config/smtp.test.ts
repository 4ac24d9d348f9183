import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { MailError, type MailTransport } from '@portico/platform/mail';
import { openSmtp } from '@portico/platform/mail/smtp';
import { startTestSmtp, type TestSmtp, type TestSmtpOptions } from '@portico/platform/mail/smtp.fixture';
import type { MailMessage } from '@portico/platform/mail/types';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const TOKEN = 'tok3n-of-the-link_0123456789';
const message: MailMessage = {
  from: { name: 'The, portal "Acme"', address: 'portal@acme.example' },
  to: 'ada@acme.example',
  subject: 'Perché no?',
  text: `Follow https://acme.example/invitation/${TOKEN}`,
  html: '<p>Follow</p>',
  messageId: '<one@acme.example>',
  date: Date.UTC(2026, 0, 2, 3, 4, 5),
};

describe('mail by SMTP', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  const start = async (options: TestSmtpOptions = {}) => {
    const server = await startTestSmtp(options);
    closers.push(() => server.close());
    return server;
  };
  const open = (env: TestSmtp['env']): MailTransport => {
    const transport = openSmtp(readConfig({ ...env }).mail!.server);
    closers.push(() => transport.close());
    return transport;
  };
  const failure = async (work: Promise<void>): Promise<MailError> => {
    const error = await work.then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(MailError);
    return error as MailError;
  };
  const withUrl = (server: TestSmtp, change: (url: string) => string) => ({
    ...server.env,
    PORTICO_SMTP_URL: change(server.env.PORTICO_SMTP_URL),
  });

  it.each(['implicit', 'starttls'] as const)('sends with TLS (%s), signed in', async (tls) => {
    const server = await start({ tls });
    const transport = open(server.env);
    await transport.verify();
    await transport.send(message);
    expect(server.taken).toHaveLength(1);
    const [mail] = server.taken;
    expect(mail).toMatchObject({ from: 'portal@acme.example', to: [message.to], secure: true, user: server.user });
    expect(mail!.raw).toContain('From: "The, portal \\"Acme\\"" <portal@acme.example>\r\n');
    expect(mail!.raw).toContain('Message-ID: <one@acme.example>\r\n');
    expect(mail!.raw).toContain('Date: Fri, 02 Jan 2026 03:04:05 +0000\r\n');
    expect(mail!.raw).toContain('Auto-Submitted: auto-generated\r\n');
    expect(mail!.raw).toContain('Content-Type: text/plain; charset=utf-8');
    expect(mail!.raw).toContain('Content-Type: text/html; charset=utf-8');
  });

  it('sends unencrypted only where that was asked for', async () => {
    const server = await start({ tls: 'off' });
    const transport = open(server.env);
    await transport.send(message);
    expect(server.taken).toMatchObject([{ secure: false, user: undefined }]);
    const strict = open(withUrl(server, (url) => url.replace('?tls=off', '')));
    expect((await failure(strict.send(message))).fault).toBe('tls');
    expect(server.taken).toHaveLength(1);
  });

  it('keeps line ends in names and addresses out of the headers', async () => {
    const server = await start();
    const transport = open(server.env);
    await transport.send({
      ...message,
      subject: 'a\r\nBcc: eve@evil.example',
      from: { ...message.from, name: 'x\r\nX-Evil: 1' },
    });
    const [head] = server.taken[0]!.raw.split('\r\n\r\n');
    expect(head).not.toMatch(/^(Bcc|X-Evil):/m);
    expect(server.taken[0]!.to).toEqual([message.to]);
  });

  it('tells what is at fault', async () => {
    const server = await start();
    const untrusted = open(withUrl(server, (url) => url.replace(/\?.*/, '')));
    expect((await failure(untrusted.verify())).fault).toBe('tls');
    expect((await failure(untrusted.send(message))).fault).toBe('tls');
    const wrong = open(withUrl(server, (url) => url.replace('%2Fd@', 'x@')));
    const refused = await failure(wrong.send(message));
    expect(refused.fault).toBe('credentials');
    expect(refused.message).not.toContain('p:w%');
    expect((await failure(wrong.verify())).fault).toBe('credentials');
    const anonymous = open(withUrl(server, (url) => url.replace(/\/\/.*@/, '//')));
    expect((await failure(anonymous.send(message))).fault).toBe('credentials');

    const transport = open(server.env);
    Object.assign(server.refusals, { sender: '553 not your address' });
    expect(await failure(transport.send(message))).toMatchObject({
      fault: 'sender',
      concernsAll: true,
      permanent: false,
    });
    Object.assign(server.refusals, { sender: '451 later' });
    expect((await failure(transport.send(message))).fault).toBe('later');
    Object.assign(server.refusals, { sender: undefined, recipient: () => '550 no such user' });
    const unknown = await failure(transport.send(message));
    expect(unknown).toMatchObject({ fault: 'recipient', permanent: true, concernsAll: false });
    expect(unknown.message).toContain('550 no such user');
    Object.assign(server.refusals, { recipient: () => '450 greylisted' });
    expect(await failure(transport.send(message))).toMatchObject({ fault: 'later', concernsAll: false });
    Object.assign(server.refusals, { recipient: undefined, content: () => '554 looks like spam' });
    expect((await failure(transport.send(message))).fault).toBe('content');

    await server.close();
    expect(await failure(transport.send(message))).toMatchObject({ fault: 'connection', concernsAll: true });
    expect((await failure(transport.verify())).message).toContain('ECONNREFUSED');
  });

  it('takes a certificate for another name, and a port that speaks no TLS, as faults of TLS', async () => {
    const other = await start({ names: ['mail.other.example'] });
    expect((await failure(open(other.env).verify())).fault).toBe('tls');
    const plain = await start({ tls: 'off' });
    const implicit = open({ ...plain.env, PORTICO_SMTP_URL: `smtps://127.0.0.1:${plain.port}` });
    expect((await failure(implicit.verify())).fault).toBe('tls');
  });

  it('keeps what a reply repeats of the mail out of the error', async () => {
    const server = await start();
    Object.assign(server.refusals, {
      content: () => `554 refused: https://acme.example/invitation/${TOKEN} (${TOKEN}), see https://help.example`,
    });
    const error = await failure(open(server.env).send(message));
    expect(error.message).toContain('refused');
    expect(error.message).not.toMatch(/tok3n|https?:/);
  });

  it('ends what is being sent when it is closed', async () => {
    const sockets: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve));
    closers.push(() => sockets.close());
    const { port } = sockets.address() as { port: number };
    const transport = openSmtp({ host: '127.0.0.1', port, tls: 'off', credentials: undefined, caFile: undefined });
    const connected = once(sockets, 'connection');
    const sending = failure(transport.send(message));
    await connected;
    transport.close();
    expect((await sending).fault).toBe('connection');
  });
});
