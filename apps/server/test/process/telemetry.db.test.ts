/** Traces and figures for OpenTelemetry, exported to a real OTLP receiver on the loopback. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readTelemetrySettings } from '../../src/process/telemetry/settings.ts';
import { openTelemetry } from '../../src/process/telemetry/telemetry.ts';
import { Surroundings, until } from './process.fixture.ts';

const SECRET = 'Quaggasecret';
const surroundings = new Surroundings();
const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number; boolValue?: boolean; doubleValue?: number };
}
interface SpanJson {
  name: string;
  kind: number;
  spanId: string;
  parentSpanId?: string;
  attributes: Attribute[];
}

let receiver: Server;
let endpoint: string;
let bodies: { path: string; text: string }[];
/** Whether the receiver answers. */
let answers: boolean;

beforeEach(async () => {
  bodies = [];
  answers = true;
  receiver = createServer(async (incoming, response) => {
    bodies.push({ path: incoming.url!, text: (await buffer(incoming)).toString('latin1') });
    if (answers) response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.unstubAllEnvs();
  receiver.closeAllConnections();
  receiver.close();
});
afterAll(() => surroundings.clean());

const attributesOf = (list: readonly Attribute[]) =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));

const resourcesOf = (path: string, member: 'resourceSpans' | 'resourceMetrics') =>
  bodies.filter((body) => body.path === path).flatMap(({ text }) => JSON.parse(text)[member]);

const spans = () =>
  resourcesOf('/v1/traces', 'resourceSpans').flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap((scope: { spans: SpanJson[] }) => scope.spans),
  ) as SpanJson[];

/** Asks a server with secrets in every place of a request. */
async function ask(url: string): Promise<void> {
  const headers = {
    Authorization: `Bearer ${SECRET}`,
    Cookie: `session=${SECRET}`,
    'X-Request-Id': SECRET,
    'User-Agent': SECRET,
    traceparent: SECRET,
  };
  const api = `${url}/portal/api/external/v2`;
  const signIn = { username: SECRET, password: SECRET };
  const answered = await Promise.all([
    fetch(`${api}/core/auth/start-session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(signIn),
    }),
    fetch(`${api}/communication/posts/data/post-detail-by-id/1?signature=${SECRET}`, { headers }),
    fetch(`${url}/${SECRET}/${SECRET}?token=${SECRET}`, { headers }),
    fetch(`${url}/portal/${SECRET}`, { headers: { ...headers, Accept: 'text/html' } }),
  ]);
  expect(answered.map(({ status }) => status >= 500)).toEqual([false, false, false, false]);
}

test('a server exports spans and durations of requests until its end, without anything that a request holds', async () => {
  const server = surroundings.start({
    PORTICO_DATA_DIR: await surroundings.dataDirectory({ demo: true }),
    PORTICO_DEMO: 'true',
    PORTICO_PROCESSES: '2',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
  });
  const url = await server.ready();
  // Connections are handed to both processes.
  for (let round = 0; round < 4; round++) await ask(url);
  expect((await server.end()).code, server.stderr).toBe(0);

  expect(bodies.length).toBeGreaterThan(0);
  expect(bodies.filter(({ text }) => text.includes(SECRET))).toEqual([]);
  const signIn = spans().find(({ name }) => name === 'startSession')!;
  expect([signIn.kind, attributesOf(signIn.attributes)]).toEqual([
    2,
    {
      'http.request.method': 'POST',
      'http.response.status_code': 401,
      'portico.operation': 'startSession',
      'portico.tenant': 'demo',
      'portico.db.statements': expect.any(Number),
      'portico.db.seconds': expect.any(Number),
    },
  ]);
  expect(Number(attributesOf(signIn.attributes)['portico.db.statements'])).toBeGreaterThan(0);
  expect(spans().map(({ name }) => name)).toContain('getPostDetailById');
  const jobs = spans().filter(({ name }) => name.startsWith('job '));
  expect(new Set(jobs.map(({ attributes }) => attributesOf(attributes)['portico.tenant']))).toEqual(new Set(['demo']));

  const metrics = resourcesOf('/v1/metrics', 'resourceMetrics');
  const names = metrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((scope: { metrics: { name: string }[] }) => scope.metrics.map(({ name }) => name)),
  );
  expect(names).toEqual(
    expect.arrayContaining(['http.server.request.duration', 'db.client.operation.duration', 'portico.job.duration']),
  );
  const about = metrics.map(({ resource }) => attributesOf(resource.attributes));
  expect(about[0]).toMatchObject({ 'service.name': 'portico', 'deployment.environment.name': 'test' });
  // Each process is an instance of the service.
  expect(new Set(about.map((of) => of['service.instance.id'])).size).toBe(2);
});

test('a receiver that never answers holds up neither requests nor the end', async () => {
  answers = false;
  const server = surroundings.start({
    PORTICO_DATA_DIR: await surroundings.dataDirectory({ demo: true }),
    PORTICO_DEMO: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_BSP_MAX_QUEUE_SIZE: '512',
  });
  const url = await server.ready();
  await ask(url);
  await until('exports hang', () => bodies.length >= 2);
  for (let round = 0; round < 200; round++) await ask(url);
  expect((await server.end()).code, server.stderr).toBe(0);
  // As protocol buffers, which hold texts as they are.
  expect(bodies.map(({ path }) => path)).toEqual(expect.arrayContaining(['/v1/traces', '/v1/metrics']));
  expect(bodies.filter(({ text }) => text.includes(SECRET))).toEqual([]);
});

test('requests that a job sends are spans below its span, with method, host and status only', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json');
  const telemetry = (await openTelemetry(process.env, log as never, []))!;
  const asked = `${endpoint}/${SECRET}?key=${SECRET}`;
  await telemetry.runJob('deliver webhooks', 'acme', async () => {
    await (await fetch(asked, { method: 'POST', body: SECRET })).text();
    await new Promise((resolve, reject) => {
      const sent = request(asked, { method: 'PUT', headers: { 'X-Key': SECRET } }, (response) => {
        response.resume();
        response.once('end', resolve);
      });
      sent.once('error', reject);
      sent.end(SECRET);
    });
    // Nothing listens there.
    await new Promise((resolve) => {
      request(`http://127.0.0.1:1/${SECRET}`).once('error', resolve).end();
    });
  });
  await expect(
    telemetry.runJob('send mails', 'acme', async () => {
      throw new Error(SECRET);
    }),
  ).rejects.toThrow(SECRET);
  await telemetry.close();
  const job = spans().find(({ name }) => name === 'job deliver webhooks')!;
  const children = spans().filter(({ parentSpanId }) => parentSpanId === job.spanId);
  const host = { 'server.address': '127.0.0.1' };
  expect(children.map(({ name, attributes }) => [name, attributesOf(attributes)])).toEqual(
    expect.arrayContaining([
      ['POST', { ...host, 'http.request.method': 'POST', 'http.response.status_code': 200 }],
      ['PUT', { ...host, 'http.request.method': 'PUT', 'http.response.status_code': 200 }],
      ['GET', { ...host, 'http.request.method': 'GET' }],
    ]),
  );
  const exported = bodies.filter(({ path }) => path.startsWith('/v1/'));
  expect(exported.filter(({ text }) => text.includes(SECRET))).toEqual([]);
});

test('the variables of OpenTelemetry decide what is exported', () => {
  const here = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(readTelemetrySettings({})).toBeUndefined();
  expect(readTelemetrySettings({ ...here, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(readTelemetrySettings({ ...here, OTEL_TRACES_EXPORTER: 'none' })).toEqual({
    traces: undefined,
    metrics: 'http/protobuf',
    metricsEvery: 60_000,
  });
  expect(() => readTelemetrySettings({ ...here, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow('over HTTP');
  expect(() => readTelemetrySettings({ OTEL_METRICS_EXPORTER: 'prometheus' })).toThrow('otlp or none');
});
