// The external PostgreSQL of the example: the one that DATABASE_URL names (as a role that may create databases and roles),
// else one of this example's own, which is gone afterwards. Either way the portal gets what docs/operating/grow.md asks for: a
// database of its own and an owner that is no superuser.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';

/** @returns the owner's connection string, a description, and how to remove everything again */
export async function makeDatabase(directory) {
  const server = process.env.DATABASE_URL
    ? {
        url: process.env.DATABASE_URL,
        stop: async () => undefined,
        description: 'the PostgreSQL that DATABASE_URL names',
      }
    : await startServer(join(directory, 'postgresql'));
  const name = `portico_example_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(18).toString('base64url');
  const asAdministrator = async (...statements) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await asAdministrator(
    `CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD '${password}'`,
    `CREATE DATABASE ${name} OWNER ${name} ENCODING 'UTF8' TEMPLATE template0`,
  );
  const { host, port } = new pg.Client({ connectionString: server.url });
  return {
    url: `postgres://${name}:${password}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    description: server.description,
    remove: async () => {
      await asAdministrator(
        `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
        `DROP ROLE IF EXISTS ${name}_service`,
        `DROP ROLE IF EXISTS ${name}`,
      );
      await server.stop();
    },
  };
}

async function startServer(dataDir) {
  const { startEmbeddedPostgres } = await import('@portico/embedded-postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, skipInitialSync: true });
  return {
    url: postgres.adminUrl,
    stop: () => postgres.stop(),
    description: `a PostgreSQL ${postgres.version} of this example's own`,
  };
}
