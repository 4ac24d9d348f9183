// An earlier version of the repository, checked out beside this one.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const git = (...args) => execFileSync('git', ['-C', ROOT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

/** Whether the history has a commit, tag or branch. */
export function isThere(version) {
  try {
    git('rev-parse', '--verify', '--quiet', `${version}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** Whether this version has every package of an earlier version, in the same version. */
function packagesServe(root) {
  const [earlier, present] = [root, ROOT].map(
    (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages,
  );
  return Object.entries(earlier).every(([path, { integrity }]) => !integrity || present[path]?.integrity === integrity);
}

/**
 * Checks out a version and installs its packages; links the packages of this version if they are
 * the same.
 * @param undo gets how to remove them again
 */
export function checkOut(version, root, undo) {
  if (!isThere(version))
    throw new Error(`The history lacks ${version}: fetch it ("git fetch --unshallow --tags"), then run this again.`);
  git('worktree', 'add', '--detach', root, version);
  undo.push(() => git('worktree', 'remove', '--force', root));
  if (packagesServe(root)) {
    execFileSync('cp', ['-al', join(ROOT, 'node_modules'), root], { stdio: 'pipe' });
    // The compiled files of this version are not shared.
    rmSync(join(root, 'node_modules', '.cache'), { recursive: true, force: true });
    execFileSync(process.execPath, [join(root, 'scripts/after-install.mjs')], { cwd: root, stdio: 'pipe' });
  } else execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: root, stdio: 'pipe' });
}
