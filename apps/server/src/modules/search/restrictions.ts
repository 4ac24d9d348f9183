/** Restrictions of a search: of its text, such as `in:support`, and of the members of the request. */
import { type SearchRequest, searchLimits } from '@portico/contract';
import type { Scope } from '../../kernel/scope.ts';
import type { CommunityDefinition } from '../communities/index.ts';
import { fieldsOf, fieldTest, fold, named, type PostTest, peopleNamed } from './field-restrictions.ts';
import type { Restriction } from './parse-query.ts';

/** Restrictions as they apply. */
export interface Restrictions {
  /** Communities to search. */
  readonly communityIds: readonly number[];
  /** Epoch milliseconds. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Conditions on the entry or its post. */
  readonly tests: readonly PostTest[];
  /** Parts of the text that name nothing known. */
  readonly ignored: readonly string[];
}

/** Conditions of `has:`. */
const HELD: Readonly<Record<string, string>> = {
  file: 'p.attachments_count > 0',
  image: 'p.image_attachments_count > 0',
  comment: 'p.comments_count > 0',
  task: 'p.tasks_count > 0',
};
const KEYS = ['in', 'by', 'state', 'before', 'after', 'has'];

/** Returns a function that says whether a word names a restriction. */
export function restrictionKeys(definitions: Iterable<CommunityDefinition>): (key: string) => boolean {
  const labels = new Set(
    [...definitions].flatMap((definition) => fieldsOf(definition).map(({ label }) => fold(label))),
  );
  return (key) => KEYS.includes(key.toLowerCase()) || labels.has(fold(key));
}

/**
 * Reads the restrictions of a search.
 * @param definitions of the communities of the actor, as they see them
 */
export async function readRestrictions(
  scope: Scope,
  request: SearchRequest,
  all: readonly Restriction[],
  definitions: readonly CommunityDefinition[],
): Promise<Restrictions> {
  // Each may cost a statement, and a condition on every entry.
  const given = all.slice(0, searchLimits.terms);
  const ignored = all.slice(searchLimits.terms).map(({ text }) => text);
  const tests: PostTest[] = [];
  const { communityIds, stateNames = [] } = request;
  const asked = new Set(communityIds);
  let communities = definitions.filter(({ id }) => asked.size === 0 || asked.has(id));
  let { from, to } = request;
  const values = (key: string) => given.filter((one) => one.key.toLowerCase() === key);
  const inside = values('in').flatMap((one) => {
    const found = named(communities, ({ community }) => community.name, one.value);
    if (found.length === 0) ignored.push(one.text);
    return found;
  });
  if (inside.length > 0) communities = communities.filter((one) => inside.includes(one));
  const states = values('state').map((one) => ({ ...one, ids: stateIds(communities, [one.value]) }));
  for (const { ids, text } of states) if (ids.length === 0) ignored.push(text);
  const wanted = states.flatMap(({ ids }) => ids);
  if (wanted.length > 0) tests.push(amongStates(wanted));
  if (stateNames.length > 0) tests.push(amongStates(stateIds(communities, stateNames)));
  for (const one of values('before')) {
    const moment = readDay(one.value);
    if (moment === undefined) ignored.push(one.text);
    else to = Math.min(to ?? moment, moment);
  }
  for (const one of values('after')) {
    const moment = readDay(one.value);
    if (moment === undefined) ignored.push(one.text);
    else from = Math.max(from ?? moment, moment);
  }
  for (const one of values('has')) {
    const held = HELD[one.value.toLowerCase()];
    if (held) tests.push(() => held);
    else ignored.push(one.text);
  }
  const people = await Promise.all(
    values('by').map(async (one) => ({ ...one, ids: await peopleNamed(scope, one.value) })),
  );
  for (const { ids, text } of people) if (ids.length === 0) ignored.push(text);
  const authors = people.flatMap(({ ids }) => ids);
  if (authors.length > 0) tests.push((parameters) => `e.author_id = ANY (${parameters.add(authors)}::bigint[])`);
  const ofFields = given.filter(({ key }) => !KEYS.includes(key.toLowerCase()));
  tests.push(...(await Promise.all(ofFields.map((one) => fieldTest(scope, communities, one)))));
  return { communityIds: communities.map(({ id }) => id), from, to, tests, ignored };
}

const amongStates =
  (ids: readonly number[]): PostTest =>
  (parameters) =>
    `p.state_id = ANY (${parameters.add([...new Set(ids)])}::bigint[])`;

/** @returns the states whose names equal a name, or else begin with it, for each name */
function stateIds(definitions: readonly CommunityDefinition[], names: readonly string[]): number[] {
  const states = definitions
    .flatMap(({ workflow }) => workflow?.states ?? [])
    .map(({ id, name }) => ({ id, name: fold(name) }));
  return [...new Set(names.map(fold))].flatMap((wanted) => {
    const equal = states.filter(({ name }) => name === wanted);
    const meant = equal.length > 0 ? equal : states.filter(({ name }) => name.startsWith(wanted));
    return meant.map(({ id }) => id);
  });
}

const DAY = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;

/** @returns the begin of a day, month or year in UTC, epoch milliseconds */
function readDay(text: string): number | undefined {
  const [, year, month = '1', day = '1'] = DAY.exec(text) ?? [];
  if (year === undefined) return undefined;
  const moment = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const date = new Date(moment);
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? moment : undefined;
}
