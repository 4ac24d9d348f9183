/** Restrictions of a search to values of fields, such as `supplier:"Hollow Oak"`. */
import { likePattern, normaliseText } from '@portico/platform/text';
import type { Parameters } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { type CommunityDefinition, type FieldDefinition, findEntriesByLabel } from '../communities/index.ts';
import { entityKind, holdsObjects, isChoice, textTypeOf, typeOf } from '../fields/index.ts';
import { listPeople } from '../people/index.ts';
import type { Restriction } from './parse-query.ts';

/** SQL of a boolean over the entry `e` and its post `p`. */
export type PostTest = (parameters: Parameters) => string;

/** Returns a text as it is compared: case, accents and spaces around it do not count. */
export const fold = (text: string): string => normaliseText(text).trim();

/** Returns names that equal a value, or else begin with it. */
export function named<T>(all: readonly T[], nameOf: (one: T) => string, value: string): T[] {
  const wanted = fold(value);
  const equal = all.filter((one) => fold(nameOf(one)) === wanted);
  return equal.length > 0 ? equal : all.filter((one) => fold(nameOf(one)).startsWith(wanted));
}

/** People that a name means, of those whom the caller may mention. */
const MOST_PEOPLE = 100;

/** Returns the people whom a name means, or the caller for `me`. */
export async function peopleNamed(scope: Scope, name: string): Promise<number[]> {
  if (name.toLowerCase() === 'me') return [scope.actor.userId];
  const { items = [] } = await listPeople(scope, { fullTextFilter: name, pageSize: MOST_PEOPLE });
  return items.map(({ id }) => id as number);
}

/** Words for a flag that is set, or not. */
const YES = ['true', 'yes', 'si', 'ja', 'oui', '1'];
const NO = ['false', 'no', 'nein', 'non', '0'];

/** Objects that a value of a restriction names, for fields that hold their ids. */
interface Objects {
  readonly people: readonly number[];
  /** By catalog. */
  readonly entries: ReadonlyMap<number, readonly number[]>;
}

/** Returns the fields of posts and of workflow screens. */
export const fieldsOf = ({ fields, workflow }: CommunityDefinition): FieldDefinition[] => [
  ...fields,
  ...(workflow?.fields ?? []),
];

/**
 * Returns the condition that a field has a value; fields of one name in several communities are
 * alternatives.
 * @param definitions as the caller sees them
 */
export async function fieldTest(
  scope: Scope,
  definitions: readonly CommunityDefinition[],
  { key, value }: Restriction,
): Promise<PostTest> {
  const meant = new Map<number, { field: FieldDefinition; communityIds: number[] }>();
  for (const definition of definitions) {
    for (const field of fieldsOf(definition)) {
      if (fold(field.label) !== fold(key)) continue;
      const known = meant.get(field.id);
      if (known) known.communityIds.push(definition.id);
      else meant.set(field.id, { field, communityIds: [definition.id] });
    }
  }
  const fields = [...meant.values()];
  const objects = await readObjects(
    scope,
    fields.map(({ field }) => field),
    value,
  );
  return (parameters) => {
    const tests = fields.flatMap(({ field, communityIds }) => {
      const test = valueTest(field, value, objects, parameters);
      // Communities that share a workflow share its fields: the caller may see one in some of them only.
      return test ? `(p.community_id = ANY (${parameters.add(communityIds)}::bigint[]) AND ${test})` : [];
    });
    return tests.length === 0 ? 'false' : `(${tests.join(' OR ')})`;
  };
}

async function readObjects(scope: Scope, fields: readonly FieldDefinition[], value: string): Promise<Objects> {
  const catalogs = fields.flatMap((field) => (isChoice(field) ? (field.catalogId ?? []) : []));
  const entries = catalogs.length > 0 ? await findEntriesByLabel(scope.db, catalogs, fold(value)) : [];
  const byCatalog = Map.groupBy(entries, ({ catalogId }) => catalogId);
  return {
    people: fields.some(holdsPeople) ? await peopleNamed(scope, value) : [],
    entries: new Map(
      [...byCatalog].map(([id, some]) => {
        const equal = some.filter(({ label }) => Object.values(label).some((text) => fold(text) === fold(value)));
        return [id, (equal.length > 0 ? equal : some).map((entry) => entry.id)];
      }),
    ),
  };
}

const holdsPeople = (field: FieldDefinition) => holdsObjects(field) && entityKind(field) === 'user';

/** @returns SQL; undefined where the field cannot have the value, or has no rows to look in */
function valueTest(
  field: FieldDefinition,
  value: string,
  { people, entries }: Objects,
  parameters: Parameters,
): string | undefined {
  const inRows = (table: string, test: string) =>
    `EXISTS (SELECT FROM ${table} v WHERE v.tenant_id = $1 AND v.post_id = p.id AND v.field_id = ${parameters.add(field.id)}::bigint AND ${test} OFFSET 0)`;
  const among = (ids: readonly number[]) =>
    ids.length === 0 ? undefined : inRows('post_values', `v.ref = ANY (${parameters.add(ids)}::bigint[])`);
  if (textTypeOf(field)) {
    const pattern = likePattern(fold(value));
    return inRows('post_texts_view', `v.norm LIKE ${parameters.add(pattern)} ESCAPE '\\'`);
  }
  if (isChoice(field)) {
    return among(
      field.catalogId === null
        ? named(field.enumValues, ({ label }) => label, value).map(({ id }) => id)
        : (entries.get(field.catalogId) ?? []),
    );
  }
  if (holdsPeople(field)) return among(people);
  const type = typeOf(field);
  const column = `v.${type.column}`;
  if (type.filter === 'flag') {
    const wanted = [NO, YES].findIndex((words) => words.includes(fold(value)));
    return wanted < 0 ? undefined : inRows('post_values', `${column} = ${wanted}`);
  }
  const number = Number(value.replace(',', '.'));
  if (type.filter !== 'number' || value.trim() === '' || !Number.isFinite(number)) return undefined;
  return inRows('post_values', `${column} = ${parameters.add(number)}::double precision`);
}
