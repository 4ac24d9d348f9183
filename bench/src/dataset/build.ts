/**
 * Builds the data of all measurements: a tenant with one big community and many others, and small
 * tenants beside it. The same number of posts gives the same rows, including ids, on a database
 * without tenants. Exceptions are keys, secrets and the stream's changes, which are forgotten after
 * a month: their times follow the clock.
 */
import {
  type CommunityRole,
  createServiceAccount,
  createServiceAccountKey,
  createUserRecords,
  type Services,
  tables,
  tablesBelow,
  writeTransaction,
} from '@portico/server/testing/dataset';
import pg from 'pg';
import { withDatabase } from './connect.ts';
import type { Dataset, SmallTenant } from './dataset.ts';
import {
  type Everybody,
  type MadeTenant,
  makeCommunity,
  makePeople,
  makePlace,
  makeTenant,
  type Size,
  sizeFor,
} from './define.ts';
import { describeDataset, keepDescription } from './describe.ts';
import { allowVacuum, dropIndexes, restoreIndexes } from './indexes.ts';
import { loadPosts, nextIds } from './load.ts';
import { type CommunitySource, fileKinds, kindOf } from './post-plan.ts';
import { contentRef } from './post-rows.ts';
import { END } from './timeline.ts';

export { openDataset } from './describe.ts';

interface BuildOptions {
  /** Posts of the big community, at least 100. */
  readonly posts: number;
  /** Connection string of the database's owner, a superuser. The database is empty, or migrated and without posts. */
  readonly ownerUrl: string;
  /** The service's role, if it differs from the role that the product creates for the database. */
  readonly serviceRole?: string;
  /**
   * File that the description is written to, in addition to the database. It holds private keys.
   */
  readonly file?: string;
  readonly log?: (line: string) => void;
  /** Memory for each of two index builds at once. Default 1 GB. */
  readonly indexMemory?: string;
}

/** Tables whose indexes are built after the rows. */
const indexed = ['posts', ...tablesBelow(tables, 'posts').map(({ name }) => name)];

/**
 * Builds the data; see {@link BuildOptions}. A failed attempt leaves a database to discard.
 * @returns the description, which {@link openDataset} reads again
 */
export function buildDataset(options: BuildOptions): Promise<Dataset> {
  const log = options.log ?? (() => undefined);
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const step = (what: string) => log(`${seconds().toFixed(0).padStart(5)} s  ${what}`);
  return withDatabase(options.ownerUrl, options.serviceRole, async ({ owner, connection, services }) => {
    await requireFreshDatabase(owner);
    const size = sizeFor(options.posts);
    step('people, communities, fields');
    const ids = await nextIds(owner);
    const tenant = await makeTenant(owner, services, 'bench');
    const people = await makePeople(tenant, size);
    const sources = await makeCommunities(tenant, people, size, ids.posts);
    const small = await makeSmallTenants(owner, services, size, endOf(sources));
    const all = [...sources, ...small.map(({ source }) => source)];
    for (const tenantId of new Set(all.map((source) => source.tenantId))) await makeFiles(owner, tenantId, all);
    step('rows');
    const dropped = await dropIndexes(owner, indexed);
    const rows = await loadPosts(owner, connection, all, ids, Date.now(), step);
    step('indexes');
    const memory = options.indexMemory ?? '1GB';
    await restoreIndexes(connection, dropped, { connections: 2, memory, log: step });
    step('statistics and visibility map');
    await vacuum(connection);
    await allowVacuum(owner, indexed);
    step('description');
    const dataset = await describeDataset({
      owner,
      services,
      tenant,
      people,
      big: sources[0]!,
      others: sources.slice(1),
      smallTenants: small.map((one) => one.described),
      rows,
      posts: options.posts,
      seconds: seconds(),
    });
    await keepDescription(owner, dataset, options.file);
    step(`done: ${(dataset.build.bytes / 2 ** 30).toFixed(1)} GB`);
    return dataset;
  });
}

async function requireFreshDatabase(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ superuser: boolean; posts: boolean }>(
    `SELECT rolsuper AS superuser, EXISTS (SELECT FROM posts) AS posts FROM pg_roles WHERE rolname = current_user`,
  );
  if (!rows[0]?.superuser) throw new Error('The owner of the database must be a superuser: rows are written by COPY.');
  if (rows[0].posts) throw new Error('The database holds posts already; give one without.');
}

const endOf = (sources: readonly CommunitySource[]) => {
  const last = sources.at(-1)!;
  return last.firstPostId + last.posts;
};

/** The big community, then the others. */
async function makeCommunities(
  tenant: MadeTenant,
  people: Everybody,
  size: Size,
  firstPostId: number,
): Promise<CommunitySource[]> {
  const place = await makePlace(tenant, 'Works');
  const { serviceAccount, admin, manager, contributor, reader, outsider } = people.measured;
  const groupIds = people.groups.map((group) => group.id);
  const source = {
    names: people.names,
    groupIds,
    measuredIds: [serviceAccount, admin, manager, contributor, reader].map((person) => person.userId),
  };
  const role = (principal: number, id: CommunityRole) => ({ principal, role: id });
  const managers = [serviceAccount, admin].map((person) => role(person.userId, 1));
  const writing = people.userIds.slice(0, Math.max(40, people.userIds.length * 0.8));
  const heads = writing.slice(3, 8);
  const big = await makeCommunity(tenant, {
    ...place,
    name: 'Orders',
    big: true,
    posts: size.posts,
    firstPostId,
    roles: [
      ...managers,
      ...[manager.userId, ...heads].map((id) => role(id, 1)),
      role(contributor.userId, 2),
      role(reader.userId, 3),
      ...groupIds.slice(0, -1).map((id, index) => role(-id, index < people.readerGroups ? 3 : 2)),
    ],
    people: { ...source, userIds: writing, managerIds: heads },
  });
  const sources: CommunitySource[] = [big];
  for (let number = 0; number < size.communities; number++) {
    const tenth = number % 10 === 0;
    const from = (number * 37) % people.userIds.length;
    const userIds = [...people.userIds.slice(from), ...people.userIds.slice(0, from)].slice(0, 200);
    const posts = share(size.otherPosts, size.communities, number);
    const roles = [
      ...managers,
      ...userIds.map((id, index) => role(id, index === 3 || index === 4 ? 1 : 2)),
      ...(tenth ? [role(contributor.userId, 2), role(reader.userId, 3)] : []),
      ...(number === 0 ? [role(outsider.userId, 3)] : []),
      ...groupIds.filter((_, index) => index % size.communities === number).map((id) => role(-id, 2)),
    ];
    const name = `Team ${number + 1}`;
    const firstPostId = endOf(sources);
    const who = {
      ...source,
      userIds,
      managerIds: userIds.slice(3, 5),
      measuredIds: [serviceAccount.userId, admin.userId],
    };
    sources.push(await makeCommunity(tenant, { ...place, name, big: false, posts, firstPostId, roles, people: who }));
  }
  return sources;
}

/** Returns an equal share of a total; the remainder goes to the first ones. */
function share(total: number, parts: number, index: number): number {
  return Math.floor(total / parts) + (index < total % parts ? 1 : 0);
}

async function makeSmallTenants(
  owner: pg.Client,
  services: Services,
  size: Size,
  firstPostId: number,
): Promise<{ source: CommunitySource; described: SmallTenant }[]> {
  const made: { source: CommunitySource; described: SmallTenant }[] = [];
  let next = firstPostId;
  for (let number = 1; number <= size.smallTenants; number++) {
    const tenant = await makeTenant(owner, services, `small-${number}`);
    const scope = await tenant.scope();
    const records = Array.from({ length: 20 }, (_, index) => ({
      firstName: 'Member',
      lastName: `Number ${index + 1}`,
      contactEmail: `member${index}@${tenant.host}`,
      createdAt: END,
    }));
    const userIds = await writeTransaction(scope, 'access', (write) => createUserRecords(write, records));
    const userId = await writeTransaction(scope, 'access', (write) =>
      createServiceAccount(write, { name: 'Bench', admin: true }),
    );
    const key = await createServiceAccountKey(scope.db, userId, END);
    const posts = size.smallTenantPosts;
    const names = new Map(
      [...userIds, userId].map((id, index) => [id, records[index] ? `Member Number ${index + 1}` : 'Bench']),
    );
    const source = await makeCommunity(tenant, {
      ...(await makePlace(tenant, 'Works')),
      name: 'Everything',
      big: false,
      posts,
      firstPostId: next,
      roles: [userId, ...userIds].map((principal, index) => ({ principal, role: index < 2 ? 1 : 2 })),
      people: { userIds, managerIds: userIds.slice(0, 1), names, groupIds: [], measuredIds: [userId] },
    });
    const shown = Array.from({ length: posts }, (_, index) => index).filter((index) => !kindOf(source, index).draft);
    const postIds = shown.map((index) => source.firstPostId + index);
    const { id, name, host } = tenant;
    const described = { id, name, host, userId, key, communityId: source.definition.id, posts, postIds };
    made.push({ source, described });
    next += posts;
  }
  return made;
}

/** The files that posts share. There are rows and no content: no measurement reads it. */
async function makeFiles(owner: pg.Client, tenantId: number, sources: readonly CommunitySource[]): Promise<void> {
  const creatorId = sources.find((source) => source.tenantId === tenantId)!.userIds[0];
  for (const [number, { mimeType, size }] of fileKinds.entries()) {
    const ref = contentRef(tenantId, number);
    // Neither previews nor texts are due, because the background jobs would look for the content.
    await owner.query(
      `INSERT INTO file_contents (tenant_id, content_ref, storage_key, mime_type, size, md5, sha256, state, creator_id, created_at,
              uploaded_at, attached_at, previews, text_state)
       VALUES ($1, $2, $2, $3, $4, md5($2), encode(sha256($2::bytea), 'hex'), 1, $5, $6, $6, $6, 0, 0)`,
      [tenantId, ref, mimeType, size, creatorId, new Date(END)],
    );
  }
}

/**
 * Statistics, and the visibility map that index-only scans need, as on a server that has run for a
 * day.
 */
async function vacuum(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`SET maintenance_work_mem = '512MB'`);
    // There since PostgreSQL 16: the vacuum may use the whole cache.
    await client.query(`SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'vacuum_buffer_usage_limit'`);
    await client.query('VACUUM (FREEZE, ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
