/**
 * Prepares an installation without a tenant: creates the demo tenant, and returns the lines that
 * explain how to sign in.
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { DEMO_ADMIN_EMAIL } from '../demo/demo-context.ts';
import { createTenant, finishTenant, removeUnfinishedTenant } from '../modules/tenants/index.ts';
import { writeKeyFile } from '../operator/key-file.ts';
import type { OpenDatabase } from './database.ts';
import type { Services } from './services.ts';

const DEMO_NAME = 'demo';

/** @returns the lines that the start prints below the address */
export async function firstRun(services: Services, database: OpenDatabase): Promise<string> {
  const keyFile = join(services.config.dataDir, 'demo-service-account.json');
  let signIns: string[] = [];
  const owner = new pg.Client(database.owner);
  // This connection is idle while the demo is made. If it breaks then, the demo's own connections fail too, and report it.
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    // Several nodes may start at once on an empty database: one of them makes the demo.
    await owner.query(`SELECT pg_advisory_lock(hashtext('portico first run'))`);
    const { rows } = await owner.query<{ id: string; name: string; unfinished: boolean }>(
      'SELECT id, name, unfinished FROM tenants ORDER BY id',
    );
    const half = rows.find((row) => row.name === DEMO_NAME && row.unfinished);
    // The process was killed while making the demo: start over.
    const { storage, clock } = services;
    if (half) await removeUnfinishedTenant(owner, Number(half.id), { storage, now: () => new Date(clock.now()) });
    // The demo is for an installation that never had a tenant: a deleted demo does not come back.
    const { rowCount: deleted } = await owner.query('SELECT FROM portico_deleted_tenants LIMIT 1');
    if (rows.length === (half ? 1 : 0) && deleted === 0) {
      if (!services.config.demo)
        return 'There is no tenant yet: make one with "npx portico admin tenant create NAME --host HOST --admin-email EMAIL".';
      // Without room for its files the demo would fail later, and leave a tenant that the next start has to remove.
      await services.storage.requireRoom?.(0);
      const created = await createTenant(owner, services.sealer, {
        name: DEMO_NAME,
        displayName: 'Portico demo',
        hosts: ['localhost'],
        // Where most of its people work.
        defaultTimezone: 'Europe/Rome',
        unfinished: true,
        fileQuotaBytes: services.config.tenantFileQuota,
      });
      const tenant = { id: created.id, name: DEMO_NAME, displayName: 'Portico demo' };
      services.log.info({}, 'Making the demo tenant: this takes some seconds, once.');
      const { createDemo } = await import('../demo/index.ts');
      const { key, passwords } = await createDemo(services, tenant, created.systemUserId);
      // Statements planned while the tables were empty would be planned badly until the first autovacuum.
      await owner.query('ANALYZE');
      await writeKeyFile(keyFile, key, { replace: true });
      await finishTenant(owner, created.id);
      signIns = passwords.map(({ username, password }) => `Sign in once as:     ${username} with password ${password}`);
    }
  } finally {
    await owner.end();
  }
  const tenants = await services.tenants.all();
  const present = await access(keyFile).then(
    () => true,
    () => false, // an installation whose demo key was moved or which never had one
  );
  if (!tenants.some((tenant) => tenant.name === DEMO_NAME) || !present)
    return listOfTenants(tenants.map((tenant) => tenant.name));
  return [
    `Tenant:              ${DEMO_NAME}`,
    `Administrator:       ${DEMO_ADMIN_EMAIL}`,
    `Service-account key: ${keyFile}`,
    ...(signIns.length > 0
      ? signIns
      : [
          `New password:        npx portico admin user reset --tenant ${DEMO_NAME} --print-password ${DEMO_ADMIN_EMAIL}`,
        ]),
  ].join('\n');
}

/** How many tenants the start names. */
const MOST_NAMED = 10;

/** The tenants in one line: all, or the first of many. */
export function listOfTenants(names: readonly string[]): string {
  if (names.length === 0) return 'No tenant is enabled: "portico admin tenant list" lists all.';
  if (names.length <= MOST_NAMED) return `Tenants: ${names.join(', ')}`;
  const named = names.slice(0, MOST_NAMED).join(', ');
  return `Tenants: ${names.length}, such as ${named}; "portico admin tenant list" lists all.`;
}
