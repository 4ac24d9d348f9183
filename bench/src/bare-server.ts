/**
 * The limit of a list: a bare Fastify route that runs the very statements that Portico's list runs for a page, named, on
 * a pool of the same size, and serialises the same rows. No sign-in, no validation, no permission, no presenting.
 * Started by `lists.ts` as a process of its own; prints its port.
 */

import { createServices, listPosts, openDatabase, readConfig, systemScope } from '@portico/server/testing';
import Fastify from 'fastify';
import pg from 'pg';

interface Recorded {
  name: string;
  text: string;
  values: unknown[];
}

const { tenantName, userId, communityId, body, flags } = JSON.parse(process.argv[2] as string) as {
  tenantName: string;
  userId: number;
  communityId: number;
  body: object;
  flags: object;
};
const config = readConfig(process.env);
const log = { debug() {}, info() {}, warn: console.error, error: console.error };
const database = await openDatabase(config, log, 'command');
const services = await createServices({ config, database: database.service, log });
const tenant = (await services.tenants.all()).find((candidate) => candidate.name === tenantName);
if (!tenant) throw new Error(`no tenant ${tenantName}`);

// Run the list once through a handle that notes what it is asked, with the answer as the rows to expect.
const scope = await systemScope(services, tenant, userId);
const recorded: Recorded[] = [];
const note = (text: string, values: readonly unknown[] = []) =>
  recorded.push({ name: `bare_${recorded.length}`, text, values: [...values] });
const db = {
  ...scope.db,
  query: <R>(text: string, values?: readonly unknown[]) => {
    note(text, values);
    return scope.db.query<R>(text, values);
  },
};
// The first run loads the definition; the second is what a warm server does.
await listPosts(scope, 'listCommunityPostsFiltered', communityId, body, flags);
await listPosts({ ...scope, db }, 'listCommunityPostsFiltered', communityId, body, flags);

const pool = new pg.Pool({ ...database.service, max: config.databasePoolSize, options: '-c timezone=UTC' });
pool.on('connect', (client) => void client.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenant.id)]));

const app = Fastify({ logger: false });
app.post('/all', async () => {
  const parts: unknown[] = [];
  for (const statement of recorded) parts.push((await pool.query(statement)).rows);
  return parts;
});
app.post('/page', async () => (await pool.query(recorded[0] as Recorded)).rows);
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.stdout.write(
  `${JSON.stringify({ port: typeof address === 'object' && address ? address.port : 0, statements: recorded.length })}\n`,
);
process.on('SIGTERM', async () => {
  await app.close();
  await pool.end();
  await services.close();
  await database.close();
  process.exit(0);
});
