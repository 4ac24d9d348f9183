// The life of an organisation from the first command to the erasure of a person, on a server of its own with a mail server: what
// operators, administrators and people do, with the command and the client library. Ends with 0 when all went as it says. Leaves
// nothing behind.
// usage: node examples/organisation.mjs [--chromium]   (after npm ci; with --chromium one passkey is made and used by a real browser)
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { useNode24 } from './node-24.mjs';
import { openBrowser } from './organisation/browser.mjs';
import { plainText, startMailServer } from './organisation/mail-server.mjs';
import { startProvider } from './organisation/provider.mjs';
import { freePort, runAndUndo } from './shared.mjs';
import { startNode, stopNode } from './two-nodes/node.mjs';

await useNode24();
const { PorticoClient } = await import('@portico/sdk');
const { TOTP } = await import('otpauth');
const { SoftPasskey } = await import('../apps/server/test/support/authenticator.ts');

const COMMAND = fileURLToPath(new URL('../packages/cli/bin/portico.mjs', import.meta.url));
const IN_CHROMIUM = process.argv.includes('--chromium');
const say = (text) => console.log(text);
const undo = [];

async function run() {
  const directory = mkdtempSync(join(tmpdir(), 'portico-organisation-'));
  undo.push(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));
  const mail = await startMailServer();
  undo.push(() => mail.close());
  const provider = await startProvider({
    sub: 'cleo',
    given_name: 'Cleo',
    family_name: 'Verdi',
    email: 'cleo@acme.example',
    email_verified: true,
  });
  undo.push(() => provider.close());
  const port = await freePort();
  // Browsers make passkeys on pages of https, and of localhost.
  const baseUrl = `http://localhost:${port}`;
  const settings = {
    PORT: String(port),
    PORTICO_DATA_DIR: join(directory, 'data'),
    PORTICO_DEMO: 'false',
    PORTICO_SMTP_URL: mail.url,
    PORTICO_MAIL_FROM: 'portal@acme.example',
    PORTICO_INTERNAL_PROVIDERS: provider.host,
  };

  say('1. A server, and an organisation with its first administrator');
  const server = await startNode('the server', settings);
  undo.push(() => stopNode(server));
  /**
   * Runs a command as the operator.
   * @returns its output
   */
  const operator = (...words) =>
    portico({ ...settings, PORTICO_CONFIG: join(directory, 'config.json') }, ['admin', ...words]);
  const made = await operator(
    ...[
      'tenant',
      'create',
      'acme',
      '--host',
      'localhost',
      '--admin-email',
      'ada@acme.example',
      '--administrator',
      'ada',
    ],
  );
  say(`   ${made.split('\n')[0]}`);

  say('2. The administrator chooses a password by the link and protects it by an authenticator app');
  const ada = person(baseUrl, 'ada', 'a password that Ada chose');
  await ada.choosePassword(tokenOfLink(made));
  await ada.setUpAuthenticatorApp();
  await refused('SECOND_FACTOR_REQUIRED', ada.passwordAlone());
  const admin = await ada.signIn();
  say(`   signed in as ${(await admin.auth.currentUser()).userData.contactEmail} with password and code`);

  say('3. A colleague is invited by mail');
  const { userId } = await admin.users.create({
    firstname: 'Ben',
    lastname: 'Rossi',
    contactEmail: 'ben@acme.example',
    userCredentialsConfiguration: { custom: { username: 'ben', active: true, canUserManageCustomCredentials: true } },
  });
  await admin.users.invite({ userId });
  const ben = person(baseUrl, 'ben', 'a password that Ben chose');
  await ben.choosePassword(tokenOfLink(plainText(await mail.mailTo('ben@acme.example'))));
  await ben.setUpAuthenticatorApp();
  const byToken = await ben.signIn();
  const browser = await ben.signInToBrowser();
  const { sessions } = await byToken.auth.sessions();
  expect(sessions.length === 1 && sessions[0].userAgent === 'A browser', 'the list shows the browser');
  expect((await callerOf(browser, baseUrl))?.id === userId, 'the browser is signed in');
  say(`   Ben (user ${userId}) is signed in by a token and in a browser`);

  say('4. Another one signs in by a provider, which makes the account');
  const client = { id: 'portico', secret: 'a secret of the example' };
  const { redirectUri } = await admin.identityProviders.create({
    key: 'acme',
    name: 'Acme account',
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    enabled: true,
    createUsers: true,
  });
  provider.register({ ...client, redirectUri });
  const byProvider = openBrowser();
  const isPage = ({ origin, pathname }) => origin === baseUrl && !pathname.startsWith('/portal/api/');
  await byProvider.visit(`${baseUrl}/portal/api/core/auth/providers/acme/start`, isPage);
  const cleo = await callerOf(byProvider, baseUrl);
  expect(cleo?.contactEmail === 'cleo@acme.example', 'Cleo is signed in by the provider');
  say(`   ${cleo.firstName} ${cleo.lastName} (user ${cleo.id})`);

  say('5. More colleagues come by a file, and one of them signs in with a passkey');
  const people = join(directory, 'people.csv');
  writeFileSync(
    people,
    'firstname,lastname,contactEmail,username\nDan,Neri,dan@acme.example,dan\nEva,Gialli,eva@acme.example,eva\n',
  );
  const byFile = await environmentOf(admin, directory, baseUrl);
  const importOf = async (...words) =>
    JSON.parse(await portico(byFile, ['api', 'users', 'import', '--csv', `@${people}`, '--output', 'json', ...words]));
  const outcomes = (rows) => rows.map(({ outcome }) => outcome).join();
  expect(outcomes(await importOf('--dry-run')) === 'created,created', 'the dry run reports both');
  expect(outcomes(await importOf()) === 'created,created', 'both are made');
  expect(outcomes(await importOf()) === 'present,present', 'the same file again makes nobody');
  const dan = person(baseUrl, 'dan', 'a password that Dan chose');
  await dan.choosePassword(tokenOfLink(plainText(await mail.mailTo('dan@acme.example'))));
  const byPasskey = await dan.signInByPasskey(new SoftPasskey(baseUrl));
  expect((await byPasskey.auth.currentUser()).userData.firstName === 'Dan', 'the passkey signs Dan in');
  say('   Dan is signed in by a passkey alone');
  if (IN_CHROMIUM) {
    const eva = person(baseUrl, 'eva', 'a password that Eva chose');
    await eva.choosePassword(tokenOfLink(plainText(await mail.mailTo('eva@acme.example'))));
    const byChromium = await eva.signInByPasskey(await chromiumAt(baseUrl));
    expect((await byChromium.auth.currentUser()).userData.firstName === 'Eva', 'the passkey signs Eva in');
    say('   Eva is signed in by a passkey that Chromium made');
  }

  say('6. People must sign in by the provider; the break-glass administrator gets in all the same');
  const glass = await operator('break-glass', 'create', '--tenant', 'acme');
  await operator('tenant', 'settings', 'acme', '--require-provider');
  const rescuer = person(
    baseUrl,
    lineOf(glass, 'User name'),
    lineOf(glass, 'Password'),
    lineOf(glass, 'Authenticator app'),
  );
  await eventually(() => refused('INVALID_CREDENTIALS', dan.passwordAlone()));
  await eventually(() => refused('INVALID_AUTH_TOKEN', byPasskey.auth.currentUser()));
  expect((await callerOf(byProvider, baseUrl))?.id === cleo.id, 'whom the provider signed in stays signed in');
  await (await rescuer.signIn()).settings.get();
  expect((await operator('break-glass', 'show', '--tenant', 'acme')).includes('Signed in'), 'its use is shown');
  await operator('tenant', 'settings', 'acme', '--no-require-provider');
  await eventually(() => dan.passwordAlone());
  say('   and is shown to have been used');

  say('7. Ben is signed out, and then blocked');
  const administrator = await environmentOf(admin, directory, baseUrl);
  await portico(administrator, ['api', 'users', 'sign-out', String(userId), '--yes']);
  await refused('INVALID_AUTH_TOKEN', byToken.auth.currentUser());
  expect((await callerOf(browser, baseUrl)) === undefined, 'the browser is signed out');
  const again = await ben.signIn();
  await operator('user', 'block', '--tenant', 'acme', 'ben@acme.example');
  await refused('INVALID_AUTH_TOKEN', again.auth.currentUser());
  await refused('INVALID_CREDENTIALS', ben.signIn());
  say('   his token, his browser and his password were refused at once');

  say('8. Keys are replaced');
  const keyFile = join(directory, 'sync-key.json');
  await operator('service-account', 'create', '--tenant', 'acme', '--name', 'Sync', '--out', keyFile);
  const old = JSON.parse(readFileSync(keyFile, 'utf8'));
  const program = (key) => new PorticoClient({ baseUrl, credentials: { serviceAccount: key }, retries: 0 });
  await program(old).auth.currentUser();
  const next = await admin.serviceAccounts.createKey({ serviceAccountId: old.client_id, name: 'Second' });
  await admin.serviceAccounts.revokeKey({ serviceAccountId: old.client_id, keyId: old.private_key_id });
  await refused('INVALID_ASSERTION', program(old).auth.currentUser());
  await program(next.keyFile).auth.currentUser();
  await operator('keys', 'rotate', '--tenant', 'acme', '--kind', 'signing', '--withdraw');
  await refused('INVALID_AUTH_TOKEN', admin.auth.currentUser());
  const renewed = await ada.signIn();
  say('   the first key of the service account, and every token that the first signing key made, are void');

  say('9. What is known of Ben is exported, and he is erased');
  const archive = join(directory, 'ben.zip');
  await portico(await environmentOf(renewed, directory, baseUrl), [
    'api',
    'users',
    'export-person',
    String(userId),
    '--out',
    archive,
  ]);
  expect(readFileSync(archive).subarray(0, 2).toString() === 'PK', 'the archive is a ZIP file');
  await portico(await environmentOf(renewed, directory, baseUrl), ['api', 'users', 'erase', String(userId), '--yes']);
  await refused('NotFoundError', renewed.users.readForEdit({ userId }));
  say('   nobody finds his name any more');

  say('10. The audit log is whole');
  // A job of the server chains entries some seconds after they were written.
  const verify = () => operator('audit', 'verify', '--tenant', 'acme');
  let verified = await verify();
  while (!verified.includes('; 0 are not chained yet')) {
    await setTimeout(1_000);
    verified = await verify();
  }
  for (const line of verified.trim().split('\n')) say(`   ${line}`);
}

/** Somebody with a password. @param secret of their authenticator app, where they have one */
function person(baseUrl, username, password, secret) {
  let recoveryCodes = [];
  let lastStep = 0;
  const anonymous = new PorticoClient({ baseUrl, credentials: { username, password }, retries: 0 });
  /** A present or next code of the app: each is accepted once. */
  const code = () => {
    const step = Math.max(Math.floor(Date.now() / 30_000), lastStep + 1);
    if (step > Math.floor(Date.now() / 30_000) + 1) return recoveryCodes.pop();
    lastStep = step;
    return new TOTP({ secret }).generate({ timestamp: step * 30_000 });
  };
  const credentials = () => ({ username, password, secondFactorCode: code() });
  return {
    choosePassword: (token) => anonymous.auth.setPassword({ token, newPassword: password }),
    passwordAlone: () => anonymous.auth.exchangePassword({ username, password }),
    setUpAuthenticatorApp: async () => {
      ({ secret } = await anonymous.auth.startTotp({ password }));
      ({ recoveryCodes } = await anonymous.auth.confirmTotp({ code: code() }));
    },
    /** Adds a passkey and signs in with it. @param passkey its authenticator @returns a client with an access token */
    signInByPasskey: async (passkey) => {
      const { accessToken: first } = await anonymous.auth.exchangePassword({ username, password });
      const client = new PorticoClient({ baseUrl, credentials: { accessToken: first }, retries: 0 });
      const { options } = await client.auth.startPasskey({ password });
      await client.auth.confirmPasskey({ name: 'Laptop', credential: await passkey.make(options) });
      const { options: challenge } = await anonymous.auth.startPasskeySignIn({});
      const { accessToken } = await anonymous.auth.exchangePasskey({ credential: await passkey.use(challenge) });
      return new PorticoClient({ baseUrl, credentials: { accessToken }, retries: 0 });
    },
    /** @returns a client with an access token */
    signIn: async () => {
      const { accessToken } = await anonymous.auth.exchangePassword(credentials());
      return new PorticoClient({ baseUrl, credentials: { accessToken }, retries: 0 });
    },
    /** Signs in as a page of the portal does. @returns the browser */
    signInToBrowser: async () => {
      const browser = openBrowser();
      const answer = await browser.send(`${baseUrl}/portal/api/core/auth/start-session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: baseUrl },
        body: JSON.stringify(credentials()),
      });
      expect(answer.status === 200, `the browser was refused: ${await answer.text()}`);
      return browser;
    },
  };
}

/** The virtual authenticator of a Chromium that is started for it. */
async function chromiumAt(baseUrl) {
  const { startBrowser } = await import('../scripts/browser.ts');
  const { openVirtualAuthenticator } = await import('../scripts/virtual-authenticator.ts');
  const { browser, close } = await startBrowser();
  undo.push(close);
  return openVirtualAuthenticator(browser, baseUrl);
}

/** Returns the account that a browser is signed in as; undefined if it is not signed in. */
async function callerOf(browser, baseUrl) {
  const answer = await browser.send(`${baseUrl}/portal/api/core/auth/current-user-data`);
  if (answer.status === 401) return undefined;
  return (await answer.json()).userData;
}

/**
 * Runs the command.
 * @returns its output
 */
async function portico(env, words) {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...words], {
    env: { PATH: process.env.PATH, ...env },
  });
  return stdout;
}

/** Returns the environment in which the command has the rights of a client. */
async function environmentOf(client, directory, baseUrl) {
  return {
    PORTICO_URL: baseUrl,
    PORTICO_TOKEN: await client.accessToken(),
    PORTICO_CONFIG: join(directory, 'config.json'),
    PORTICO_CACHE_DIR: join(directory, 'tokens'),
  };
}

/** The token of a one-time link, which is the last part of its address. */
function tokenOfLink(text) {
  const [, token] = /\/portal\/#\/[\w-]+\/([\w-]+)/.exec(text) ?? [];
  expect(token !== undefined, `there is no link in: ${text}`);
  return token;
}

/** Returns the text after a name in the output of a command. */
const lineOf = (text, name) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1];

/** Retries until it succeeds: servers apply settings within a second. */
async function eventually(work) {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === 50) throw error;
      await setTimeout(200);
    }
  }
}

function expect(holds, text) {
  if (!holds) throw new Error(text);
}

/** @param name code or class of the error with which the request must fail */
async function refused(name, request) {
  const error = await request.then(
    () => undefined,
    (reason) => reason,
  );
  expect(
    [error?.code, error?.name].includes(name),
    `${name} was expected, not ${error?.code ?? 'success'}: ${error?.stack ?? ''}`,
  );
}

process.exit(await runAndUndo(run, undo));
