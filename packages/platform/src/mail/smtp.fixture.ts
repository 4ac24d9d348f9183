/**
 * A real SMTP server for tests, with TLS and sign-in, that refuses the commands that a test names.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
// @ts-expect-error: an example in plain JavaScript
import { selfSignedCertificate } from '../../../../examples/self-signed-certificate.mjs';

/** A message that the server took. */
interface TakenMail {
  from: string;
  to: string[];
  /** Headers and body as they came. */
  raw: string;
  secure: boolean;
  user: string | undefined;
}

/** Replies in place of acceptance, such as `550 no such user`; changed while the server runs. */
interface Refusals {
  sender?: string;
  recipient?: (address: string) => string | undefined;
  /** Called with the message. */
  content?: (raw: string) => string | undefined;
  /** Awaited before the message is accepted. */
  delay?: () => Promise<unknown>;
}

export interface TestSmtp {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Certificate of the server, PEM. */
  readonly caFile: string;
  readonly taken: TakenMail[];
  readonly refusals: Refusals;
  /** Environment of a service that sends by this server. */
  readonly env: { PORTICO_SMTP_URL: string; PORTICO_MAIL_FROM: string };
  close(): Promise<void>;
}

export interface TestSmtpOptions {
  tls?: 'implicit' | 'starttls' | 'off';
  port?: number;
  /** Names and addresses of the certificate. */
  names?: string[];
}

/** Starts a server that asks for a user and a password, without TLS for none. */
export async function startTestSmtp({
  tls = 'starttls',
  port = 0,
  names = ['127.0.0.1'],
}: TestSmtpOptions = {}): Promise<TestSmtp> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-smtp-'));
  const caFile = join(directory, 'ca.pem');
  const certificate = selfSignedCertificate(names) as { cert: string; key: string };
  await writeFile(caFile, certificate.cert);
  const [user, password] = ['portal@acme.example', 'p:w%/d'];
  const taken: TakenMail[] = [];
  const refusals: Refusals = {};
  const server = new SMTPServer({
    secure: tls === 'implicit',
    cert: certificate.cert,
    key: certificate.key,
    disabledCommands: tls === 'off' ? ['STARTTLS', 'AUTH'] : [],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onAuth: (auth, _session, done) =>
      auth.username === user && auth.password === password
        ? done(null, { user: auth.username })
        : done(reply('535 Authentication failed')),
    onMailFrom: (_address, _session, done) => done(reply(refusals.sender)),
    onRcptTo: ({ address }, _session, done) => done(reply(refusals.recipient?.(address))),
    onData: (stream, session, done) => {
      void (async () => {
        const raw = await text(stream);
        await refusals.delay?.();
        const refused = refusals.content?.(raw);
        if (refused !== undefined) return done(reply(refused));
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          secure: session.secure,
          user: session.user as string | undefined,
        });
        done();
      })();
    },
  });
  // Clients that do not trust the certificate end the connection: expected.
  server.on('error', () => undefined);
  const listening = server.listen(port, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const bound = (listening.address() as AddressInfo).port;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return {
    port: bound,
    user,
    password,
    caFile,
    taken,
    refusals,
    env: {
      PORTICO_SMTP_URL:
        tls === 'off'
          ? `smtp://127.0.0.1:${bound}?tls=off`
          : `${tls === 'implicit' ? 'smtps' : 'smtp'}://${login}127.0.0.1:${bound}?ca=${encodeURIComponent(caFile)}`,
      PORTICO_MAIL_FROM: user,
    },
    close: async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The error that makes the server answer so; null for acceptance. */
function reply(line: string | undefined): Error | null {
  if (line === undefined) return null;
  return Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) });
}
