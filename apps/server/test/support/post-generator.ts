/**
 * Generates many posts inside PostgreSQL, for tests of plans and for benches: skewed like real ones (a few values common,
 * most rare; 5% private; 2% drafts; bursts in time). Every number follows from the post's own by a hash, so that the same
 * count always makes the same posts. Rows are written by the owner, after whose work statistics are fresh.
 */
import type pg from 'pg';
import { tablesBelow } from '../../src/kernel/tables/registry.ts';
import { tables } from '../../src/modules/tables.ts';

/** The community that was generated, and the ids that filters are made of. */
export interface GeneratedCommunity {
  readonly communityId: number;
  /** A manager, a contributor and a reader. */
  readonly managerId: number;
  readonly contributorId: number;
  readonly readerId: number;
  readonly userIds: readonly number[];
  readonly groupId: number;
  readonly stateIds: readonly number[];
  readonly hashtagIds: readonly number[];
  /**
   * Fields by type; the values of `enum` and `list` are ordered from the commonest to the rarest.
   */
  readonly fields: {
    readonly int: number;
    readonly decimal: number;
    readonly date: number;
    readonly text: number;
    readonly flag: number;
    readonly enum: number;
    readonly list: number;
    readonly users: number;
    /** Posts of the community, each of them referred to by few. */
    readonly related: number;
    readonly sparse: number;
  };
  readonly enumIds: readonly number[];
  readonly listIds: readonly number[];
}

const WORDS = `ARRAY['budget','meeting','project','review','market','design','contract','training','office','release','factory','customer','quality','travel','server','garden']`;

/** A number that follows from a text (FNV-1a). */
function seedOf(salt: string): number {
  let seed = 0x811c9dc5;
  for (const character of salt) seed = Math.imul(seed ^ character.charCodeAt(0), 0x01000193) >>> 0;
  return seed;
}

/** A number from 0 to below 2^31 that follows from a post and a salt. */
const hash = (salt: string, post = 'g') => `(hashint8extended(${post}, ${seedOf(salt)}) & 2147483647)`;
/** A number from 0 to 1, most of them small. */
const skewed = (salt: string, post = 'g') => `power((${hash(salt, post)} / 2147483648.0), 4)`;

/**
 * Makes a community of `count` posts in a tenant.
 * @param owner connection of the tables' owner
 * @param analyze false where more communities follow: statistics are then made once, after the last one
 */
export async function generateCommunity(
  owner: pg.Client,
  tenantId: number,
  count: number,
  { analyze = true } = {},
): Promise<GeneratedCommunity> {
  const run = async (text: string, values: unknown[] = []) => (await owner.query<{ id: string }>(text, values)).rows;
  const ids = async (text: string, values: unknown[] = []) => (await run(text, values)).map((row) => Number(row.id));
  await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
  const people = Math.min(2_000, Math.max(20, Math.round(count / 50)));
  const userIds = await ids(
    `INSERT INTO users (tenant_id, first_name, last_name, first_key, last_key)
     SELECT $1, 'First' || n % 100, 'Last' || n % 700, 'first' || n % 100, 'last' || n % 700 FROM generate_series(1, $2::int) n RETURNING id`,
    [tenantId, people],
  );
  const [managerId, contributorId, readerId] = userIds as [number, number, number];
  const [groupId] = await ids(
    `INSERT INTO groups (tenant_id, name, name_key) VALUES ($1, 'team', 'team') RETURNING id`,
    [tenantId],
  );
  await run(`INSERT INTO group_members (tenant_id, group_id, user_id) SELECT $1, $2, u FROM unnest($3::bigint[]) u`, [
    tenantId,
    groupId,
    userIds.slice(0, Math.max(5, people / 50)),
  ]);
  const [workspaceId] = await ids(
    `INSERT INTO workspaces (tenant_id, name, creator_id, modifier_id) VALUES ($1, 'w', $2, $2) RETURNING id`,
    [tenantId, managerId],
  );
  const [workflowId] = await ids(`INSERT INTO workflows (tenant_id, title) VALUES ($1, 'flow') RETURNING id`, [
    tenantId,
  ]);
  const [communityId] = await ids(
    `INSERT INTO communities (tenant_id, workspace_id, workflow_id, name, name_key, creator_id) VALUES ($1, $2, $3, 'generated', 'generated', $4) RETURNING id`,
    [tenantId, workspaceId, workflowId, managerId],
  );
  await run(
    `INSERT INTO community_roles (tenant_id, community_id, principal, role_id) VALUES ($1, $2, $3, 1), ($1, $2, $4, 2), ($1, $2, $5, 3)`,
    [tenantId, communityId, managerId, contributorId, readerId],
  );
  const stateIds = await ids(
    `INSERT INTO workflow_states (tenant_id, workflow_id, position, name, initial) SELECT $1, $2, n, 's' || n, n = 1 FROM generate_series(1, 5) n RETURNING id`,
    [tenantId, workflowId],
  );
  await run(
    `INSERT INTO workflow_transitions (tenant_id, workflow_id, from_state_id, to_state_id, name, roles) VALUES ($1, $2, $3, $4, 'close', '{1,2}')`,
    [tenantId, workflowId, stateIds.at(-1), stateIds[0]],
  );
  const hashtagIds = await ids(
    `INSERT INTO hashtags (tenant_id, community_id, name, name_key) SELECT $1, $2, 'tag' || n, 'tag' || n FROM generate_series(1, 40) n RETURNING id`,
    [tenantId, communityId],
  );
  const field = async (type: number, metadata = {}) =>
    (
      await ids(
        `INSERT INTO fields (tenant_id, community_id, type, label, searchable, sortable, metadata) VALUES ($1, $2, $3, 'f', true, true, $4) RETURNING id`,
        [tenantId, communityId, type, metadata],
      )
    )[0] as number;
  const fields = {
    int: await field(1),
    decimal: await field(3),
    date: await field(4),
    text: await field(6),
    flag: await field(10),
    enum: await field(7),
    list: await field(8),
    users: await field(15, { generic_entity_list_config_id: 'core.user' }),
    sparse: await field(2),
    related: await field(15, { generic_entity_list_config_id: 'communication.post' }),
  };
  // Some of the people that values refer to are deleted.
  await run('UPDATE users SET deleted_at = now() WHERE tenant_id = $1 AND id = ANY ($2::bigint[])', [
    tenantId,
    userIds.slice(10, 12),
  ]);
  const valuesOf = (fieldId: number, number: number) =>
    ids(
      `INSERT INTO field_enum_values (tenant_id, field_id, position, label, label_key)
       SELECT $1, $2, n, 'label ' || n, 'label ' || lpad((n * 37 % 101)::text, 3, '0') FROM generate_series(1, $3::int) n RETURNING id`,
      [tenantId, fieldId, number],
    );
  const enumIds = await valuesOf(fields.enum, 20);
  const listIds = await valuesOf(fields.list, 30);
  const made = {
    communityId: communityId!,
    managerId,
    contributorId,
    readerId,
    userIds,
    groupId: groupId!,
    stateIds,
    hashtagIds,
    fields,
    enumIds,
    listIds,
  };
  // Foreign keys hold by construction; a superuser may spare the checks.
  const [role] = (
    await owner.query<{ rolsuper: boolean }>('SELECT rolsuper FROM pg_roles WHERE rolname = current_user')
  ).rows;
  if (role?.rolsuper) await owner.query(`SET session_replication_role = replica`);
  await generatePosts(owner, tenantId, made, count);
  await generateValues(owner, tenantId, made);
  await generateAround(owner, tenantId, made);
  if (role?.rolsuper) await owner.query(`SET session_replication_role = DEFAULT`);
  // In one go with the rows: visibility map and statistics as a server that has run for a day has them.
  if (analyze) {
    for (const table of ['users', 'posts', ...tablesBelow(tables, 'posts').map(({ name }) => name)])
      await owner.query(`VACUUM ANALYZE ${table}`);
  }
  return made;
}

async function generatePosts(
  owner: pg.Client,
  tenantId: number,
  made: GeneratedCommunity,
  count: number,
): Promise<void> {
  const at = (salt: string) => `timestamptz '2020-01-01 UTC' + (g * 60 + ${hash(salt)} % 40000) * interval '1 second'`;
  await owner.query(
    `INSERT INTO posts (tenant_id, community_id, custom_no, type, visibility, pinned, draft, title, title_key, description_text, state_id,
            creator_id, created_at, modifier_id, modified_at, token_by, token_at, operated_at, active_at, recent_at, scheduled_at, event_start_at)
     SELECT $1, $2, g, CASE WHEN ${hash('type')} % 50 = 0 THEN 2 ELSE 1 END, CASE WHEN ${hash('vis')} % 20 = 0 THEN 1 ELSE 2 END,
            ${hash('pin')} % 20000 = 0, ${hash('draft')} % 50 = 0, t.title, t.title, 'about ' || t.title || ' number ' || g,
            ($3::bigint[])[1 + (${skewed('state')} * 5)::int % 5], ($4::bigint[])[1 + (${skewed('creator')} * array_length($4, 1))::int % array_length($4, 1)],
            ${at('created')}, ($4::bigint[])[1 + (${skewed('modifier')} * array_length($4, 1))::int % array_length($4, 1)], ${at('modified')}, ($4::bigint[])[1], ${at('token')},
            ${at('operated')}, ${at('active')}, ${at('recent')}, CASE WHEN ${hash('sched')} % 20 = 0 THEN ${at('sched')} END,
            CASE WHEN ${hash('type')} % 50 = 0 THEN ${at('event')} END
       FROM generate_series(1, $5::int) g,
            LATERAL (SELECT (${WORDS})[1 + ${hash('w1')} % 16] || ' ' || (${WORDS})[1 + (${skewed('w2')} * 16)::int % 16] || ' ' || ${hash('w3')} % 50000 AS title) t`,
    [tenantId, made.communityId, made.stateIds, made.userIds, count],
  );
  await owner.query('INSERT INTO community_counters (tenant_id, community_id, last_custom_no) VALUES ($1, $2, $3)', [
    tenantId,
    made.communityId,
    count,
  ]);
  await owner.query(
    `INSERT INTO post_search (tenant_id, post_id, community_id, title, description, doc)
     SELECT tenant_id, id, community_id, title, description_text, ' ' || title || E'\\n ' || description_text FROM posts
      WHERE tenant_id = $1 AND community_id = $2`,
    [tenantId, made.communityId],
  );
}

async function generateValues(owner: pg.Client, tenantId: number, made: GeneratedCommunity): Promise<void> {
  const { fields } = made;
  const add = (fieldId: number, columns: string, expressions: string, share = 0.9, parameters: unknown[] = []) =>
    owner.query(
      `INSERT INTO post_values (tenant_id, field_id, post_id, empty, ${columns})
       SELECT p.tenant_id, $3, p.id, v.empty, ${expressions
         .split(' | ')
         .map((expression) => `CASE WHEN v.empty THEN NULL ELSE ${expression} END`)
         .join(', ')}
         FROM posts p, LATERAL (SELECT p.custom_no AS g) n, LATERAL (SELECT ${hash(`empty${fieldId}`)} % 1000 >= ${Math.round(share * 1000)} AS empty) v
        WHERE p.tenant_id = $1 AND p.community_id = $2`,
      [tenantId, made.communityId, fieldId, ...parameters],
    );
  await add(fields.int, 'big', `(${hash('int')} % 20000)::bigint`);
  await add(fields.decimal, 'num', `(${skewed('dec')} * 1000)::float8`);
  await add(fields.date, 'big', `(1577836800000 + (${hash('date')} % 2000)::bigint * 86400000)`);
  await add(fields.text, 'txt', `(${WORDS})[1 + ${hash('t1')} % 16] || ' ' || ${hash('t2')} % 30000`);
  await add(fields.flag, 'big', `(${hash('flag')} % 2)::bigint`);
  await add(fields.enum, 'ref', `($4::bigint[])[1 + (${skewed('enum')} * 20)::int % 20]`, 0.95, [made.enumIds]);
  await add(fields.list, 'ref', `($4::bigint[])[1 + (${skewed('list')} * 30)::int % 30]`, 0.9, [made.listIds]);
  await add(
    fields.users,
    'ref',
    `($4::bigint[])[1 + (${skewed('ref')} * array_length($4, 1))::int % array_length($4, 1)]`,
    0.9,
    [made.userIds],
  );
  await add(fields.sparse, 'big', `(${hash('sparse')} % 1000)::bigint`, 0.005);
  const [first] = (
    await owner.query<{ id: string; count: string }>(
      'SELECT min(id) AS id, count(*) AS count FROM posts WHERE tenant_id = $1 AND community_id = $2',
      [tenantId, made.communityId],
    )
  ).rows;
  const target = (salt: string, post?: string) => `$4::bigint + (${hash(salt, post)} % $5::bigint)`;
  await add(fields.related, 'ref, ref_community', `${target('rel')} | $2::bigint`, 0.3, [first?.id, first?.count]);
  await owner.query(
    `INSERT INTO post_values (tenant_id, field_id, post_id, ord, ref, ref_community)
     SELECT v.tenant_id, v.field_id, v.post_id, 1, ${target('second', 'v.post_id')}, $2
       FROM post_values v WHERE v.tenant_id = $1 AND v.field_id = $3 AND v.ref IS NOT NULL AND v.post_id % 10 = 0`,
    [tenantId, made.communityId, fields.related, first?.id, first?.count],
  );
  await owner.query(
    `INSERT INTO post_texts (tenant_id, field_id, post_id, norm) SELECT tenant_id, field_id, post_id, txt FROM post_values
      WHERE tenant_id = $1 AND field_id = $2 AND txt IS NOT NULL`,
    [tenantId, fields.text],
  );
}

async function generateAround(owner: pg.Client, tenantId: number, made: GeneratedCommunity): Promise<void> {
  const posts = `posts p, LATERAL (SELECT p.custom_no AS g) n WHERE p.tenant_id = $1 AND p.community_id = $2`;
  const base = [tenantId, made.communityId];
  await owner.query(
    `INSERT INTO post_grants (tenant_id, post_id, principal, source) SELECT p.tenant_id, p.id, p.creator_id, 1 FROM ${posts}`,
    base,
  );
  await owner.query(
    `INSERT INTO post_hashtags (tenant_id, post_id, hashtag_id) SELECT p.tenant_id, p.id, ($3::bigint[])[1 + (${skewed('tag')} * 40)::int % 40] FROM ${posts}`,
    [...base, made.hashtagIds],
  );
  await owner.query(
    `INSERT INTO post_user_state (tenant_id, user_id, post_id, community_id, viewed_at)
     SELECT p.tenant_id, $3, p.id, p.community_id, p.active_at + interval '1 hour' FROM ${posts} AND ${hash('seen')} % 20 = 0`,
    [...base, made.readerId],
  );
  await owner.query(
    `INSERT INTO post_mentions (tenant_id, post_id, user_id) SELECT p.tenant_id, p.id, ($3::bigint[])[1 + ${hash('mention')} % 200 % array_length($3, 1)] FROM ${posts} AND ${hash('mentioned')} % 10 = 0`,
    [...base, made.userIds],
  );
  await owner.query(
    `INSERT INTO post_watchers (tenant_id, post_id, principal) SELECT p.tenant_id, p.id, ($3::bigint[])[1 + ${hash('watch')} % 100 % array_length($3, 1)] FROM ${posts} AND ${hash('watched')} % 10 = 0`,
    [...base, made.userIds],
  );
  await owner.query(
    `INSERT INTO tasks (tenant_id, post_id, type, assignee, creator_id, created_at, modifier_id, modified_at, closed_at)
     SELECT p.tenant_id, p.id, 1 + (${hash('tt')} % 2)::int, ($3::bigint[])[1 + ${hash('assignee')} % 100 % array_length($3, 1)], p.creator_id, p.created_at, p.creator_id, p.created_at,
            CASE WHEN ${hash('closed')} % 3 > 0 THEN p.modified_at END FROM ${posts} AND ${hash('task')} % 10 = 0`,
    [...base, made.userIds],
  );
  await owner.query(
    `INSERT INTO attachments (tenant_id, post_id, community_id, entity_type, kind, name, name_key, mime_type, creator_id, created_at, modifier_id, modified_at)
     SELECT p.tenant_id, p.id, p.community_id, 1, 1 + (${hash('kind')} % 4)::int, 'file ' || g, 'file ' || g, 'application/octet-stream', p.creator_id, p.created_at, p.creator_id, p.created_at
       FROM ${posts} AND ${hash('file')} % 5 = 0`,
    base,
  );
}
