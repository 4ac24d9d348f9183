#!/usr/bin/env node
// The entry of `npm start`, in plain JavaScript: a Node that cannot run the rest says so in a sentence instead of a riddle.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 2)) {
  process.stderr.write(
    `Portico needs Node.js 24.2 or newer; this is ${process.versions.node}. Run it with "npm start" after "npm ci", which brings the right one, or install a newer Node.js.\n`,
  );
  process.exit(1);
}
// Compiled code is kept for the next start. Whoever can write to this directory can change the code itself as well; where the
// service cannot, nothing is kept. NODE_COMPILE_CACHE names another directory.
module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/portico-compiled', import.meta.url)));
try {
  // A published package brings the page, and not what it is built from.
  if (existsSync(new URL('../web/build.ts', import.meta.url))) {
    const { buildWeb } = await import('../web/build.ts');
    await buildWeb((line) => process.stdout.write(line));
  }
} catch (error) {
  // The interface works without the page; so does one that was built before.
  process.stderr.write(`The page could not be built (npm run build does so, too): ${error.message}\n`);
}
await import('./src/main.ts');
