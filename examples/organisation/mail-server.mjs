// A mail server on a loopback address that keeps what it is sent.
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** Starts one. @returns its address for PORTICO_SMTP_URL, the mails, and how to end it */
export async function startMailServer() {
  const mails = [];
  const waiting = new Set();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      text(stream).then((raw) => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
        for (const check of waiting) check();
        done();
      }, done);
    },
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `smtp://127.0.0.1:${server.server.address().port}?tls=off`,
    /** Waits for the mail to an address. @returns its text, as it was sent */
    mailTo: async (address) => {
      const { promise, resolve } = Promise.withResolvers();
      const check = () => {
        const mail = mails.find(({ to }) => to.includes(address));
        if (mail) resolve(mail.raw);
      };
      waiting.add(check);
      check();
      const raw = await promise;
      waiting.delete(check);
      return raw;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The plain text of a mail: quoted-printable, decoded. */
export function plainText(raw) {
  return raw
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
