/** Opens pages of the portal in the browser of the person. */
import { spawn } from 'node:child_process';

/** Commands that open an address, by the name of the platform. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Prints an address and opens it in the browser: `PORTICO_BROWSER`, `BROWSER`, else that of the
 * system. Without a browser the address is printed alone.
 */
export async function openPage(address: string): Promise<void> {
  process.stdout.write(`${address}\n`);
  const chosen = process.env['PORTICO_BROWSER'] || process.env['BROWSER'];
  const [program, ...words] = chosen ? [chosen] : (OPENERS[process.platform] ?? ['xdg-open']);
  const started = await new Promise<boolean>((resolve) => {
    const child = spawn(program as string, [...words, address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
  if (!started) process.stderr.write(`No browser: ${program} cannot be started. Open the address yourself.\n`);
}
