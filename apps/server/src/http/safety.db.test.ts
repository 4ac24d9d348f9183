/** A misspelt, empty or unreadable safety input is refused by every write, and nothing is written. */
import { operationList } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../test/support/index.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal?.close());

const writes = operationList.filter(({ kind }) => kind === 'write');
const pathOf = (path: string) => `/portal/api${path.replaceAll(/\{\w+\}/g, '1')}`;

const queries: [query: string, field: string][] = [
  ['dryRun', 'dryRun'],
  ['dryRun=', 'dryRun'],
  ['dryRun=1', 'dryRun'],
  ['dryRun=yes', 'dryRun'],
  ['dryRun=true%20', 'dryRun'],
  ['dryRun=true&dryRun=true', 'dryRun'],
  ['dryRun[]=true', 'dryRun[]'],
  ['dryRun[0]=true', 'dryRun[0]'],
  ['[dryRun]=true', '[dryRun]'],
  ['dryrun=true', 'dryrun'],
  ['DRYRUN', 'DRYRUN'],
  ['dry_run=true', 'dry_run'],
  ['%20dryRun=true', ' dryRun'],
];

describe('safety inputs of writes', () => {
  // All writes read them in one place: each write is tried with at least four.
  it.each(queries.map(([query, field], index) => ({ query, field, index })))(
    '?$query is a 400 that names it',
    async ({ query, field, index }) => {
      for (const [at, { id, method, path, body }] of writes.entries()) {
        if ((at + index) % 3 !== 0) continue;
        const answer = await tenant.request(admin, method, `${pathOf(path)}?${query}`, body ? {} : undefined);
        expect(answer.status, id).toBe(400);
        expect(
          answer.body.validationErrors.list.map((fault: { field: string }) => fault.field),
          id,
        ).toContain(field);
      }
    },
  );

  it.each(['', ' '])('an Idempotency-Key of %j is a 400, for every write', async (key) => {
    for (const { id, method, path, body } of writes) {
      const headers = { 'Idempotency-Key': key };
      const answer = await tenant.request(admin, method, pathOf(path), body ? {} : undefined, headers);
      expect(answer.status, id).toBe(400);
      expect(
        answer.body.validationErrors.list.map((fault: { field: string }) => fault.field),
        id,
      ).toContain('idempotency-key');
    }
  });

  it('leave the object as it was when they are refused, and try it when they are true in any case', async () => {
    const groups = '/portal/api/admin/manage/groups';
    const { body: made } = await tenant.request(admin, 'POST', groups, { name: 'Kept' });
    const group = `${groups}/${made.groupId}`;
    for (const [query] of queries) {
      expect((await tenant.request(admin, 'DELETE', `${group}?${query}`)).status, query).toBe(400);
    }
    for (const word of ['true', 'True', 'TRUE']) {
      const tried = await tenant.request(admin, 'DELETE', `${group}?dryRun=${word}`);
      expect([tried.status, tried.body.dryRun?.changes.length], word).toEqual([200, 1]);
    }
    expect((await tenant.request(admin, 'GET', `${group}/edit`)).status).toBe(200);
    expect((await tenant.request(admin, 'DELETE', `${group}?dryRun=False`)).status).toBe(200);
    expect((await tenant.request(admin, 'GET', `${group}/edit`)).status).toBe(404);
  });

  it('an empty clientUid is none', async () => {
    for (const { id, method, path, body } of writes) {
      if (!['createCustomPost', 'createEventPost', 'createPostComment', 'createTask'].includes(id)) continue;
      const answer = await tenant.request(admin, method, pathOf(path), body && { clientUid: '' });
      const faults = (answer.body.validationErrors?.list ?? []) as { field: string }[];
      expect(
        faults.map(({ field }) => field),
        id,
      ).not.toContain('clientUid');
    }
  });

  it('do not concern reads, whose unknown parameters are ignored', async () => {
    const answer = await tenant.request(admin, 'POST', '/portal/api/admin/data/groups?dryRun', {});
    expect(answer.status).toBe(200);
  });
});
