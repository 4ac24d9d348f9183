/** A random community for tests of reading: people, groups, fields of all types, a workflow, and posts that use them. */
import { FieldType, PostType, SurveyType, TaskType, Visibility } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { sortKeyWithTies } from '@portico/platform/text';
import type { TestPortal, TestTenant } from '../../../../test/support/index.ts';
import { type LoadedPost, loadPosts, plainPost } from '../../../../test/support/post-loader.ts';
import type { TestRandom } from '../../../../test/support/random.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, type FieldDefinition, getDefinition } from '../../communities/index.ts';
import { holdsObjects, isChoice, type StoredValue, typeOf } from '../../fields/index.ts';

/** Texts that are alike in accents, case and signs, which orders and searches could confuse. */
export const TEXTS = [
  'Über den Fluss',
  'uber den fluss',
  'ÜBER',
  'naïve approach',
  'Naive Approach 100%',
  '50% off_now',
  'a_b',
  'a%b',
  'ab',
  'zebra crossing',
  'Zèbra',
  'Straße und Strasse',
  'Ελλάδα',
  'Москва слезам',
  '東京 会議',
  'back\\slash',
  "it's",
  'one two three',
  'Two Three One',
  'x',
] as const;

const START = Date.UTC(2025, 0, 1);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface RandomCommunity {
  readonly scope: (userId: number) => Promise<Scope>;
  readonly tenant: TestTenant;
  readonly communityId: number;
  readonly definition: CommunityDefinition;
  readonly userIds: number[];
  readonly userKeys: ReadonlyMap<number, { last: string; first: string }>;
  readonly groupMembers: ReadonlyMap<number, readonly number[]>;
  readonly hashtagIds: number[];
  /** Keys by which the values of enumerated fields are ordered. */
  readonly labelKeys: ReadonlyMap<number, string>;
  readonly posts: readonly LoadedPost[];
  /** Another community with posts that fields refer to; some of the people have a role in it. */
  readonly elsewhere: { readonly definition: CommunityDefinition; readonly posts: readonly LoadedPost[] };
  /** Deleted people and groups that fields refer to. */
  readonly gone: { readonly userIds: readonly number[]; readonly groupIds: readonly number[] };
}

const TYPES = Object.values(FieldType);

/** Creates a tenant with one community of random definition and `count` posts of it. */
export async function createRandomCommunity(
  portal: TestPortal,
  random: TestRandom,
  count: number,
): Promise<RandomCommunity> {
  const tenant = await portal.createTenant();
  const db = portal.services.databases.for(tenant.tenant.id);
  const one = async (text: string, values: unknown[]) =>
    (await db.query<{ id: number }>(text, [db.tenantId, ...values]))[0]!.id;

  const people = await makePeople(tenant, db, random);
  const groupMembers = new Map<number, number[]>();
  for (let index = 0; index < 3; index++) {
    const id = await one('INSERT INTO groups (tenant_id, name, name_key) VALUES ($1, $2, $2) RETURNING id', [
      `g${index}`,
    ]);
    groupMembers.set(id, random.between(people.ids, 4));
    for (const user of groupMembers.get(id)!) {
      await db.execute('INSERT INTO group_members (tenant_id, group_id, user_id) VALUES ($1, $2, $3)', [
        db.tenantId,
        id,
        user,
      ]);
    }
  }
  const groupIds = [...groupMembers.keys()];
  const creator = people.ids[0]!;
  const workspaceId = await one(
    `INSERT INTO workspaces (tenant_id, name, creator_id, modifier_id) VALUES ($1, 'w', $2, $2) RETURNING id`,
    [creator],
  );
  const workflowId = await one(`INSERT INTO workflows (tenant_id, title) VALUES ($1, 'wf') RETURNING id`, []);
  const communityId = await one(
    `INSERT INTO communities (tenant_id, workspace_id, workflow_id, name, name_key, creator_id) VALUES ($1, $2, $3, 'c', 'c', $4) RETURNING id`,
    [workspaceId, workflowId, creator],
  );
  for (const [index, userId] of people.ids.entries()) {
    // The first manages the community, the last has no role at all.
    if (index === people.ids.length - 1) continue;
    await db.execute(
      'INSERT INTO community_roles (tenant_id, community_id, principal, role_id) VALUES ($1, $2, $3, $4)',
      [db.tenantId, communityId, userId, index === 0 || random.chance(0.2) ? 1 : random.pick([2, 3, 3, 5])],
    );
  }
  const stateIds: number[] = [];
  for (let index = 0; index < 4; index++) {
    stateIds.push(
      await one(
        'INSERT INTO workflow_states (tenant_id, workflow_id, position, name, initial, terminal) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id',
        [workflowId, index, `s${index}`, index === 0, index === 3],
      ),
    );
  }
  for (let index = 0; index < 4; index++) {
    await db.execute(
      `INSERT INTO workflow_transitions (tenant_id, workflow_id, from_state_id, to_state_id, name, roles, group_ids, by_author)
       VALUES ($1, $2, $3, $4, 't', $5, $6, $7)`,
      [
        db.tenantId,
        workflowId,
        random.pick(stateIds),
        random.pick(stateIds),
        random.between([1, 2, 3], 1),
        random.between(groupIds, 1),
        random.chance(0.4),
      ],
    );
  }
  const hashtagIds: number[] = [];
  for (let index = 0; index < 4; index++) {
    hashtagIds.push(
      await one('INSERT INTO hashtags (tenant_id, community_id, name, name_key) VALUES ($1, $2, $3, $3) RETURNING id', [
        communityId,
        `h${index}`,
      ]),
    );
  }
  const labelKeys = await makeFields({ one, random, communityId, workflowId });
  const elsewhereId = await one(
    `INSERT INTO communities (tenant_id, workspace_id, name, name_key, creator_id) VALUES ($1, $2, 'e', 'e', $3) RETURNING id`,
    [workspaceId, creator],
  );
  for (const userId of people.ids.slice(0, -1)) {
    if (random.chance(0.5)) continue;
    await db.execute(
      'INSERT INTO community_roles (tenant_id, community_id, principal, role_id) VALUES ($1, $2, $3, $4)',
      [db.tenantId, elsewhereId, userId, random.pick([1, 3, 3, 5])],
    );
  }
  const gone = {
    userIds: [await tenant.createUser(), await tenant.createUser()],
    groupIds: [await one('INSERT INTO groups (tenant_id, name, name_key) VALUES ($1, $2, $2) RETURNING id', ['gone'])],
  };
  for (const [table, ids] of [['users', gone.userIds] as const, ['groups', gone.groupIds] as const]) {
    await db.execute(`UPDATE ${table} SET deleted_at = now() WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`, [
      db.tenantId,
      ids,
    ]);
  }
  const scope = (userId: number) => tenant.scope(userId);
  const definition = await getDefinition(await scope(creator), communityId);
  if (!definition) throw new Error('the community that was just made has no definition');
  const stock = { userIds: people.ids, groupIds, stateIds, hashtagIds, labelKeys, gone };
  const maker = new PostMaker(random, definition, stock);
  const posts = Array.from({ length: count }, (_, index) => maker.make(index + 1));
  const other = await getDefinition(await scope(creator), elsewhereId);
  if (!other) throw new Error('the other community that was just made has no definition');
  const elsewhere = ELSEWHERE.map((id, index) =>
    plainPost({
      id,
      creatorId: random.pick(people.ids),
      createdAt: START,
      visibility: index % 2 === 0 ? 2 : 1,
      deleted: index === 3,
      watchers: random.between(people.ids, 2),
    }),
  );
  await loadPosts(db, other, elsewhere);
  await loadPosts(db, definition, posts);
  return {
    scope,
    tenant,
    communityId,
    definition,
    userIds: people.ids,
    userKeys: people.keys,
    groupMembers,
    hashtagIds,
    labelKeys,
    posts,
    elsewhere: { definition: other, posts: elsewhere },
    gone,
  };
}

async function makePeople(tenant: TestTenant, db: TenantDb, random: TestRandom) {
  const ids: number[] = [];
  const keys = new Map<number, { last: string; first: string }>();
  for (let index = 0; index < 7; index++) {
    // Few names: several people have the same.
    const firstName = random.pick(['Ada', 'Zoë', 'Bo']);
    const lastName = random.pick(['Ruiz', 'Ábel', 'Smith']);
    const id = await tenant.createUser({ firstName, lastName });
    ids.push(id);
  }
  const rows = await db.query<{ id: number; last: string; first: string }>(
    'SELECT id, last_key AS last, first_key AS first FROM users WHERE tenant_id = $1',
    [tenant.tenant.id],
  );
  for (const row of rows) keys.set(row.id, row);
  return { ids, keys };
}

interface FieldMaking {
  one: (text: string, values: unknown[]) => Promise<number>;
  random: TestRandom;
  communityId: number;
  workflowId: number;
}

/** A field of every type for posts, and some for screens; some not searchable, some on catalogs. */
async function makeFields({ one, random, communityId, workflowId }: FieldMaking): Promise<Map<number, string>> {
  const labelKeys = new Map<number, string>();
  const catalogId = await one(`INSERT INTO catalogs (tenant_id, name) VALUES ($1, '{"en": "k"}') RETURNING id`, []);
  const label = () => random.pick(['Red', 'red', 'Écru', 'blue', 'Blue', 'green']);
  for (let index = 0; index < 5; index++) {
    const text = label();
    const id = await one(
      'INSERT INTO catalog_entries (tenant_id, catalog_id, label, label_key) VALUES ($1, $2, $3, $4) RETURNING id',
      [catalogId, JSON.stringify({ en: text }), sortKeyWithTies(text)],
    );
    labelKeys.set(id, sortKeyWithTies(text));
  }
  const makeField = async (type: FieldType, owner: 'community_id' | 'workflow_id', ownerId: number) => {
    const enumerated = isChoice({ type });
    const onCatalog = enumerated && random.chance(0.5);
    const metadata = holdsObjects({ type })
      ? {
          generic_entity_list_config_id: random.pick(['core.user', 'core.group', 'communication.post']),
          ...(random.chance(0.5) && { extends_post_visibility: 'true' }),
        }
      : {};
    const id = await one(
      `INSERT INTO fields (tenant_id, ${owner}, catalog_id, type, label, searchable, sortable, metadata) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
      [
        ownerId,
        onCatalog ? catalogId : null,
        type,
        `f${type}`,
        random.chance(0.9),
        random.chance(0.9),
        JSON.stringify(metadata),
      ],
    );
    if (!enumerated || onCatalog) return;
    for (let index = 0; index < 4; index++) {
      const text = label();
      const valueId = await one(
        'INSERT INTO field_enum_values (tenant_id, field_id, position, label, label_key) VALUES ($1, $2, $3, $4, $5) RETURNING id',
        [id, index, text, sortKeyWithTies(text)],
      );
      // Ids of own values and of entries may coincide, so the key includes the field.
      labelKeys.set(-(id * 1_000_000 + valueId), sortKeyWithTies(text));
    }
  };
  for (const type of TYPES) await makeField(type, 'community_id', communityId);
  for (const type of random.between(TYPES, 6, 4)) await makeField(type, 'workflow_id', workflowId);
  return labelKeys;
}

/** The label key of a value of an enumerated field. */
export function labelKeyOf(world: Pick<RandomCommunity, 'labelKeys'>, field: FieldDefinition, id: number): string {
  return world.labelKeys.get(field.catalogId === null ? -(field.id * 1_000_000 + id) : id) ?? '';
}

/** Ids of posts of the other community, and the id of an erased post. */
const ELSEWHERE = [1_001, 1_002, 1_003, 1_004, 1_005];
const ERASED = 999_999_999;

interface Stock {
  userIds: number[];
  groupIds: number[];
  stateIds: number[];
  hashtagIds: number[];
  labelKeys: ReadonlyMap<number, string>;
  gone: RandomCommunity['gone'];
}

class PostMaker {
  readonly #random: TestRandom;
  readonly #definition: CommunityDefinition;
  readonly #stock: Stock;

  constructor(random: TestRandom, definition: CommunityDefinition, stock: Stock) {
    this.#random = random;
    this.#definition = definition;
    this.#stock = stock;
  }

  make(id: number): LoadedPost {
    const random = this.#random;
    const { userIds, groupIds, stateIds, hashtagIds } = this.#stock;
    const principals = [...userIds, ...groupIds.map((group) => -group)];
    // Few different times: ties everywhere.
    const time = () => START + random.below(40) * HOUR;
    const createdAt = time();
    const type = random.chance(0.6) ? PostType.CUSTOM : random.pick([PostType.EVENT, PostType.SURVEY]);
    const draft = random.chance(0.12);
    return plainPost({
      id,
      customNo: 1_000_000 - ((id * 7_919) % 1_000_003),
      type,
      surveyType: type === PostType.SURVEY ? random.pick(Object.values(SurveyType)) : null,
      visibility: random.chance(0.7) ? Visibility.PUBLIC : Visibility.PRIVATE,
      pinned: random.chance(0.1),
      draft,
      deleted: random.chance(0.08),
      title: random.chance(0.15) ? null : this.#text(),
      descriptionText: random.chance(0.3) ? null : `${this.#text()} ${this.#text()}`,
      customData: this.#values(this.#definition.fields),
      screenData: random.chance(0.5) ? {} : this.#values(this.#definition.workflow?.fields ?? []),
      stateId: random.chance(0.2) ? null : random.pick(stateIds),
      creatorId: random.pick(userIds),
      modifierId: random.pick(userIds),
      createdAt,
      modifiedAt: time(),
      activeAt: time(),
      recentAt: time(),
      scheduledAt: random.chance(draft ? 0.5 : 0.3) ? time() : null,
      ...(type === PostType.EVENT && {
        ...eventTimes(time, random.chance(0.3), random.chance(0.3)),
        eventLocation: random.chance(0.3) ? null : this.#text(),
      }),
      hashtagIds: random.between(hashtagIds, 3),
      watchers: random.between(principals, 2),
      mentions: random.between(userIds, 1),
      commentMentions: random.between(userIds, 1),
      tasks: Array.from({ length: random.below(3) }, () => ({
        type: random.pick([TaskType.STANDARD, TaskType.ACKNOWLEDGE]),
        assignee: random.pick(principals),
        closed: random.chance(0.5),
        deleted: random.chance(0.2),
      })),
      attachments: Array.from({ length: random.below(3) }, () => this.#attachment()),
      states: random.between(userIds, 3).map((userId) => ({
        userId,
        viewedAt: random.chance(0.7) ? time() : null,
        modifiedAt: random.chance(0.4) ? time() : null,
        commentedAt: random.chance(0.4) ? time() : null,
      })),
    });
  }

  #text(): string {
    return this.#random.chance(0.7)
      ? this.#random.pick(TEXTS)
      : `${this.#random.pick(TEXTS)} ${this.#random.pick(TEXTS)}`;
  }

  #fieldsOfFiles(entityType: number): readonly FieldDefinition[] {
    if (entityType === 4) return this.#definition.fields;
    return entityType === 5 ? (this.#definition.workflow?.fields ?? []) : [];
  }

  #attachment(): LoadedPost['attachments'][number] {
    const random = this.#random;
    const [mimeType, kind] = random.pick([
      ['image/png', 1],
      ['video/mp4', 2],
      ['audio/mpeg', 3],
      ['application/pdf', 4],
      ['text/csv', 4],
      ['application/zip', 4],
    ] as const);
    const entityType = random.pick([1, 1, 1, 2, 3, 4, 5] as const);
    const fields = this.#fieldsOfFiles(entityType);
    return {
      name: `${this.#text()}.bin`,
      mimeType,
      kind,
      type: random.chance(0.8) ? 1 : 2,
      entityType,
      fieldId: fields.length > 0 ? random.pick(fields.slice(0, 2)).id : null,
      creatorId: random.pick(this.#stock.userIds),
      modifierId: random.pick(this.#stock.userIds),
      createdAt: START + random.below(40) * HOUR,
      modifiedAt: START + random.below(40) * HOUR,
      deleted: random.chance(0.15),
      hashtagIds: random.between(this.#stock.hashtagIds, 2),
    };
  }

  #values(fields: readonly FieldDefinition[]): Record<string, StoredValue> {
    const data: Record<string, StoredValue> = {};
    for (const field of fields)
      if (this.#random.chance(0.7)) data[String(field.id)] = storedValueOf(field, this.#random, this.#stock);
    return data;
  }
}

/** A random stored value of a field. */
export function storedValueOf(
  field: FieldDefinition,
  random: TestRandom,
  stock: Pick<Stock, 'userIds' | 'groupIds' | 'labelKeys' | 'gone'>,
): StoredValue {
  const ids = idsFor(field, stock);
  switch (field.type) {
    case FieldType.INT:
      return random.below(7) - 3;
    case FieldType.BIGINT:
      return random.pick([
        0,
        5,
        -7,
        4_503_599_627_370_497,
        '9007199254740993',
        '9007199254740995',
        '-9223372036854775808',
      ]);
    case FieldType.DECIMAL:
      return random.pick([0, 0.1, -1.25, 2.5, 1e15 + 0.3]);
    case FieldType.FEEDBACK:
      return random.below(6);
    case FieldType.DATE:
      return START + random.below(6) * 24 * HOUR;
    case FieldType.DATETIME:
      return START + random.below(12) * HOUR + random.below(3);
    case FieldType.FLAG:
      return random.chance(0.5);
    case FieldType.STRING:
    case FieldType.TEXT_AREA:
      return random.chance(0.03) ? `${'long '.repeat(60)}${random.below(3)}` : random.pick(TEXTS);
    case FieldType.LINK:
      return `https://example.org/${random.pick(['a', 'A', 'b%20c', 'ü'])}`;
    case FieldType.DELTA_AREA:
      return JSON.stringify([
        { insert: random.pick(TEXTS) },
        ...(random.chance(0.3) ? [{ insert: { mention: { id: '1', value: 'Ada' } } }] : []),
        { insert: '\n' },
      ]);
    case FieldType.ENUM:
    case FieldType.HIERARCHICAL_ENUM:
      return random.pick(ids);
    case FieldType.ENUM_LIST:
    case FieldType.GENERIC_ENTITY_LIST:
      return random.between(ids, 3, 1);
    default:
      return typeOf(field).sample({
        random,
        at: START,
        sentences: TEXTS,
        site: 'https://example.org',
        ids,
        metadata: field.metadata,
      })!;
  }
}

/** The ids that values of a reference field are made of. */
export function idsFor(
  field: FieldDefinition,
  stock: Pick<Stock, 'userIds' | 'groupIds' | 'labelKeys' | 'gone'>,
): number[] {
  if (holdsObjects(field)) {
    const kind = field.metadata.generic_entity_list_config_id;
    if (kind === 'core.user') return [...stock.userIds, ...stock.gone.userIds];
    if (kind === 'core.group') return [...stock.groupIds, ...stock.gone.groupIds];
    return [1, 2, 3, 4, 5, 6, ...ELSEWHERE, ERASED];
  }
  if (field.catalogId === null) return field.enumValues.map((value) => value.id);
  return [...stock.labelKeys.keys()].filter((id) => id > 0);
}

function eventTimes(time: () => number, eventAllDay: boolean, open: boolean) {
  const moment = (ms: number) => (eventAllDay ? Math.floor(ms / DAY) * DAY : ms);
  return { eventAllDay, eventStartAt: moment(time()), eventEndAt: open ? null : moment(time() + 40 * HOUR) };
}
