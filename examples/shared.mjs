// Shared functions of the programs in this folder: a free port, the sign-in of a service account,
// commands of `portico`, and an end that leaves nothing behind.
import { spawn } from 'node:child_process';
import { randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../packages/cli/bin/portico.mjs', import.meta.url));

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The JWT that a service account exchanges for an access token. @param key content of its key file */
export function signAssertion(key) {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const header = { alg: 'RS512', typ: 'JWT', kid: key.private_key_id };
  const claims = { iss: key.client_id, aud: 'portico/portal-authenticator', iat: now, exp: now + 300 };
  const unsigned = `${encode(header)}.${encode({ ...claims, jti: randomUUID() })}`;
  return `${unsigned}.${sign('RSA-SHA512', Buffer.from(unsigned), key.private_key).toString('base64url')}`;
}

/**
 * Starts a command of `portico`.
 * @returns its process, its output so far, and its exit
 */
export function startCommand(settings, args) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const done = new Promise((resolve) => child.once('exit', (code) => resolve({ code, output })));
  return { child, done, output: () => output };
}

/**
 * Runs a command of `portico`.
 * @returns its output
 * @throws if it fails
 */
export async function portico(settings, ...args) {
  const { code, output } = await startCommand(settings, args).done;
  if (code !== 0) throw new Error(`portico ${args.join(' ')}: ${output}`);
  return output.trim();
}

/**
 * Runs a program, then undoes what it did, the last first, also after Ctrl-C.
 * @param run returns what was wrong, a sentence each
 * @param undo steps that `run` adds to
 * @returns the exit code
 */
export async function runAndUndo(run, undo) {
  let ending;
  const end = () => {
    ending ??= (async () => {
      for (const step of undo.toReversed()) await step();
    })();
    return ending;
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end().then(() => process.exit(1)));
  let exitCode = 0;
  try {
    for (const fault of (await run()) ?? []) {
      console.log(`FAULT: ${fault}`);
      exitCode = 1;
    }
  } catch (error) {
    console.error(error);
    exitCode = 1;
  }
  await end();
  return exitCode;
}
