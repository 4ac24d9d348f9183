/**
 * Runs a command beside a portal of its own: `node acceptance/outside/run.ts <command> …`. The command finds the address in
 * PORTICO_URL, the path of a key file in PORTICO_KEY_FILE and of the OpenAPI document, as it is served, in PORTICO_OPENAPI.
 * Ends with the command's exit code.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPortal } from '../portal-process.ts';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('usage: node acceptance/outside/run.ts <command> …');

const folder = await mkdtemp(join(tmpdir(), 'portico-outside-'));
const portal = await startPortal();
try {
  const answer = await fetch(`${portal.baseUrl}/portal/api/openapi.json`);
  const document = join(folder, 'openapi.json');
  await writeFile(document, await answer.text());
  process.exitCode = await new Promise<number>((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: {
        ...process.env,
        PORTICO_URL: portal.baseUrl,
        PORTICO_KEY_FILE: portal.keyPath,
        PORTICO_OPENAPI: document,
      },
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
} finally {
  await portal.stop();
  await rm(folder, { recursive: true, force: true });
}
