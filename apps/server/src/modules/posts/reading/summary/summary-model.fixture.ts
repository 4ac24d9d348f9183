/** The expected figures of a summary, computed over the posts of a list. */
import { customFieldOrderPrefix, fieldTypes, type SummarisePostsRequest, summaryMeasures } from '@portico/contract';
import { clampedDate } from '@portico/platform/time';
import { expect } from 'vitest';
import type { LoadedPost } from '../../../../../test/support/post-loader.ts';
import type { TestRandom } from '../../../../../test/support/random.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import type { FieldDefinition } from '../../../communities/index.ts';
import { storedIds } from '../../../fields/index.ts';
import { namesPosts } from '../list/shown-references.ts';
import type { RandomCommunity } from '../reading.fixture.ts';
import { summarisePosts } from './summarise-posts.ts';

/** Returns the text keys of a post; [null] without a value. */
type KeysOf = (post: LoadedPost) => (string | null)[];

const valueIn = ({ id, owner }: FieldDefinition, post: LoadedPost): unknown =>
  (owner === 'post' ? post.customData : post.screenData)[id];

const orNone = (keys: string[]) => (keys.length > 0 ? keys : [null]);

function groupingsOf(fields: readonly FieldDefinition[], timeZone: string): [name: string, keys: KeysOf][] {
  const day = (ms: number) => clampedDate(ms).toISOString().slice(0, 10);
  const ofFields = fields.flatMap((field): [string, KeysOf][] => {
    const name = `${customFieldOrderPrefix}${field.id}`;
    const { kind } = fieldTypes[field.type];
    const value = (post: LoadedPost) => valueIn(field, post);
    const given = (post: LoadedPost) => value(post) !== undefined;
    if (kind === 'flag') return [[name, (post) => [given(post) ? String(value(post)) : null]]];
    if (kind === 'choice' || (kind === 'objects' && !namesPosts(field))) {
      return [[name, (post) => orNone(storedIds(value(post)).map(String))]];
    }
    if (kind !== 'day') return [];
    return [[`${name}.year`, (post) => [given(post) ? `${day(value(post) as number).slice(0, 4)}-01-01` : null]]];
  });
  return [
    ['currentWorkflowState', (post) => orNone(post.stateId === null ? [] : [String(post.stateId)])],
    ['creatorUser', (post) => [String(post.creatorId)]],
    ['hashtags', (post) => orNone(post.hashtagIds.map(String))],
    ['creationTimestamp.day', (post) => [new Intl.DateTimeFormat('en-CA', { timeZone }).format(post.createdAt)]],
    ...ofFields,
  ];
}

function figureOf(measure: SummarisePostsRequest['measure'], posts: number, values: readonly number[]) {
  if (measure === 'count') return posts;
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  if (measure === 'sum') return sum;
  if (measure === 'mean') return sum / values.length;
  return measure === 'least' ? Math.min(...values) : Math.max(...values);
}

/** Draws groupings and a measure, and compares the summary of a list with its posts. */
export async function compareSummary(
  { world, random, scope }: { world: RandomCommunity; random: TestRandom; scope: Scope },
  filters: SummarisePostsRequest,
  expected: readonly number[],
  label: string,
): Promise<void> {
  const fields = [...world.definition.fields, ...world.definition.workflow!.fields];
  const numbers = fields.filter(({ type }) => fieldTypes[type].kind === 'number');
  const groupings = random.between(groupingsOf(fields, scope.settings.defaultTimezone), 2);
  const measured = random.pick(numbers);
  const measure = measured ? random.pick(summaryMeasures) : 'count';
  const body: SummarisePostsRequest = {
    ...filters,
    groupBy: groupings.map(([name]) => name),
    measure,
    ...(measure !== 'count' && { measureOf: `${customFieldOrderPrefix}${measured!.id}` }),
  };
  const posts = world.posts.filter(({ id }) => expected.includes(id));
  const numbersOf = (some: readonly LoadedPost[]) =>
    some.flatMap((post) => {
      const value = measured && valueIn(measured, post);
      return value === undefined ? [] : [Number(value)];
    });
  const groups = new Map<string, LoadedPost[]>();
  for (const post of groupings.length > 0 ? posts : []) {
    const [first, second] = groupings.map(([, keys]) => keys(post));
    for (const a of first!) {
      for (const b of second ?? [undefined]) {
        const key = JSON.stringify(second ? [a, b] : [a]);
        groups.set(key, [...(groups.get(key) ?? []), post]);
      }
    }
  }
  const answer = await summarisePosts(scope, world.communityId, body);
  // Sums of this model are inexact, in proportion to the values that they add up.
  const scale = numbersOf(posts).reduce((total, value) => total + Math.abs(value), posts.length + 1);
  const digits = 11 - Math.ceil(Math.log10(scale));
  const close = (value: number | undefined) => (value === undefined ? undefined : expect.closeTo(value, digits));
  const about = `${label}, ${JSON.stringify(body)}`;
  expect({ posts: answer.postsCount, bounded: answer.bounded, value: answer.value }, about).toEqual({
    posts: posts.length,
    bounded: false,
    value: close(figureOf(measure, posts.length, numbersOf(posts))),
  });
  const found = answer.groups!.map((group) => {
    const key = JSON.stringify(group.keys!.map(({ value }) => value ?? null));
    const own = groups.get(key) ?? [];
    expect(group, `${about}, ${key}`).toMatchObject({ postsCount: own.length });
    expect(group.value, `${about}, ${key}`).toEqual(close(figureOf(measure, own.length, numbersOf(own))));
    return key;
  });
  expect(new Set(found).size, about).toBe(found.length);
  expect(found.length + (answer.other?.groupsCount ?? 0), about).toBe(groups.size);
  const memberships = [...groups.values()].reduce((total, own) => total + own.length, 0);
  const counted = [...answer.groups!, ...(answer.other ? [answer.other] : [])];
  expect(
    counted.reduce((total, { postsCount }) => total + postsCount!, 0),
    about,
  ).toBe(memberships);
}
