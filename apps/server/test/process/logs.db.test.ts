/**
 * Contents of the logs and of /metrics after a whole session: the data that operators need, and
 * nothing that opens a door.
 */
import { readFileSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, assertion, demoKey, type Running, Surroundings, signIn, until } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

const MARK = 'SECRETmarkOfThisTest';
let dataDir: string;
let running: Running;
let origin: string;
let metricsPort: number;
let token: string;
const secrets: string[] = [];
let metrics: string;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

beforeAll(async () => {
  dataDir = await surroundings.dataDirectory({ demo: true });
  metricsPort = await freePort();
  running = surroundings.start({
    PORTICO_DATA_DIR: dataDir,
    PORTICO_DEMO: undefined,
    PORTICO_LOG_LEVEL: 'debug',
    PORTICO_METRICS_PORT: String(metricsPort),
    PORTICO_ACCESS_TOKEN_SECOND: '60',
  });
  origin = await running.ready();
  await session();
  // The first scrape begins the measurements in the background.
  await until('all figures are there', async () => {
    metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return /portico_files_bytes\{/.test(metrics) && /portico_stream_pending_changes \d/.test(metrics);
  });
  await running.end('SIGTERM');
}, 300_000);

/** Signs in well and badly, reads, writes, follows links, and sends requests that are refused. */
async function session(): Promise<void> {
  const key = demoKey(dataDir);
  secrets.push(...key.private_key.split('\n').filter((line) => line.length > 40));
  const signed = assertion(key);
  secrets.push(signed, signed.split('.')[2] as string);
  token = (
    await ask(origin, undefined, 'POST', 'core/auth/create-access-token-by-service-account', { jwtAssertion: signed })
  )['accessToken'] as string;
  secrets.push(token, token.split('.')[2] as string);
  secrets.push(await signIn(origin, key));

  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const response = await fetch(`${origin}${path}`, { method, headers, redirect: 'manual', ...(body && { body }) });
    return { status: response.status, text: await response.text() };
  };
  const json = { 'Content-Type': 'application/json' };
  const auth = { Authorization: `Bearer ${token}`, ...json };
  const api = '/portal/api';
  const signInPath = `${api}/core/auth/create-access-token-by-service-account`;
  // The same assertion again, a broken assertion, and a body that is no JSON.
  expect((await send('POST', signInPath, json, JSON.stringify({ jwtAssertion: signed }))).status).toBe(401);
  await send('POST', signInPath, json, JSON.stringify({ jwtAssertion: `${signed.slice(0, -8)}${MARK}` }));
  await send('POST', signInPath, json, `{"jwtAssertion": "${MARK}`);
  const me = `${api}/core/auth/current-user-data`;
  expect((await send('GET', me, { Authorization: `Bearer ${token}${MARK}` })).status).toBe(401);
  expect((await send('GET', `${me}?access_token=${token}&x=${MARK}`, auth)).status).toBe(200);
  const personal = `ptc_${MARK.padEnd(43, 'x')}`;
  for (const Authorization of [`Bearer ${personal}`, personal])
    expect((await send('GET', `${me}?token=${personal}`, { Authorization })).status).toBe(401);
  expect((await send('GET', `${api}/${MARK}`, { Cookie: `session=${MARK}` })).status).toBe(404);
  expect((await send('GET', '/metrics')).status).toBe(404);
  // Refused: too large, a wrong media type, wrong fields.
  const { communities } = await ask(origin, token, 'GET', 'communication/settings/communities');
  const list = `${api}/communication/posts/data/list/community/${communities[0].id}`;
  await send('POST', list, auth, JSON.stringify({ title: MARK.repeat(60_000) }));
  await send('POST', list, { ...auth, 'Content-Type': 'text/plain' }, MARK);
  expect((await send('POST', list, auth, JSON.stringify({ pageToken: MARK, orderBy: MARK }))).status).toBe(400);
  const page = await ask(origin, token, 'POST', list.slice(api.length + 1), { pageSize: 20 });
  if (page['nextPageToken']) secrets.push(page['nextPageToken'] as string);

  // A write with an idempotency key, whose body is nobody's business.
  const post = page['items'][0].id as number;
  const comment = JSON.stringify({ comment: `Said in confidence: ${MARK}`, commentFormat: 2 });
  const path = `${api}/communication/posts/manage/create-comment/${post}`;
  for (let time = 0; time < 2; time++)
    expect((await send('POST', path, { ...auth, 'Idempotency-Key': `${MARK}-1` }, comment)).status).toBe(200);

  // Signed links, followed as they are, mangled, and by a method they do not take.
  const link = await findLink(communities as { id: number }[]);
  const { pathname } = new URL(link);
  secrets.push(link, pathname.split('/').at(-1) as string);
  expect((await send('GET', pathname)).status).toBe(200);
  expect((await send('GET', `${pathname}x`)).status).toBeGreaterThanOrEqual(400);
  expect((await send('DELETE', pathname)).status).toBeGreaterThanOrEqual(400);
  await send('PUT', `${api}/core/storage/form-upload?policy=${MARK}`, { 'Content-Type': 'text/plain' }, MARK);
  await until('the answers are logged', () => running.log.filter((line) => line['msg'] === 'answered').length > 15);
}

async function findLink(communities: { id: number }[]): Promise<string> {
  for (const { id } of communities) {
    const page = await ask(origin, token, 'POST', `communication/posts/data/list/community/${id}`, { pageSize: 50 });
    for (const item of page['items'] as { id: number }[]) {
      const path = `communication/attachments/data/posts/${item.id}/attachments-list`;
      const [attachment] = (await ask(origin, token, 'POST', path, { pageSize: 1 }))['items'];
      if (attachment) return attachment.temporaryContentDownloadLink as string;
    }
  }
  throw new Error('the demo has no attachment');
}

describe('logs and metrics of a session', { timeout: 300_000 }, () => {
  it('hold no token, assertion, key, link, body or header', () => {
    const output = [
      running.stdout,
      running.stderr,
      readFileSync(join(dataDir, 'postgres.log'), 'utf8'),
      metrics,
    ].join();
    for (const secret of [...secrets, MARK]) expect(output.includes(secret), secret.slice(0, 12)).toBe(false);
    expect(output).not.toMatch(/BEGIN (RSA )?PRIVATE KEY|Bearer |eyJ[\w-]{20,}|ptc_/);
  });

  it('are lines of JSON that say who asked for what, and how long it took', () => {
    // The welcome is all output that is not JSON: four lines, besides the passwords that a first
    // start prints and the notes about them later.
    expect(running.plainLines.filter((line) => !/^(?:Sign in once as|New password):/.test(line))).toHaveLength(4);
    const answered = running.log.filter((line) => line['msg'] === 'answered');
    const listed = answered.filter((line) => String(line['operation']).match(/listCommunityPosts/i));
    expect(listed.length).toBeGreaterThan(0);
    for (const line of answered) {
      expect(line['reqId']).toMatch(/^[\w.:-]{1,128}$/);
      expect(line['ms']).toBeGreaterThanOrEqual(0);
      expect(line['operation']).toBeTruthy();
      expect(line).not.toHaveProperty('url');
    }
    expect(answered.find((line) => line['status'] === 200 && line['user'])).toMatchObject({ tenant: 'demo' });
  });

  it('name the tenant also where nobody signs in: uploads and links', () => {
    const line = running.log.find((entry) => String(entry['operation']).endsWith('/:token') && entry['status'] === 200);
    expect(line).toMatchObject({ tenant: 'demo', method: 'GET' });
  });

  it('name a misspelt variable', () => {
    const warning = running.log.find((line) => line['variable'] === 'PORTICO_ACCESS_TOKEN_SECOND');
    expect(warning?.['msg']).toContain('is PORTICO_ACCESS_TOKEN_SECONDS meant?');
  });

  it('come in the form of Prometheus, on an address of their own', () => {
    for (const line of metrics.split('\n'))
      expect(line).toMatch(/^($|# (HELP|TYPE) \w+ |[a-z0-9_:]+(\{[^}]*\})? [-+.\deInfNa]+$)/);
    expect(metrics).toMatch(
      /portico_http_request_seconds_count\{operation="listCommunityPosts\w*",status="200"\} [1-9]/i,
    );
    expect(metrics).toMatch(/portico_db_connections\{state="busy"\} \d+/);
    expect(metrics).toMatch(/portico_db_statement_seconds_count [1-9]/);
    expect(metrics).toMatch(/portico_stream_pending_changes \d+/);
    expect(metrics).toMatch(/portico_stream_oldest_pending_seconds [\d.]+/);
    expect(metrics).toMatch(/portico_files_bytes\{tenant="[\w-]+"\} \d+/);
    expect(metrics).toMatch(/portico_files_quota_bytes\{tenant="demo"\} 53687091200/);
    const free = Number(/^portico_files_free_bytes (\d+)$/m.exec(metrics)?.[1]);
    const { blocks, bsize } = statfsSync(dataDir);
    expect(free).toBeGreaterThan(0);
    expect(free).toBeLessThan(blocks * bsize);
    expect(metrics).toMatch(/portico_files_failed\{tenant="[\w-]+",work="previews"\} \d+/);
    expect(metrics).toMatch(/portico_log_lines_total\{level="warn"\} [1-9]/);
    expect(metrics).toMatch(/process_resident_memory_bytes \d+/);
  });
});
