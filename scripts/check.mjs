// `npm run check`: freshness of generated files, types, lint, architecture, documents. Each runs to its end; any failure fails.
import { spawnSync } from 'node:child_process';

const steps = [
  ['generated files', 'node', ['scripts/generate.ts', '--check']],
  ['types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the page', 'tsc', ['--noEmit', '-p', 'apps/web/tsconfig.json']],
  ['lint', 'biome', ['ci', '.']],
  ['architecture', 'node', ['scripts/architecture/check.ts']],
  ['documents', 'node', ['scripts/docs/check.ts']],
  ['planted faults', 'node', ['scripts/test-faults.ts', '--check']],
];

let failed = 0;
for (const [name, command, args] of steps) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) process.stdout.write(`${error.message}\n`);
  const ok = status === 0;
  if (!ok) failed++;
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;
