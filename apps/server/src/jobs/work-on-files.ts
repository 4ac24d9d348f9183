/** Background work on files: previews, text for the search, and the deletion of unused files. */

import { Renderer, TextReader } from '@portico/platform/files';
import type { Tenant } from '../kernel/scope.ts';
import { makePreviews, readTexts, removeUnusedFiles } from '../modules/files/index.ts';
import { indexDocuments } from '../modules/post-parts/index.ts';
import { tables } from '../modules/tables.ts';
import { systemAccountOf, systemScope, type TenantServices } from '../modules/tenants/index.ts';

/** Time limit of one run per tenant; the next run continues. Milliseconds. */
const RUN_MS = 5_000;

/** The child processes start with the first file and end with this process. */
const renderer = new Renderer();
const reader = new TextReader();

/** Makes previews, and extracts the text of documents for the search. */
export async function workOnFiles(services: TenantServices, tenant: Tenant): Promise<void> {
  const db = services.databases.for(tenant.id);
  const work = () => ({ db, storage: services.storage, log: services.log, now: services.clock.now() });
  await repeat(() => makePreviews({ ...work(), renderer }));
  await repeat(() => readTexts({ ...work(), reader }));
  const scope = await systemScope(services, tenant, await systemAccountOf(services, tenant));
  await repeat(() => indexDocuments(scope));
}

/** Deletes the unused files of a tenant; run once a day. */
export async function sweepFiles(services: TenantServices, tenant: Tenant): Promise<void> {
  const removed = await removeUnusedFiles(
    services.databases.for(tenant.id),
    { storage: services.storage, tables },
    services.clock.now(),
  );
  if (removed.contents + removed.files > 0) {
    services.log.info({ tenant: tenant.name, ...removed }, 'unused files were removed');
  }
}

async function repeat(step: () => Promise<number>): Promise<void> {
  const end = performance.now() + RUN_MS;
  while ((await step()) > 0 && performance.now() < end);
}
