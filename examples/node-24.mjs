// Examples that load the TypeScript of this repository need Node.js 24. On an older one they continue with the one that
// `npm ci` brought.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Await it before anything that needs Node.js 24 is imported. On an older one it ends the process, as its successor does. */
export async function useNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  if (!existsSync(node)) {
    console.error(`This example needs Node.js 24 and runs on ${process.version}: run "npm ci", which brings it.`);
    process.exit(1);
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  await new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => process.exit(code ?? 1));
  });
}
