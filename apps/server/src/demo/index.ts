/**
 * The demo: a tenant with plausible content, so that a first start shows the portal. Its data is in
 * `examples/demo/`: definitions of communities, people, and a story of writes by these people, which
 * ends at the first start. Every first start creates the same ids and texts; only times follow the
 * clock. All of it is written by the verbs of the service, except data that no verb writes.
 */
import type { Tenant } from '../kernel/scope.ts';
import {
  createServiceAccountKey,
  giveOneTimePassword,
  type OneTimePassword,
  type ServiceAccountKeyFile,
} from '../modules/people/index.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import { type PeopleData, readPeople, readPlaces, readStory } from './data.ts';
import { DemoContext } from './demo-context.ts';
import { completePeople, createPeople, removePeople } from './people.ts';
import { createPlaces } from './places.ts';
import { tellStory } from './story.ts';

/**
 * Fills a new tenant.
 * @param systemUserId the tenant's system account
 * @returns the key file of the demo's service account, an administrator who manages every community;
 *   one-time passwords of the administrator, the head of a department and a member
 */
export async function createDemo(
  services: TenantServices,
  tenant: Tenant,
  systemUserId: number,
): Promise<{ key: ServiceAccountKeyFile; passwords: OneTimePassword[] }> {
  const context = new DemoContext(services, tenant, systemUserId);
  const people = readPeople();
  await createPeople(context, people);
  // The creation of a key takes a while and depends on nothing else.
  const [key] = await Promise.all([
    createServiceAccountKey(context.db, context.names.get(`user:${people.account.key}`), context.now),
    fill(context, people),
  ]);
  const scope = await context.system(context.now);
  const passwords: OneTimePassword[] = [];
  for (const user of people.passwords) passwords.push(await giveOneTimePassword(scope, context.names.resolve(user)));
  return { key, passwords };
}

async function fill(context: DemoContext, people: PeopleData): Promise<void> {
  await createPlaces(context, readPlaces());
  await completePeople(context, people);
  await tellStory(context, readStory());
  await removePeople(await context.system(context.now - 60_000), context, people.left);
}
