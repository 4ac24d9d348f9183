/**
 * Portal for tests of the import, with a fresh tenant per test and functions that read the created
 * data as a client.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/index.ts';
import { type ImportOptions, runImport } from './import.ts';
import type { ImportReport } from './report.ts';

let portal: TestPortal;
let tenant: TestTenant;
let directory: string;
let admin: number;
let counter = 0;

/** Registers the portal with the test file that calls this. */
export function useImports(): void {
  beforeAll(async () => {
    portal = await createTestPortal();
    directory = await mkdtemp(join(tmpdir(), 'portico-import-'));
  });

  afterAll(async () => {
    await portal?.close();
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(async () => {
    tenant = await portal.createTenant();
    admin = await tenant.createUser({ email: 'boss@example.org', admin: true });
  });
}

export const current = () => ({ portal, tenant, admin });

export async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(directory, `${++counter}-${name}`);
  await writeFile(path, content);
  return path;
}

export const ndjson = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');

export async function run(
  rows: string | Buffer | readonly unknown[],
  mapping: string,
  more: Partial<ImportOptions> & { name?: string; managers?: boolean } = {},
): Promise<ImportReport> {
  const content = typeof rows === 'string' || Buffer.isBuffer(rows) ? rows : ndjson(rows as readonly unknown[]);
  const name = more.name ?? (typeof rows === 'string' ? 'rows.csv' : 'rows.ndjson');
  const scope = await tenant.scope(tenant.systemUserId);
  return runImport(scope, {
    file: await file(name, content),
    mapping: await file(
      'mapping.yaml',
      more.managers === false ? mapping : `${mapping}\ncommunity: {managers: [boss@example.org]}\n`,
    ),
    workspace: 'Office',
    community: 'Orders',
    refreshStatistics: async () => void (await portal.owner.query('ANALYZE')),
    ...more,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
export type Json = Record<string, any>;

export async function ask(method: string, path: string, body?: unknown): Promise<Json> {
  const answer = await tenant.request(admin, method, `/portal/api/external/v2${path}`, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body as Json;
}

export async function community(): Promise<number> {
  const { communities } = await ask('GET', '/communication/settings/communities');
  return communities[0].id;
}

/** Posts by client uid, with custom data by external id of the field. */
export async function posts(): Promise<Map<string, Json>> {
  const id = await community();
  const definition = await ask('GET', `/communication/settings/communities/${id}/post-definition`);
  const db = portal.services.databases.for(tenant.tenant.id);
  const rows = await db.query<{ id: number; uid: string }>(
    'SELECT id, client_uid AS uid FROM posts WHERE tenant_id = $1 AND deleted_at IS NULL ORDER BY id',
    [db.tenantId],
  );
  const found = new Map<string, Json>();
  for (const row of rows) {
    const post = await ask('GET', `/communication/posts/data/post-detail-by-id/${row.id}`);
    // Reading a detail counts as a view, which is not compared here.
    const { viewsCount: _, viewedByUsersCount: __, ...detail } = post;
    const fields = Object.fromEntries(
      (definition.fieldDefinitions as Json[]).map((field) => [field.externalId, detail.customData?.[String(field.id)]]),
    );
    found.set(row.uid, { ...detail, fields });
  }
  return found;
}

export async function history(postId: number): Promise<Json[]> {
  const { items } = await ask('POST', `/communication/posts/data/history-list/${postId}`, {
    pageSize: 100,
    orderDesc: false,
  });
  return items;
}

export const labels = (value: Json[] | undefined) => (value ?? []).map((entry) => entry.label);
export const refusals = (report: ImportReport) =>
  report.refusals.map(({ line, column, value, lost }) => ({ line, column, value, lost }));
