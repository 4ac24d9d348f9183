/** Deletions of tenants whose time of grace has passed. */
import { openClient } from '@portico/platform/db/open-client';
import type pg from 'pg';
import { deleteTenant } from '../modules/tenants/index.ts';
import type { Services } from './services.ts';

/** Deletes tenants that are due. Several nodes may do so at once: each continues where the other is. */
export class TenantDeletions {
  readonly #services: Services;
  readonly #owner: pg.ClientConfig;

  /** @param owner how the owner of the database connects */
  constructor(services: Services, owner: pg.ClientConfig) {
    this.#services = services;
    this.#owner = owner;
  }

  async run(stop: AbortSignal): Promise<void> {
    const { pool, clock, log, storage } = this.#services;
    const due = await pool.registry<{ id: number; name: string }>(
      'SELECT id, name FROM tenants WHERE delete_after <= $1 ORDER BY delete_after, id',
      [new Date(clock.now())],
    );
    if (due.length === 0) return;
    const client = await openClient(this.#owner);
    try {
      for (const { id, name } of due) {
        const certificate = await deleteTenant(client, id, { storage, now: () => new Date(clock.now()), stop });
        if (certificate) log.info({ certificate }, `deleted the tenant ${name}`);
        if (stop.aborted) return;
      }
    } finally {
      await client.end();
    }
  }
}
