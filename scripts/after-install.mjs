// After `npm ci`: links the Node.js of this machine's package, and writes the sources that are not kept in git.
import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
const name = `node-${process.platform}-${process.arch}`;
const link = `${modules}.bin/node`;
const windows = process.platform === 'win32';
const installed = `${modules}${name}/bin/node${windows ? '.exe' : ''}`;
const present = existsSync(installed);
// npm 10 removes the link `node_modules/.bin/node` together with the packages of other platforms, whose command has the
// same name.
if (!windows && present && !existsSync(link)) symlinkSync(`../${name}/bin/node`, link);

// The Node.js that runs npm may be older than the one that reads TypeScript.
const generate = fileURLToPath(new URL('generate-sources.ts', import.meta.url));
const { status } = spawnSync(present ? installed : process.execPath, [generate], { stdio: 'inherit' });
if (status !== 0) {
  process.stderr.write(
    `Generated sources are missing: run "npm run generate" with Node.js 24.2 or newer (this is ${process.versions.node}).\n`,
  );
}
