/** The example that operators are pointed to does what it says. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { currentCluster } from '../support/index.ts';
import { administrator, asClient, ROOT, Surroundings } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

describe('examples/two-nodes.mjs', { timeout: 400_000 }, () => {
  it('restarts two nodes behind a proxy without a failed request, and leaves nothing', async () => {
    const example = surroundings.run(process.execPath, [join(ROOT, 'examples/two-nodes.mjs')], {
      DATABASE_URL: currentCluster().ownerUrl,
    });
    const { code } = await example.exited;
    expect(example.stderr).toBe('');
    expect(code).toBe(0);
    expect(example.stdout).toMatch(/node-1 ended with exit code 0[\s\S]*node-2 ended with exit code 0/);
    expect(example.stdout).toMatch(/\d{2,} requests, none failed/);
    expect(example.stdout).toContain('6. Everything was ended and removed.');
    const left = await asClient(administrator(), (client) =>
      client.query(
        `SELECT datname AS name FROM pg_database WHERE datname LIKE 'portico\\_example\\_%'
         UNION SELECT rolname FROM pg_roles WHERE rolname LIKE 'portico\\_example\\_%'`,
      ),
    );
    expect(left.rows).toEqual([]);
  });
});
