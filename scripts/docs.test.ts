/** The documentation site: built, served by the product, read in a browser, its samples run. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCodes, operationList, problemType } from '@portico/contract';
import { samplesOf } from '@portico/contract/openapi';
import { ConfigurationError, PorticoClient, ResponseError, UnknownNameError } from '@portico/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningPortal, startPortal } from '../acceptance/portal-process.ts';
import { runWords } from '../packages/cli/src/run-command.ts';
import { startBrowser } from './browser.ts';

const run = promisify(execFile);
/** Errors of samples that the interface does not have; others come of the ids, which are made up. */
const WRONG = [
  'UNKNOWN_ROUTE',
  'UNRECOGNIZED_FIELD',
  'INVALID_TYPE',
  'REQUIRED_FIELD',
  'INVALID_BODY',
  'UNSUPPORTED_MEDIA_TYPE',
];

interface Fault {
  readonly code?: string;
  readonly field?: string;
}

/** Divides a line as a shell does, as far as the samples need it. */
const shellWords = (line: string) =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );

/** Codes of the faults of a request, but for custom fields, which another community has, and the caller's own address. */
const faultsOfRequest = (list: readonly Fault[] = []) =>
  list.filter(({ field = '' }) => !/^(?:customData|contactEmail$)/.test(field)).map(({ code = '' }) => code);

/** The built site. */
const DIST = join(import.meta.dirname, '../docs/dist');
/** Where an answer of an error says that it is documented. */
const ERROR = problemType('PAGE_TOKEN_INVALID');

let portal: RunningPortal;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let folder: string;

beforeAll(async () => {
  await rm(DIST, { recursive: true, force: true });
  [portal, browser] = await Promise.all([startPortal(), startBrowser()]);
  folder = await mkdtemp(join(tmpdir(), 'portico-docs-'));
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await portal?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

/** A page that notes what it loads and what the browser refuses. */
async function openPage(): Promise<{ page: Page; loaded: string[]; refused: string[] }> {
  const page = await browser.browser.newPage();
  const loaded: string[] = [];
  const refused: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  page.on('pageerror', (error) => refused.push(error.message));
  return { page, loaded, refused };
}

/** Opens an error's address, and returns where it led and the heading that is in view there. */
async function readError(page: Page): Promise<{ address: string; text: string }> {
  await page.goto(`${portal.baseUrl}${ERROR}`);
  const heading = page.getByRole('heading', { name: 'PAGE_TOKEN_INVALID' });
  await heading.waitFor();
  const inView = async () => {
    const box = await heading.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
  };
  await expect.poll(inView).toBe(true);
  return { address: page.url(), text: await page.locator('main').innerText() };
}

describe('where the site was not built', () => {
  const get = (path: string, accept: string) => fetch(`${portal.baseUrl}${path}`, { headers: { accept } });

  it('its address tells people so, and how it is built', async () => {
    for (const path of ['/portal/docs/', '/portal/docs/errors']) {
      const answer = await get(path, 'text/html');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      const text = await answer.text();
      expect(text).toContain('The documents were not built here: <code>npm run docs</code>');
      expect(text).toContain('href="/portal/api/docs"');
      const program = await get(path, '*/*');
      expect([program.status, await program.json()]).toMatchObject([404, { code: 'UNKNOWN_ROUTE' }]);
    }
  });

  it('the page of the interface shows the error that an answer names', async () => {
    const page = await browser.browser.newPage();
    const { address, text } = await readError(page);
    expect(address).toBe(`${portal.baseUrl}${ERROR}`);
    expect(text).toContain(errorCodes.PAGE_TOKEN_INVALID.message);
    await page.getByRole('link', { name: 'All operations' }).click();
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.locator('#errors').isVisible()).toBe(false);
    await page.close();
  });
});

describe('the site', () => {
  beforeAll(async () => {
    await run(process.execPath, [join(import.meta.dirname, 'docs.ts')], {
      env: { ...process.env, NODE_ENV: 'production' },
    });
  }, 300_000);

  it('is read and searched without another address', async () => {
    const { page, loaded, refused } = await openPage();
    await page.goto(`${portal.baseUrl}/portal/docs`);
    await page.getByRole('link', { name: 'First read in five minutes' }).click();
    await page.getByRole('heading', { name: 'First read' }).waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('conflict');
    await page.getByRole('option').first().waitFor();
    await page.goto(`${portal.baseUrl}/portal/docs/operations/posts#createcustompost`);
    await page.getByRole('heading', { name: 'Create a post', exact: false }).first().waitFor();
    await page.goto(`${portal.baseUrl}/portal/docs/errors`);
    await page.getByRole('link', { name: 'VALIDATION_FAILED' }).click();
    await page.getByRole('heading', { name: 'VALIDATION_FAILED' }).waitFor();
    expect(loaded.length).toBeGreaterThan(20);
    expect(loaded.filter((url) => !url.startsWith(portal.baseUrl))).toEqual([]);
    expect(refused).toEqual([]);
    await page.close();
  });

  it('leads by two clicks from each door to its promises', async () => {
    const { page } = await openPage();
    const doors = {
      Start: [
        'First read',
        'First write',
        'A community of your own',
        'A table that follows both ways',
        'A receiver of webhooks',
        'A bot',
      ],
      Integrate: ['The interface', 'The client library', 'Webhooks', 'Operations', 'Errors'],
      Administer: ['The administration', 'Building communities', 'Importing', 'The command'],
      Operate: ['Install and start', 'Configure', 'Secure', 'Backup', 'Upgrade', 'Watch', 'Grow'],
    };
    for (const [door, promises] of Object.entries(doors)) {
      for (const promise of promises) {
        await page.goto(`${portal.baseUrl}/portal/docs/`);
        await page.locator('.VPFeature', { hasText: door }).click();
        await page.locator('.VPDoc h1').waitFor();
        const link = page.locator('.VPSidebar, .VPDoc').getByRole('link', { name: promise, exact: true }).first();
        const target = await link.getAttribute('href');
        await link.click();
        await page.waitForURL(new URL(target ?? '', page.url()).href);
        await page.locator('main h1').waitFor();
      }
    }
    await page.close();
  });

  it('shows the error that an answer names as its documentation', async () => {
    const { page, refused } = await openPage();
    const { address } = await readError(page);
    expect(address).toBe(`${portal.baseUrl}/portal/docs/errors/page-token-invalid`);
    // From the operations too, where the address changes behind # only.
    await page.goto(`${portal.baseUrl}/portal/api/docs`);
    await page.locator('.opblock-tag').first().waitFor();
    expect((await readError(page)).address).toBe(address);
    expect(refused).toEqual([]);
    await page.close();
  });

  it('answers a page that it does not have with its own, and programs with the usual error', async () => {
    const get = (path: string, accept: string) => fetch(`${portal.baseUrl}${path}`, { headers: { accept } });
    const missing = await get('/portal/docs/nothing', 'text/html');
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await get('/portal/docs/nothing', '*/*')).headers.get('content-type')).toMatch(/json/);
    const policies = await Promise.all(
      ['/portal/docs/', '/portal/api/docs'].map(async (path) =>
        (await get(path, 'text/html')).headers.get('content-security-policy'),
      ),
    );
    expect(policies[0]).toBe(policies[1]);
  });
});

describe('its samples', () => {
  const samples = operationList.map((operation) => ({ operation, ...samplesOf(operation) }));

  it('by curl are requests of the interface', async () => {
    const { stdout } = await run(
      process.execPath,
      [join(import.meta.dirname, '../packages/cli/bin/portico.mjs'), 'token'],
      {
        env: { ...process.env, HOME: folder, PORTICO_URL: portal.baseUrl, PORTICO_KEY_FILE: portal.keyPath },
      },
    );
    const faults: string[] = [];
    const rest = [...samples];
    const next = async () => {
      for (let sample = rest.pop(); sample; sample = rest.pop()) {
        const dry = sample.operation.kind === 'write' ? '?dryRun=true' : '';
        const text = sample.curl
          .replace(/^curl /, 'curl -s ')
          .replace(/http:\/\/localhost:8080(\S*)/, (_, path: string) => `'${portal.baseUrl}${path}${dry}'`);
        const { stdout: answer } = await run('bash', ['-euc', text], {
          env: { ...process.env, TOKEN: stdout.trim() },
          maxBuffer: 2 ** 26,
        });
        const { status = 0, code = '', message = '', validationErrors } = answer ? JSON.parse(answer) : {};
        const codes = [code, ...faultsOfRequest(validationErrors?.list)];
        if (status >= 500 || codes.some((found) => WRONG.includes(found)))
          faults.push(`${sample.operation.id}: ${status} ${codes.join(' ')} ${message}\n${text}`);
      }
    };
    await Promise.all([next(), next(), next(), next()]);
    expect(faults).toEqual([]);
  });

  it('by the library are calls that it takes', async () => {
    const dryRun: typeof fetch = (url, init) => {
      const address = new URL(String(url));
      const isWrite = (init?.method ?? 'GET') !== 'GET' && !address.pathname.includes('/core/auth/create-');
      if (isWrite) address.searchParams.set('dryRun', 'true');
      return fetch(address, init);
    };
    const client = new PorticoClient({
      baseUrl: portal.baseUrl,
      credentials: { serviceAccount: portal.keyPath },
      fetch: dryRun,
      retries: 0,
    });
    const faults: string[] = [];
    for (const { operation, library } of samples) {
      const call = new Function('client', 'console', `return (async () => { ${library} })();`) as (
        client: PorticoClient,
        console: { log: () => void },
      ) => Promise<void>;
      try {
        await call(client, { log: () => undefined });
      } catch (error) {
        const fault = error as Error & { code?: string; status?: number; errors?: readonly Fault[] };
        const codes = [fault.code ?? '', ...faultsOfRequest(fault.errors)];
        const known = error instanceof ResponseError && (fault.status ?? 0) < 500;
        if (error instanceof UnknownNameError || (known && !codes.some((code) => WRONG.includes(code)))) continue;
        faults.push(
          `${operation.id}: ${error instanceof ConfigurationError} ${codes.join(' ')} ${fault.message}\n${library}`,
        );
      }
    }
    expect(faults).toEqual([]);
  });

  it('by the command are requests of the interface', async () => {
    const environment = { ...process.env };
    const workingDirectory = process.cwd();
    for (const file of samples.flatMap(
      ({ command }) => command.match(/[\w-]+\.(?:jpg|pdf|txt|json|ndjson|csv|yaml|zip)\b/g) ?? [],
    ))
      await writeFile(join(folder, file), file.endsWith('json') ? '{}' : 'text');
    process.chdir(folder);
    Object.assign(process.env, { HOME: folder, PORTICO_URL: portal.baseUrl, PORTICO_KEY_FILE: portal.keyPath });
    const streams = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true));
    const faults: string[] = [];
    try {
      for (const { operation, command } of samples) {
        const text = command.replace(/^npx portico /, '').replace('portal.acme.example', portal.baseUrl);
        const dry = operation.kind === 'write' && !text.includes('--dry-run') ? ['--dry-run'] : [];
        await runWords([...shellWords(text), ...dry]).catch(
          (error: Error & { code?: string; errors?: readonly Fault[] }) => {
            const codes = [error.code ?? '', ...faultsOfRequest(error.errors)];
            // Files of the samples are empty here.
            const isWrong = codes.some((code) => code !== 'REQUIRED_FIELD' && WRONG.includes(code));
            if (error instanceof UnknownNameError || (error instanceof ResponseError && error.status < 500 && !isWrong))
              return;
            faults.push(`${command}: ${error.constructor.name} ${codes.join(' ')} ${error.message}`);
          },
        );
      }
    } finally {
      for (const stream of streams) stream.mockRestore();
      process.chdir(workingDirectory);
      for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
      Object.assign(process.env, environment);
    }
    expect(faults).toEqual([]);
  });
});
