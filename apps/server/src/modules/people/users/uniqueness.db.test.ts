/**
 * Duplicate values are found without regard to case, by the unique indexes, with the service's role
 * under row security.
 */

import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { createUserRecord } from './accounts.ts';
import { checkGroupTaken, checkUserTaken } from './uniqueness.ts';
import { readUser, updateUser } from './users.repository.ts';

const PEOPLE = 4_000;
/** Beside `deleted_at IS NULL` and the person themselves. */
const FEW = 2;

let portal: TestPortal;
let scope: Scope;

beforeAll(async () => {
  portal = await createTestPortal();
  const tenant = await portal.createTenant();
  scope = await tenant.scope(await tenant.createUser());
  await scope.db.execute(
    `INSERT INTO users (tenant_id, first_name, last_name, first_key, last_key, contact_email, google_account_id,
                        microsoft_account_id, custom_username, external_id)
     SELECT $1, 'N', n::text, 'n', n::text, 'Person' || n || '@X.Test', 'G' || n || '@x.test', 'M' || n || '@x.test',
            'Élise' || n, 'E' || n FROM generate_series(1, $2::int) n`,
    [scope.tenant.id, PEOPLE],
  );
  await scope.db.execute(
    `INSERT INTO groups (tenant_id, name, name_key, email, external_id)
     SELECT $1, n::text, n::text, 'Group' || n || '@x.test', 'E' || n FROM generate_series(1, $2::int) n`,
    [scope.tenant.id, PEOPLE],
  );
  await portal.owner.query('ANALYZE users, groups');
});
afterAll(() => portal?.close());

interface Sent {
  text: string;
  values: readonly unknown[];
}

const USER = {
  contactEmail: 'pERSON7@x.tEST',
  googleAccountId: 'g8@X.test',
  microsoftAccountId: 'm9@X.test',
  customUsername: 'éLISE10',
  externalId: 'E11',
};
const GROUP = { email: 'gROUP7@x.test', externalId: 'E8' };

/** Returns the fields with an error, and the statements that found them. */
async function checked(work: (tx: TenantExecutor, errors: FieldErrors) => Promise<void>) {
  const sent: Sent[] = [];
  const errors = new FieldErrors();
  await scope.db.transaction((tx: TenantTx) =>
    work(
      {
        ...tx,
        query: <R>(text: string, values: readonly unknown[] = []) => {
          sent.push({ text, values });
          return tx.query<R>(text, values);
        },
      },
      errors,
    ),
  );
  return { sent, errors };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** The nodes that scan a table. */
const scans = (node: PlanNode): PlanNode[] => [
  ...(node['Relation Name'] ? [node] : []),
  ...(node.Plans ?? []).flatMap(scans),
];

const literal = (value: unknown) => (typeof value === 'number' ? String(value) : `'${String(value)}'`);

async function plan({ text, values }: Sent, generic: boolean): Promise<PlanNode> {
  return scope.db.transaction(async (tx: TenantTx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${generic ? 'force_generic_plan' : 'force_custom_plan'}`);
    await tx.query(`PREPARE taken AS ${text}`);
    try {
      const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) EXECUTE taken(${values.map(literal).join(', ')})`,
      );
      return row!['QUERY PLAN'][0].Plan;
    } finally {
      await tx.query('DEALLOCATE taken');
    }
  });
}

describe.each([
  ['a user', (tx: TenantExecutor, errors: FieldErrors) => checkUserTaken(tx, USER, null, errors), 5, 9],
  ['a group', (tx: TenantExecutor, errors: FieldErrors) => checkGroupTaken(tx, GROUP, null, errors), 2, 2],
] as const)('what %s has that is taken', (_, work, count, reads) => {
  test('is told whatever its case', async () => {
    const { errors } = await checked(work);
    const told = await (async () => errors.throwIfAny())().catch((error: unknown) => error);
    expect(told).toBeInstanceOf(ValidationError);
    const list = (told as ValidationError).errors;
    expect(list.map(({ code }) => code)).toEqual(Array(count).fill('DUPLICATE_VALUE'));
    expect(new Set(list.map(({ field }) => field)).size).toBe(count);
  });

  test('is looked up, not searched for', async () => {
    const { sent } = await checked(work);
    expect(sent).toHaveLength(1);
    for (const generic of [false, true]) {
      const root = await plan(sent[0]!, generic);
      const read = scans(root);
      expect(read).toHaveLength(reads);
      for (const node of read) {
        const label = JSON.stringify(root, null, 1);
        expect(node['Node Type'], label).toMatch(/^(Index|Index Only|Bitmap Heap) Scan$/);
        expect(node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), label).toBeLessThanOrEqual(FEW);
      }
    }
  });
});

describe('a name to sign in with', () => {
  const make = (record: { contactEmail?: string; customUsername?: string }) =>
    writeTransaction(scope, 'none', (write) => createUserRecord(write, { lastName: 'N', ...record }));
  const codes = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error !== undefined && !(error instanceof ValidationError)) throw error;
    return error?.errors.map(({ field, code }) => `${field}: ${code}`) ?? [];
  };
  const username = 'userCredentialsConfiguration.custom.username: DUPLICATE_VALUE';

  test('is not the address of somebody else, nor an address the name of somebody else', async () => {
    expect(await codes(make({ customUsername: 'PERSON20@x.test' }))).toEqual([username]);
    expect(await codes(make({ contactEmail: 'own@x.test', customUsername: 'Own@x.test' }))).toEqual([]);
    expect(await codes(make({ contactEmail: 'OWN@x.test' }))).toEqual(['contactEmail: DUPLICATE_VALUE']);
    await make({ contactEmail: 'new@x.test', customUsername: 'old@x.test' });
    expect(await codes(make({ contactEmail: 'OLD@x.test' }))).toEqual(['contactEmail: DUPLICATE_VALUE']);
    const errors = new FieldErrors();
    await checkUserTaken(scope.db, { contactEmail: 'old@X.test', customUsername: 'new@X.test' }, null, errors);
    expect(errors.list.map(({ code }) => code)).toEqual(['DUPLICATE_VALUE', 'DUPLICATE_VALUE']);
  });

  test('stays with whom it was given to by an earlier version', async () => {
    const holder = await make({ contactEmail: 'twice@x.test' });
    const other = await make({ customUsername: 'once' });
    await scope.db.execute('UPDATE users SET custom_username = $3 WHERE tenant_id = $1 AND id = $2', [
      scope.tenant.id,
      other,
      'twice@x.test',
    ]);
    const kept = { customUsername: 'Twice@x.test' };
    const errors = new FieldErrors();
    await checkUserTaken(scope.db, kept, other, errors);
    expect(errors.list).toEqual([]);
    await checkUserTaken(scope.db, kept, holder, errors);
    expect(errors.list.map(({ code }) => code)).toEqual(['DUPLICATE_VALUE']);
  });

  test('is one of the two where both are written at once', async () => {
    const other = await make({ customUsername: 'renamed' });
    for (const round of [1, 2, 3]) {
      const text = `race${round}@x.test`;
      const rename = writeTransaction(scope, 'none', async (write) => {
        const current = (await readUser(write.tx, other))!;
        const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
        await updateUser(writing, current, { customUsername: text }, { token: 'credentials_version' });
      });
      const refused = await Promise.all([codes(make({ contactEmail: text })), codes(rename)]);
      expect(refused.filter((list) => list.length > 0)).toHaveLength(1);
    }
  });
});
