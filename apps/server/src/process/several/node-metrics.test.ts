import { expect, test } from 'vitest';
import { Metrics } from '../metrics.ts';
import { readFigures, writeFigures } from './figures-text.ts';
import { type Figures, NodeMetrics } from './node-metrics.ts';

/** The figures of a process, as the primary gets them. */
async function figuresOf(requests: number, idle: number): Promise<Figures> {
  const metrics = new Metrics();
  metrics.watchProcess({ pool: () => ({ total: idle, idle, waiting: 0, cancelled: 0 }) });
  for (let count = 0; count < requests; count++) metrics.observeRequest('getTotp', 200, 0.003, 'acme');
  return readFigures(writeFigures(await metrics.registry.getMetricsAsJSON()));
}

test('the figures of processes are added up, and what one has counted stays when it ends', async () => {
  const node = new NodeMetrics(new Metrics());
  const [one, two] = [await figuresOf(2, 3), await figuresOf(5, 4)];
  const both = await node.text([one, two]);
  expect(both).toContain('portico_http_request_seconds_count{operation="getTotp",status="200"} 7\n');
  expect(both).toContain('portico_http_request_seconds_bucket{le="0.005",operation="getTotp",status="200"} 7\n');
  expect(both).toContain('portico_db_connections{state="idle"} 7\n');
  expect(both).toContain('portico_tenant_requests_total{tenant="acme"} 7\n');
  // One line for the node, however many processes it has.
  expect(both).toMatch(/^portico_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m);
  expect(both).toMatch(/^process_start_time_seconds \d{10}$/m);

  node.keep(one);
  const left = await node.text([two]);
  expect(left).toContain('portico_http_request_seconds_count{operation="getTotp",status="200"} 7\n');
  expect(left).toContain('portico_db_connections{state="idle"} 4\n');
});

test('the age of a backup that never was stays infinite on the way to the primary', async () => {
  const metrics = new Metrics();
  metrics.watchNode({
    workers: () => [],
    streamLag: async () => ({ pending: 0, oldestSeconds: 0 }),
    files: async () => [],
    mails: async () => [],
    backupAge: async () => Number.POSITIVE_INFINITY,
    installation: async () => [],
    onError: (error) => expect.unreachable(String(error)),
  });
  await metrics.registry.metrics();
  await metrics.measured();
  const figures = readFigures(writeFigures(await metrics.registry.getMetricsAsJSON()));
  const text = await new NodeMetrics(new Metrics()).text([figures]);
  expect(text).toMatch(/^portico_backup_age_seconds \+Inf$/m);
});
