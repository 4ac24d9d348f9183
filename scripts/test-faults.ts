/**
 * Plants each fault of faults.ts in a copy of the repository and runs the tests that should find it (`npm run test:faults`).
 * Arguments select faults by a part of their names. A fault is found when the named test files fail, or else the rest of its
 * layer does. Ends with 1 when one is not found. `--check` runs no test: it verifies that each fault can still be planted.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Fault, faults } from './faults.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROJECTS: Record<Fault['layer'], string> = { unit: 'unit*', modules: 'modules', system: 'system' };

/** Returns the source with the fault in it. @throws Error when the text does not occur exactly once */
function planted({ name, file, find, replace }: Fault): string {
  const parts = readFileSync(join(ROOT, file), 'utf8').split(find);
  if (parts.length !== 2) throw new Error(`"${name}": ${file} has the text ${parts.length - 1} times, not once`);
  return parts.join(replace);
}

/** Copies the working tree with its packages, by links where files stay as they are. @returns the folder of the copy */
function copyOf(parent: string): string {
  const copy = mkdtempSync(join(parent, 'copy-'));
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT });
  execFileSync('tar', ['--null', '-T', '-', '-cf', join(parent, 'tracked.tar')], { cwd: ROOT, input: tracked });
  execFileSync('tar', ['-xf', join(parent, 'tracked.tar'), '-C', copy]);
  const packages = execFileSync('find', ['.', '-name', 'node_modules', '-prune', '-print'], { cwd: ROOT });
  for (const folder of packages.toString().split('\n').filter(Boolean))
    execFileSync('cp', ['-a', '--link', join(ROOT, folder), join(copy, folder)]);
  execFileSync('ln', ['-sfn', join(ROOT, '../shared'), join(parent, 'shared')]);
  return copy;
}

/** Whether vitest fails. @param files parts of the paths of test files; none for the whole layer */
function fails(copy: string, layer: Fault['layer'], files: readonly string[]): boolean {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--bail=1',
    '--passWithNoTests',
    '--project',
    PROJECTS[layer],
    ...files,
  ];
  const { status } = spawnSync(process.execPath, args, { cwd: copy, stdio: ['ignore', 'ignore', 'ignore'] });
  return status !== 0;
}

function find(fault: Fault): boolean {
  const parent = mkdtempSync(join(tmpdir(), 'portico-fault-'));
  try {
    const source = planted(fault);
    const copy = copyOf(parent);
    // The copy may be a link: the original keeps its text.
    unlinkSync(join(copy, fault.file));
    writeFileSync(join(copy, fault.file), source);
    return fails(copy, fault.layer, fault.tests) || fails(copy, fault.layer, []);
  } finally {
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
  }
}

const args = process.argv.slice(2);
if (args.includes('--check')) {
  for (const fault of faults) planted(fault);
} else {
  const chosen = faults.filter(({ name }) => args.length === 0 || args.some((part) => name.includes(part)));
  const found: Fault[] = [];
  for (const fault of chosen) {
    const isFound = find(fault);
    if (isFound) found.push(fault);
    console.log(`${isFound ? 'found    ' : 'NOT FOUND'}  ${fault.layer.padEnd(7)}  ${fault.name}`);
  }
  const byDefault = found.filter(({ layer }) => layer !== 'system').length;
  console.log(`${found.length} of ${chosen.length} faults found; ${byDefault} of them by npm test`);
  if (found.length < chosen.length) process.exitCode = 1;
}
