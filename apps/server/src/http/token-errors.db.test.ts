/** A bad page or sync token is a 400 with the list of faults that every other bad input has. */
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

describe('a token that is not one', () => {
  it('of a page is named among the faults', async () => {
    for (const list of ['users', 'groups']) {
      const answer = await tenant.request(admin, 'POST', `/portal/api/admin/data/${list}`, { pageToken: 'made up' });
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('PAGE_TOKEN_INVALID');
      expect(answer.body.validationErrors.list).toEqual([
        { code: 'PAGE_TOKEN_INVALID', field: 'pageToken', args: [], defaultMessage: answer.body.message },
      ]);
    }
  });

  it('of another list is named too', async () => {
    const path = '/portal/api/admin/data/users';
    const first = await tenant.request(admin, 'POST', path, { pageSize: 1 });
    const other = await tenant.request(admin, 'POST', path, { pageToken: first.body.nextPageToken, orderDesc: true });
    expect(other.body.validationErrors.list).toMatchObject([
      { code: 'PAGE_TOKEN_FILTERS_CHANGED', field: 'pageToken' },
    ]);
  });

  it('of the stream is named by the parameter', async () => {
    const { path } = operationList.find(({ paging }) => paging === 'stream')!;
    for (const field of ['syncToken', 'pageToken']) {
      const answer = await tenant.request(admin, 'POST', `/portal/api${path}?${field}=made-up`, {});
      expect([answer.status, answer.body.validationErrors?.list[0].field], field).toEqual([400, field]);
    }
  });

  it('and a body that cannot be read have the same list', async () => {
    const answer = await tenant.request(admin, 'POST', '/portal/api/admin/data/users', '{"pageSize":');
    expect(answer.body.validationErrors.list).toMatchObject([{ code: 'MALFORMED_JSON', field: '$' }]);
  });
});
