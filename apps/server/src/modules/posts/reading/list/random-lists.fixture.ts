/**
 * Compares lists with the naive model: random communities whose definitions change meanwhile,
 * callers, filters, operators, orders, pages and plans. Two test files share the cases, so that
 * they run in parallel.
 */
import { randomInt } from 'node:crypto';
import {
  type CommunityAttachmentFilters,
  type CommunityPostFilters,
  type CustomFieldFilter,
  DraftType,
  FieldType,
  FilterType,
  type JsonValue,
  operatorsByFieldType,
  postListFields,
  postOrders,
  sortableFieldTypes,
  Visibility,
} from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../../test/support/index.ts';
import { TestRandom } from '../../../../../test/support/random.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { type FieldDefinition, getDefinition } from '../../../communities/index.ts';
import { storedText } from '../../../fields/field-types.ts';
import { holdsIds, holdsText, type StoredValue, storedIds } from '../../../fields/index.ts';
import { readAskedFields } from '../asked-fields.ts';
import { hydratePosts } from '../hydrate-posts.ts';
import { createRandomCommunity, idsFor, type RandomCommunity, storedValueOf, TEXTS } from '../reading.fixture.ts';
import { compareSummary } from '../summary/summary-model.fixture.ts';
import { countAll, createPlanMemory } from './find-page.ts';
import { readListInput } from './list-input.ts';
import { expectedIds, type ModelQuery, shownReferences } from './list-model.fixture.ts';
import { listPostIds } from './list-posts.ts';

const POSTS = 120;
const START = Date.UTC(2025, 0, 1);
const HOUR = 3_600_000;

/** Returns a parameter for a filter on a field: nearly always a value that some post could have. */
function parameter(world: RandomCommunity, field: FieldDefinition, random: TestRandom, operator: number): JsonValue {
  const { userIds, labelKeys, gone } = world;
  const stock = { userIds, groupIds: [...world.groupMembers.keys()], labelKeys, gone };
  const value = storedValueOf(field, random, stock);
  if (holdsText(field)) {
    const text = storedText(field, value as StoredValue);
    if (operator === FilterType.EQUAL) return text;
    return random.chance(0.5)
      ? random.pick(['%', '_', 'a', 'UBER', 'zebra', 'naïve', '\\', 'two three'])
      : text.slice(random.below(3), 9);
  }
  const references = idsFor(field, stock);
  if (holdsIds(field)) {
    return random.chance(0.95) ? storedIds(value)[0]! : (references.at(-1) ?? 0) + 999;
  }
  return value as JsonValue;
}

function fieldFilters(
  world: RandomCommunity,
  fields: readonly FieldDefinition[],
  random: TestRandom,
): CustomFieldFilter[] {
  const searchable = fields.filter((field) => field.searchable);
  if (searchable.length === 0) return [];
  return Array.from({ length: random.chance(0.8) ? 1 : 2 }, () => {
    const field = random.pick(searchable);
    const typeId = random.pick(operatorsByFieldType[field.type]);
    const draw = () => parameter(world, field, random, typeId);
    if (typeId === FilterType.IS_EMPTY) return { columnId: field.id, typeId };
    if (typeId === FilterType.INTERVAL) {
      return {
        columnId: field.id,
        typeId,
        parameters: [random.chance(0.2) ? null : draw(), random.chance(0.2) ? null : draw()],
      };
    }
    const several = typeId === FilterType.IN || typeId === FilterType.IS_NULL_OR_IN;
    return { columnId: field.id, typeId, parameters: Array.from({ length: several ? 1 + random.below(3) : 1 }, draw) };
  });
}

type Draw = (world: RandomCommunity, random: TestRandom) => CommunityPostFilters;
const time = (random: TestRandom) => START + random.below(45) * HOUR;
const word = (random: TestRandom) =>
  random.pick(['uber', 'NAIVE', '%', '_b', 'a_b', 'str', 'zè', 'two three', 'мос', '会', 'x', '\\', 'o t']);

const DRAWS: readonly Draw[] = [
  (_, r) => ({ title: r.chance(0.5) ? word(r) : r.pick(TEXTS).slice(r.below(4)) }),
  (_, r) => ({ description: word(r) }),
  (_, r) => ({ containsText: r.chance(0.3) ? `${word(r)} ${word(r)}` : word(r) }),
  (w, r) => ({ createdByUserId: r.pick(w.userIds) }),
  (w, r) => ({ createdByUserIds: r.between(w.userIds, 3) }),
  (w, r) => ({ createdByGroupIds: r.between([...w.groupMembers.keys()], 2) }),
  (w, r) => ({ modifiedByUserId: r.pick(w.userIds) }),
  (_, r) => ({ creationTimestampFrom: time(r), ...(r.chance(0.5) && { creationTimestampTo: time(r) }) }),
  (_, r) => ({ modifiedTimestampTo: time(r), ...(r.chance(0.5) && { modifiedTimestampFrom: time(r) }) }),
  (_, r) => ({ followedByMe: r.chance(0.8) }),
  (_, r) => ({ toManage: r.chance(0.8) }),
  (_, r) => ({ toManageProcesses: r.chance(0.8) }),
  (_, r) => ({ toManageStandardTasks: r.chance(0.8) }),
  (_, r) => ({ mentioned: r.chance(0.8) }),
  (w, r) => ({
    currentWorkflowStatusIds: r.between(
      w.definition.workflow!.states.map((state) => state.id),
      2,
    ),
    ...(r.chance(0.4) && { includeStatelessPosts: r.chance(0.5) }),
  }),
  (_, r) => ({ postTypes: r.between([1, 2, 3], 2) }),
  (_, r) => ({ postSurveyTypes: r.between([1, 2], 2) }),
  (_, r) => ({ draftType: r.pick(Object.values(DraftType)) }),
  (_, r) => ({ draft: r.chance(0.7) }),
  (_, r) => ({
    eventPostFilter: {
      ...(r.chance(0.5) && { startDateFrom: time(r) }),
      ...(r.chance(0.3) && { startDateTo: time(r) }),
      ...(r.chance(0.3) && { endDateFrom: time(r) + 40 * HOUR }),
      ...(r.chance(0.3) && { endDateTo: time(r) + 40 * HOUR }),
      ...(r.chance(0.3) && { location: word(r) }),
    },
  }),
  (w, r) => ({ hashtagIds: r.between(w.hashtagIds, 3), ...(r.chance(0.5) && { hashtagsLogicalAnd: r.chance(0.6) }) }),
  (_, r) => ({ visibility: r.pick(Object.values(Visibility)) }),
  (_, r) => ({ onlyPinned: r.chance(0.8) }),
  (_, r) => ({ postId: 1 + r.below(POSTS) }),
  (_, r) => ({ postIds: Array.from({ length: r.below(POSTS) }, () => 1 + r.below(POSTS)) }),
  (_, r) => ({
    acknowledgeTaskFilter: {
      ...(r.chance(0.7) && { confirmed: r.chance(0.5) }),
      ...(r.chance(0.5) && { assignedToMe: r.chance(0.7) }),
    },
  }),
  (w, r) => ({ postFieldFilters: fieldFilters(w, w.definition.fields, r) }),
  (w, r) => ({ postFieldFilters: fieldFilters(w, w.definition.fields, r) }),
  (w, r) => ({ postFieldFilters: fieldFilters(w, w.definition.fields, r) }),
  (w, r) => ({ screenFieldFilters: fieldFilters(w, w.definition.workflow!.fields, r) }),
];

function attachmentFilters(world: RandomCommunity, r: TestRandom): CommunityAttachmentFilters {
  const draws: readonly (() => CommunityAttachmentFilters)[] = [
    () => ({ name: word(r) }),
    () => ({ createdByUserId: r.pick(world.userIds) }),
    () => ({ createdByUserIds: r.between(world.userIds, 3) }),
    () => ({ createdByGroupIds: r.between([...world.groupMembers.keys()], 2) }),
    () => ({ mimeTypes: r.between([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 4) }),
    () => ({ mimeTypeCategory: r.pick(['multimedia', 'other'] as const) }),
    () => ({ types: r.between([1, 2], 2) }),
    () => ({ excludeFilePickers: r.chance(0.5) }),
    () => ({ entityTypes: r.between([1, 2, 3, 4, 5], 3) }),
    () => ({ creationTimestampFrom: time(r) }),
    () => ({ modifiedTimestampTo: time(r) }),
    () => ({ modifiedByUserId: r.pick(world.userIds) }),
    () => ({ postFilePickerFieldId: world.definition.fields[r.below(2)]!.id }),
    () => ({ wfScreenFilePickerFieldId: world.definition.workflow!.fields[r.below(2)]!.id }),
    () => ({ hashtagIds: r.between(world.hashtagIds, 2), hashtagsLogicalAnd: r.chance(0.5) }),
  ];
  return Object.assign({}, ...r.between(draws, 2, 1).map((draw) => draw()));
}

function drawFilters(world: RandomCommunity, random: TestRandom, most: number): CommunityPostFilters {
  return Object.assign({}, ...random.between(DRAWS, most).map((draw) => draw(world, random)));
}

function drawQuery(world: RandomCommunity, random: TestRandom): ModelQuery {
  const sortable = [...world.definition.fields, ...world.definition.workflow!.fields].filter(
    (field) => field.sortable && sortableFieldTypes.includes(field.type),
  );
  const orderBy = random.chance(0.5) ? random.pick(postOrders) : `postCustomField-${random.pick(sortable).id}`;
  const flat = drawFilters(world, random, 3);
  return {
    flat,
    ...(random.chance(0.25) && { nested: drawFilters(world, random, 2) }),
    ...(random.chance(0.2) && { attachments: attachmentFilters(world, random) }),
    orderBy,
    orderDesc: random.chance(0.5),
    pinnedFirst: random.chance(0.5),
  };
}

/** Limits small enough that every plan is chosen with a hundred posts. */
function drawTuning(random: TestRandom) {
  return {
    countLimit: random.pick([0, 3, 20, 4_000]),
    scannedRow: random.pick([0, 0.1, 5, 1_000]),
    scanBudget: random.pick([5, 40, 20_000]),
    textScanBudget: random.pick([5, 4_000]),
    longScan: random.pick([2, 1_000]),
    memory: createPlanMemory(50),
  };
}

/**
 * Each caller reads, for each post, the references that they see, and no field whose references are
 * all hidden.
 */
async function expectShown(world: RandomCommunity, scope: Scope): Promise<void> {
  const lists = world.definition.fields.filter((field) => field.type === FieldType.GENERIC_ENTITY_LIST);
  const items = await hydratePosts(
    scope,
    world.posts.map((post) => post.id),
  );
  for (const [index, item] of items.entries()) {
    for (const field of lists) {
      const shown = item.customData?.[field.id] as { id: number }[] | undefined;
      const expected = shownReferences(world, scope.actor, field, world.posts[index]!);
      expect(
        shown?.map(({ id }) => id),
        `field ${field.id} of post ${item.id}`,
      ).toEqual(expected.length > 0 ? expected : undefined);
    }
  }
}

/** Compares `cases` random lists with the model. `PORTICO_TEST_SEED` repeats the cases of a run. */
export function testRandomLists(cases: number): void {
  const casesPerWorld = Math.min(500, cases / 4);
  const casesPerDefinition = Math.floor(casesPerWorld / 3);
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal();
  });
  afterAll(() => portal.close());

  test(
    `lists agree with the model in ${cases} random cases`,
    async () => {
      const seed = Number(process.env.PORTICO_TEST_SEED ?? randomInt(1_000_000_007));
      for (let done = 0, round = 0; done < cases; done += casesPerWorld, round++) {
        const random = new TestRandom(seed + round * 7_919);
        let world = await createRandomCommunity(portal, random, POSTS);
        const scopes = await Promise.all(world.userIds.slice(0, -1).map((id) => world.scope(id)));
        for (const scope of scopes) {
          await expectShown(world, scope);
          await expectAskedFields(world, random, scope);
        }
        for (let number = 0; number < Math.min(casesPerWorld, cases - done); number++) {
          if (number > 0 && number % casesPerDefinition === 0) world = await changeDefinition(world, random);
          await compareOneList(world, random, random.pick(scopes), `seed ${seed}, round ${round}, case ${number}`);
        }
      }
    },
    2 * 3_600_000,
  );
}

/**
 * Changes the fields by which lists filter and sort, merges two values of a choice and removes a
 * field, as the manager does.
 * @returns the community after the change
 */
async function changeDefinition(world: RandomCommunity, random: TestRandom): Promise<RandomCommunity> {
  const manager = world.userIds[0]!;
  const community = `/portal/api/admin/manage/communities/${world.communityId}`;
  const change = async (method: string, path: string, body: object) => {
    const { occToken } = (await world.tenant.request(manager, 'GET', community)).body;
    const { status, text } = await world.tenant.request(manager, method, `${community}${path}`, { ...body, occToken });
    expect(status, text).toBe(200);
  };
  const { fields } = world.definition;
  for (const { id, label, type, searchable, sortable } of random.between(fields, 4, 2))
    await change('PUT', `/fields/${id}`, {
      label,
      searchable: !searchable,
      sortable: (sortableFieldTypes as readonly FieldType[]).includes(type) && !sortable,
    });
  let posts = world.posts.map((post) => ({ ...post }));
  const choice = fields.find(({ type, catalogId }) => type === FieldType.ENUM && catalogId === null);
  const [from, to, ...others] = choice?.enumValues.filter(({ deleted }) => !deleted) ?? [];
  if (choice && from && to) {
    const enumValues = [to, ...others].map(({ id, label }) => ({ id, label }));
    const valueMapping = [{ fromId: from.id, toId: to.id }];
    await change('PUT', `/fields/${choice.id}`, { label: choice.label, enumValues, onExisting: 'map', valueMapping });
    posts = posts.map((post) =>
      post.customData[choice.id] === from.id
        ? { ...post, customData: { ...post.customData, [choice.id]: to.id } }
        : post,
    );
  }
  // A text field is never removed: the mentions and hashtags of posts would then follow from their
  // other texts, but the fixture draws them independently.
  const removed = random.pick(fields.filter((field) => field !== choice && !holdsText(field)));
  await change('POST', `/definition-fields/${removed.id}/remove`, { onExisting: 'clear' });
  const definition = await getDefinition(await world.scope(manager), world.communityId);
  return { ...world, posts, definition: definition! };
}

/**
 * The members requested by `fields` equal those of the whole post, with the references that the
 * caller sees and no others.
 */
async function expectAskedFields(world: RandomCommunity, random: TestRandom, scope: Scope): Promise<void> {
  const ids = world.posts.map((post) => post.id);
  const whole = await hydratePosts(scope, ids, { loadCapabilities: true, loadMainAttachment: true });
  for (let round = 0; round < 5; round++) {
    const names = random.between(postListFields, 5, 1);
    const single = random.between(world.definition.fields, 10).map(({ id }) => id);
    const asked = [...names, ...single.map((id) => `customData.${id}`)];
    const shown = await hydratePosts(scope, ids, {}, readAskedFields(asked, postListFields));
    const expected = whole.map((post) => {
      const kept = Object.entries(post).filter(([name]) => name === 'id' || asked.includes(name));
      if (names.includes('customData') || single.length === 0) return Object.fromEntries(kept);
      const values = Object.entries(post.customData ?? {}).filter(([id]) => single.includes(Number(id)));
      return Object.fromEntries([...kept, ['customData', Object.fromEntries(values)]]);
    });
    expect(shown, asked.join()).toEqual(expected);
  }
}

/** Draws a list, reads all its pages and its total, and compares them with the model. */
async function compareOneList(world: RandomCommunity, random: TestRandom, scope: Scope, name: string): Promise<void> {
  const query = drawQuery(world, random);
  const tuning = drawTuning(random);
  const { flat, nested, attachments, ...rest } = query;
  const body = {
    ...flat,
    ...(nested && { communityPostFilters: nested }),
    ...(attachments && { communityAttachmentFilters: attachments }),
    ...rest,
    pageSize: random.pick([7, 25, 60, 500]),
  } as Parameters<typeof listPostIds>[3];
  const expected = expectedIds(world, scope.actor, query);
  const found: number[] = [];
  let pageToken: string | undefined;
  let total: number | undefined;
  do {
    const page = await listPostIds(
      scope,
      'listCommunityPostsFiltered',
      world.communityId,
      { ...body, ...(pageToken && { pageToken }), calculateTotalItemsCount: pageToken === undefined },
      { tuning },
    );
    found.push(...page.ids);
    total ??= page.totalItemsCount;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined && found.length <= expected.length + 60);
  const label = `${name}, user ${scope.actor.userId}, ${JSON.stringify({ ...body, tuning })}`;
  expect(found, label).toEqual(expected);
  expect(total, label).toBe(expected.length);
  // A list that fits on one page gets its total without a count, so the count is tested here.
  const { query: asked } = await readListInput(body, { scope, definition: world.definition });
  const counted = await countAll({ db: scope.db, tuning }, asked);
  expect(counted, label).toBe(expected.length);
  const { orderBy: _by, orderDesc: _desc, pinnedFirst: _pinned, pageSize: _size, ...filters } = body;
  if (random.chance(0.2)) await compareSummary({ world, random, scope }, filters, expected, label);
}
