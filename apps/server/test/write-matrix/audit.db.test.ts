/**
 * The audit log holds the effects of writes on users, groups, workspaces and communities: exactly
 * the objects and changes that the dry run of the same write reports. A dry run itself, and a
 * refused write, leave nothing.
 */
import type { OperationId } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../src/modules/tables.ts';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { send } from './calls.fixture.ts';
import { createRecipeWorld, recipes, type TestWorld } from './recipes.fixture.ts';

let portal: TestPortal;
let world: TestWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createRecipeWorld(portal);
});
afterAll(() => portal?.close());

/** Kinds of objects that both dry runs and the log name. */
const AUDITED: string[] = [...tables.values()].flatMap(({ audit, entity }) => (audit && entity ? [entity] : []));

interface Entry {
  id: number;
  object: string;
  objectId: number;
  action: string;
  operation: string;
  actorId: number;
  requestId: string;
  address: string;
}

async function entriesAfter(id: number): Promise<Entry[]> {
  const db = portal.services.databases.for(world.tenant.tenant.id);
  return db.query<Entry>(
    `SELECT id, object, object_id AS "objectId", action, operation, actor_id AS "actorId", request_id AS "requestId", address
       FROM audit_entries WHERE tenant_id = $1 AND id > $2 ORDER BY id`,
    [db.tenantId, id],
  );
}
const newest = async () => (await entriesAfter(0)).at(-1)?.id ?? 0;

interface Change {
  entity: string;
  id: number;
  action: string;
  fields: string[];
}

/** Fields that repeat information of the entry. */
const FOLLOWS = ['occToken', 'lastModifyTimestamp', 'lastModifyUser', 'membersCount'];

test('both describe users, groups, units, roles, workspaces, communities, identity providers, calendars, webhooks and the tenant', () => {
  expect(AUDITED.sort()).toEqual([
    'area',
    'businessUnit',
    'calendarFeed',
    'community',
    'group',
    'identityProvider',
    'role',
    'tenant',
    'user',
    'webhook',
    'workspace',
  ]);
});

/** Writes of administration, and writes of people to their own account. */
const isRecorded = (id: OperationId) =>
  recipes[id]?.by === 'admin' || recipes[id]?.open === 'own' || recipes[id]?.audited === true;

test.for((Object.keys(recipes) as OperationId[]).filter(isRecorded))(
  '%s is recorded as its dry run reports it',
  async (id) => {
    const recipe = recipes[id]!;
    const by = world.people[recipe.by];
    const call = await recipe.prepare(world);
    const before = await newest();
    const tried = await send(world, by, id, call, { dryRun: true });
    expect(tried.status, tried.text).toBe(200);
    expect(await entriesAfter(before)).toEqual([]);
    const answer = await send(world, by, id, call);
    expect(answer.status, answer.text).toBe(200);
    const entries = (await entriesAfter(before)).filter(({ object }) => AUDITED.includes(object));
    const reported = (tried.body.dryRun.changes as Change[]).filter(
      ({ entity, action, fields }) =>
        AUDITED.includes(entity) && (action !== 'modified' || fields.some((field) => !FOLLOWS.includes(field))),
    );
    // An object that a dry run made has another id when the write is done in earnest.
    const told = (kind: string, objectId: number, action: string) =>
      action === 'created' ? `${kind} created` : `${kind} ${objectId} ${action}`;
    // That a link was shown is a second entry about the same account.
    const once = new Map(entries.map((entry) => [`${entry.object} ${entry.objectId} ${entry.action}`, entry]));
    expect([...once.values()].map(({ object, objectId, action }) => told(object, objectId, action)).sort()).toEqual(
      reported.map((change) => told(change.entity, change.id, change.action)).sort(),
    );
    for (const entry of entries)
      expect(entry).toMatchObject({
        operation: id,
        actorId: by,
        requestId: answer.headers.get('x-request-id'),
        address: '127.0.0.1',
      });
  },
);

test.for((Object.keys(recipes) as OperationId[]).filter((id) => !isRecorded(id)))(
  '%s asks nothing of the audit log',
  async (id) => {
    const call = await recipes[id]!.prepare(world);
    portal.takeStatements();
    const answer = await send(world, world.people[recipes[id]!.by], id, call);
    expect(answer.status, answer.text).toBe(200);
    const statements = portal.takeStatements();
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((statement) => statement.includes('audit_'))).toEqual([]);
  },
);
