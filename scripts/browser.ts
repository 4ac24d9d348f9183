/**
 * A real browser for tests: the Chromium from npm, so that a machine with only Node.js can run
 * them.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Starts a browser with an empty profile; close it when the test file ends. */
export async function startBrowser(): Promise<TestBrowser> {
  // The packed Chromium is one for Linux on x64; elsewhere the Chrome of the machine is used.
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const browser = await chromium.launch({ channel: 'chrome' });
    return { browser, close: () => browser.close() };
  }
  const folder = await mkdtemp(join(tmpdir(), 'portico-browser-'));
  try {
    const browser = await chromium.launch(await launchOptions(folder));
    return {
      browser,
      close: async () => {
        await browser.close();
        // The browser's helper processes end after it and may still be writing.
        await rm(folder, { recursive: true, force: true, maxRetries: 10 });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    throw error;
  }
}

/** Folder of the unpacked browser, until packages are installed again. */
const KEPT = fileURLToPath(new URL('../node_modules/.cache/portico-browser', import.meta.url));

/**
 * Options for starting the browser.
 * @param folder for its own files
 */
async function launchOptions(folder: string): Promise<LaunchOptions> {
  const kept = await unpackOnce();
  return {
    executablePath: join(kept, 'chromium'),
    // Tests may run as root, where the sandbox does not work; the pages are our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(kept, 'al2023/lib'),
      FONTCONFIG_PATH: join(kept, 'fonts'),
      TMPDIR: folder,
    },
  };
}

/** A program that unpacks the files it is given. */
const UNPACK = `import { inflate } from '@sparticuz/chromium'; await Promise.all(process.argv.slice(1).map(inflate));`;

/**
 * Unpacks the browser, the libraries that a bare machine lacks, and fonts.
 * @returns the folder that holds them
 */
async function unpackOnce(): Promise<string> {
  const packages = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  const { version } = JSON.parse(await readFile(join(packages, '../package.json'), 'utf8')) as { version: string };
  const kept = join(KEPT, version);
  if (await stat(kept).catch(() => undefined)) return kept;
  await mkdir(KEPT, { recursive: true });
  const folder = await mkdtemp(join(KEPT, 'new-'));
  // The package unpacks into the folder for temporary files and takes existing files as complete:
  // two processes at once would get partial files. Therefore each process has its own folder, and
  // the first finished one is kept. A separate process gets the folder by its environment, because
  // this one may be creating other temporary files meanwhile.
  const files = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => join(packages, '../bin', name));
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK, ...files], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    env: { ...process.env, TMPDIR: folder },
  });
  // The configuration of the package names a folder of the machine, which need not have a font.
  await writeFile(
    join(folder, 'fonts/fonts.conf'),
    `<?xml version="1.0"?>\n<fontconfig><dir>${join(kept, 'fonts')}</dir><cachedir>${join(kept, 'fonts-cache')}</cachedir></fontconfig>\n`,
  );
  try {
    await rename(folder, kept);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (!(await stat(kept).catch(() => undefined))) throw error;
  }
  return kept;
}
