import { FieldType } from '@portico/contract';
import { deltaToPlainText, parseDelta } from '@portico/platform/richtext';
import { normaliseText, searchDocument, sortKeyWithTies } from '@portico/platform/text';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { longForm } from '../../../../test/support/long-form.ts';
import { createFieldWorld, createPost, type FieldWorld, MANAGE, rows } from '../../posts/writing/writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
let targets: number[];

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
  targets = [];
  for (let index = 0; index < 3; index++) targets.push((await createPost(world, world.people.author)).postId);
});
afterAll(() => portal.close());

interface Definition {
  id: number;
  name: string;
  type: FieldType;
  searchable: boolean;
}

/** Returns values as a client may write them, by name of the field. */
function inputs(): Record<string, fc.Arbitrary<unknown>> {
  const { values, entries } = world;
  const text = fc.string({ unit: 'binary', maxLength: 30 }).map((value) => value.toWellFormed().replaceAll('\0', ''));
  const people = [world.people.author, world.people.contributor, world.people.reader, world.people.manager];
  return {
    INT: fc.integer({ min: -1000, max: 1000 }),
    BIGINT: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    DECIMAL: fc.integer({ min: -99999, max: 99999 }).map((value) => value / 100),
    DATE: fc.integer({ min: -1e12, max: 4e12 }),
    DATETIME: fc.integer({ min: -1e12, max: 4e12 }).map((ms) => new Date(ms).toISOString()),
    STRING: text.filter((value) => !value.includes('!')),
    ENUM: fc.constantFrom(...values['ENUM']!),
    ENUM_LIST: fc.subarray(entries),
    TEXT_AREA: text,
    FLAG: fc.boolean(),
    DELTA_AREA: text.map((value) => JSON.stringify([{ insert: value }])),
    FEEDBACK: fc.integer({ min: 0, max: 5 }),
    LINK: fc.webUrl(),
    PEOPLE: fc.subarray(people),
    POSTS: fc.shuffledSubarray(targets),
  };
}

it('the rows of a post equal what its stored values say, after any edits', async () => {
  const definitions = await rows<Definition>(
    world,
    'SELECT id, label AS name, type, searchable FROM fields WHERE tenant_id = $1 ORDER BY id',
  );
  const { postId } = await createPost(world, world.people.author);
  let token = 1;
  const bodies = fc.record(inputs(), { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(bodies, fc.boolean(), async (named, dataOnly) => {
      const customData = Object.fromEntries(Object.entries(named).map(([name, value]) => [world.fields[name]!, value]));
      const path = dataOnly ? 'edit-post-custom-data' : 'edit-post';
      const body = dataOnly
        ? { customData }
        : { customData, title: 'Tïtle', description: 'Text', descriptionFormat: 2 };
      const answer = await world.tenant.request(
        world.people.author,
        'PUT',
        `${MANAGE}/${path}/${postId}/${token}`,
        body,
      );
      expect(answer.status, answer.text).toBe(200);
      token = answer.body.nextOccToken;
      await compareWithModel(postId, definitions);
    }),
    { numRuns: longForm ? 1000 : 30 },
  );
});

function plainTextOf(type: number, value: string): string | undefined {
  if (type === FieldType.DELTA_AREA) return deltaToPlainText(parseDelta(value));
  const isText = [FieldType.STRING, FieldType.TEXT_AREA, FieldType.LINK].includes(type as never);
  return isText ? String(value) : undefined;
}

/** Compares the rows with a naive model of migration 0004. */
async function compareWithModel(postId: number, definitions: readonly Definition[]): Promise<void> {
  const [post] = await rows<{ data: Record<string, never>; title: string; text: string }>(
    world,
    'SELECT custom_data AS data, title, description_text AS text FROM posts WHERE tenant_id = $1 AND id = $2',
    [postId],
  );
  const { data, title, text } = post!;
  const values: unknown[] = [];
  const norms: unknown[] = [];
  const parts = [title, text];
  const grants: unknown[] = [];
  for (const { id, name, type, searchable } of definitions) {
    const value = data[id] as never;
    const plain = value === undefined ? undefined : plainTextOf(type, value);
    if (plain !== undefined) parts.push(plain);
    if (name === 'PEOPLE') for (const user of (value ?? []) as number[]) grants.push({ principal: user, field: id });
    const sortable = name === 'INT' || name === 'DATE';
    if (searchable || sortable) {
      const row = {
        field: id,
        ord: 0,
        empty: false,
        big: null as string | null,
        num: null as number | null,
        txt: null as string | null,
        ref: null as number | null,
      };
      if (value === undefined) values.push({ ...row, empty: true });
      else if (plain !== undefined) values.push({ ...row, txt: sortKeyWithTies(plain) });
      else if (Array.isArray(value))
        for (const [ord, ref] of (value as number[]).entries()) values.push({ ...row, ord, ref });
      else if (type === FieldType.ENUM || type === FieldType.HIERARCHICAL_ENUM) values.push({ ...row, ref: value });
      else if (type === FieldType.DECIMAL || type === FieldType.FEEDBACK) values.push({ ...row, num: value });
      else
        values.push({
          ...row,
          big: String(Number.isInteger(Number(value)) && typeof value !== 'boolean' ? value : Number(value)),
        });
    }
    if (searchable && plain !== undefined) norms.push({ field: id, norm: normaliseText(plain) });
  }
  const stored = await rows(
    world,
    `SELECT field_id AS field, ord, empty, big::text AS big, num, txt, ref FROM post_values
      WHERE tenant_id = $1 AND post_id = $2 ORDER BY field_id, ord`,
    [postId],
  );
  expect(stored).toEqual(values);
  expect(
    await rows(
      world,
      'SELECT field_id AS field, norm FROM post_texts_view WHERE tenant_id = $1 AND post_id = $2 ORDER BY 1',
      [postId],
    ),
  ).toEqual(norms);
  const people = await rows<{ principal: number }>(
    world,
    'SELECT principal, source_id AS field FROM post_grants WHERE tenant_id = $1 AND post_id = $2 AND source = 5 ORDER BY 1',
    [postId],
  );
  expect(people).toEqual((grants as { principal: number }[]).sort((a, b) => a.principal - b.principal));
  const [search] = await rows<{ doc: string }>(
    world,
    'SELECT doc FROM post_search_view WHERE tenant_id = $1 AND post_id = $2',
    [postId],
  );
  expect(search!.doc).toBe(searchDocument(parts));
}
