// A node of Portico as a process of this machine: started, waited for, stopped by its own process
// id.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Starts a node on a free port and waits until it says that it is ready.
 * @param root the folder of the version to start; this one when left out
 * @returns its process and its address
 */
export async function startNode(name, settings, root = ROOT) {
  // Where Node.js keeps compiled modules, which makes the start faster.
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(root, 'apps/server/start.mjs')], {
    env: {
      PATH,
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      HOST: '127.0.0.1',
      PORT: '0',
      PORTICO_LOG_LEVEL: 'warn',
      // All nodes are on this machine. (An earlier version does not know the variable.)
      ...(root === ROOT && { PORTICO_PROCESSES: '1' }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const port = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const ready = /ready at http:\/\/localhost:(\d+)\n/.exec(output);
      if (ready) resolve(ready[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it was ready:\n${output}`)));
  });
  return { child, origin: `http://127.0.0.1:${port}`, output: () => output };
}

/** Stops a node as a service manager does: SIGTERM, then wait. @returns its exit code */
export async function stopNode({ child }) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return ended;
}
