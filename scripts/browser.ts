/** A real browser for tests: the Chromium that npm brought, so that a machine with Node.js alone can run them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

export interface TestBrowser {
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
    const browser = await chromium.launch(await unpack(folder));
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

/** Unpacks the browser, the libraries that a bare machine has not, and fonts into a folder of its own. */
async function unpack(folder: string): Promise<LaunchOptions> {
  const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
  // The package unpacks into the folder for temporary files and takes what is there already for whole: two processes
  // at once would get a half of it.
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  let paths: string[];
  try {
    paths = await Promise.all(
      ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => inflate(join(packed, name))),
    );
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  const [executablePath, libraries, fonts] = paths as [string, string, string];
  // The configuration of the package names a folder of the machine, which need not have a font.
  await writeFile(
    join(fonts, 'fonts.conf'),
    `<?xml version="1.0"?>\n<fontconfig><dir>${fonts}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir></fontconfig>\n`,
  );
  return {
    executablePath,
    // Tests may run as root, where the sandbox does not work; the pages are our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: { ...process.env, LD_LIBRARY_PATH: join(libraries, 'lib'), FONTCONFIG_PATH: fonts, TMPDIR: folder },
  };
}
