/** What happens to files after they have come: previews, text for the search, and the removal of what nobody uses. */

import type { Tenant } from '../kernel/scope.ts';
import { makePreviews, readTexts, removeUnusedFiles } from '../modules/files/index.ts';
import { indexDocuments } from '../modules/posts/documents/index.ts';
import { systemAccountOf, systemScope, type TenantServices } from '../modules/tenants/index.ts';
import { Renderer, TextReader } from '../platform/files/index.ts';

/** How long one run works for one tenant; the next goes on. Milliseconds. */
const RUN_MS = 5_000;

/** Their processes begin with the first file and end with this one. */
const renderer = new Renderer();
const reader = new TextReader();

/** Makes previews, reads documents, and brings their text into the search. */
export async function workOnFiles(services: TenantServices, tenant: Tenant): Promise<void> {
  const db = services.databases.for(tenant.id);
  const work = () => ({ db, storage: services.storage, log: services.log, now: services.clock.now() });
  await repeat(() => makePreviews({ ...work(), renderer }));
  await repeat(() => readTexts({ ...work(), reader }));
  const scope = await systemScope(services, tenant, await systemAccountOf(services, tenant));
  await repeat(() => indexDocuments(scope));
}

/** Looks through all files of a tenant for what nobody uses; for once a day. */
export async function sweepFiles(services: TenantServices, tenant: Tenant): Promise<void> {
  const removed = await removeUnusedFiles(services.databases.for(tenant.id), services.storage, services.clock.now());
  if (removed.contents + removed.files > 0) {
    services.log.info({ tenant: tenant.name, ...removed }, 'files that nobody uses were removed');
  }
}

async function repeat(step: () => Promise<number>): Promise<void> {
  const end = performance.now() + RUN_MS;
  while ((await step()) > 0 && performance.now() < end);
}
