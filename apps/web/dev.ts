/**
 * `npm run dev`: the portal for its developers. Vite listens on PORT and serves the page from its
 * current sources. It passes all other requests to the service, which runs beside it and restarts
 * when one of its sources changes. Both share one origin.
 */
import { spawn } from 'node:child_process';
import { createServer as createSocket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const port = Number(process.env['PORT'] ?? 8080);

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await new Promise((resolve) => socket.once('listening', resolve));
  const { port: free } = socket.address() as { port: number };
  await new Promise((resolve) => socket.close(resolve));
  return free;
}

const behind = await freePort();
const service = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-kill-signal=SIGINT',
    '--watch-path=apps/server/src',
    '--watch-path=packages',
    'apps/server/src/main.ts',
  ],
  // A separate process group: Ctrl-C then reaches only this process, which ends the service.
  { cwd: root, stdio: 'inherit', detached: true, env: { ...process.env, PORT: String(behind) } },
);
// The page ends with the service, and the service with the page.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => service.kill('SIGINT'));
process.on('exit', () => service.kill('SIGINT'));
service.on('exit', (code) => process.exit(code ?? 0));

const target = { target: `http://127.0.0.1:${behind}`, ws: false };
const vite = await createServer({
  root: here,
  configFile: `${here}vite.config.ts`,
  server: {
    port,
    strictPort: true,
    host: 'localhost',
    // The service takes the address from `Host`, which stays as the browser sent it.
    proxy: { '^/(?!portal(?:/|$))': target, '^/portal/(?:api|files|storage|mcp)(?:/|$)': target },
  },
});
await vite.listen();
process.stdout.write(`The page with hot reload: http://localhost:${port}/portal/\n`);
