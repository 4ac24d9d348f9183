/** Values that clients should not send, as raw JSON, and bodies with a place for one. */
import type { Operation } from '@portico/contract';
import { type DeclaredName, declarations, type FieldSchema } from '@portico/contract/schemas';
import type { Objects } from './objects.fixture.ts';

const text = (value: string) => JSON.stringify(value);
const nested = (depth: number) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;
const delta = (ops: unknown) => text(JSON.stringify(ops));

/** Raw JSON of hostile values. */
export const HOSTILE: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e999',
  '-1e999',
  '1e-400',
  '2147483647',
  '2147483648',
  '-2147483649',
  '32768',
  '9007199254740991',
  '-9007199254740991',
  '9007199254740993',
  '123456789012345678901234567890',
  // Times: past the range of a Date, past year 9999, before year 1, before the range of PostgreSQL.
  '8640000000000001',
  '253402300800000',
  '-62167219200001',
  '-210866803200001',
  '-8640000000000000',
  '[]',
  '[null]',
  '[[]]',
  '[[[1]]]',
  '{}',
  '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"toString":1,"hasOwnProperty":1}',
  '{"id":1}',
  '[{"id":{"id":1}}]',
  nested(15),
  nested(40),
  `[${Array.from({ length: 10_000 }, (_, index) => index - 5_000).join(',')}]`,
  `[${Array.from({ length: 1_001 }, () => '"x"').join(',')}]`,
  '[1,1,1]',
  '[-1]',
  '["1"]',
  '[9007199254740991]',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  text('\uffff\ufffe'),
  text('\u202e\u2066evil\u2069'),
  text('👩‍👩‍👧‍👦'.repeat(50)),
  text(`e${'\u0301'.repeat(2_000)}`),
  text('x'.repeat(300)),
  text('x'.repeat(100_000)),
  text('ﷺ'.repeat(5_000)),
  text(''),
  text(' \t\n'),
  text("'; DROP TABLE posts; --"),
  text("' OR '1'='1"),
  text('%_\\%'),
  text('$1 $2 {{x}} :x'),
  text('__proto__'),
  text('constructor'),
  text('[('),
  text('(a+)+$'),
  text('\\'),
  text('../../../../etc/passwd'),
  text('javascript:alert(1)'),
  text('<script>alert(1)</script>'),
  text('NaN'),
  text('Infinity'),
  text('1e400'),
  text('99999999999999999999'),
  text('-9223372036854775809'),
  text('0x10'),
  text('+275760-09-14T00:00:00Z'),
  text('-271821-04-19'),
  text('0000-00-00'),
  text('0000-01-01T00:00:00Z'),
  text('2027-02-30'),
  text('2027-01-01T25:61:61Z'),
  text('9999-12-31T23:59:60Z'),
  text('294277-01-01'),
  text('2027-03-28T02:30'),
  text('Europe/Nowhere'),
  text('+99:99'),
  text('a@b@c'),
  text('postCustomField-99999999999999999999'),
  text('postCustomField--1'),
  text('not.a.token'),
  text('f'.repeat(64)),
  delta('x'),
  delta(null),
  delta({ ops: null }),
  delta([{ insert: 1 }]),
  delta([{ insert: 'a\n', attributes: { __proto__: null, link: 'javascript:x' } }]),
  delta([{ insert: { mention: { id: '9007199254740993', value: 'x' } } }, { insert: '\n' }]),
  delta([{ insert: { mention: { id: { a: 1 }, value: ['x'] } } }, { insert: '\n' }]),
  delta([{ insert: { hashtag: { value: '\u0000' } } }, { insert: '\n' }]),
  delta([{ insert: 'a\u0000\ud800\n' }]),
  delta([{ retain: 5 }, { delete: 3 }]),
  delta([{ insert: { image: 'data:text/html,x' } }, { insert: '\n' }]),
  text('['.repeat(20_000)),
  text(`[${'{"insert":"a"},'.repeat(20_000)}{"insert":"\\n"}]`),
];

/** Stands where the hostile value goes. */
export const MARK = '@hostile@';

/** A body with one place to put something. */
export interface Target {
  path: string;
  body: unknown;
}

/** Returns a more or less acceptable value for a field: enough that a body is read to its end. */
function plausible(field: string, schema: FieldSchema, own: Objects, depth: number): unknown {
  if (schema.$ref) return depth > 3 ? {} : full(schema.$ref.slice(0, -1) as DeclaredName, own, depth + 1);
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'array':
      return [plausible(field, schema.items ?? {}, own, depth)];
    case 'integer':
      return (own as unknown as Record<string, number>)[field.replace(/s$/, '')] ?? 1;
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'string':
      return 'text';
    default:
      return /customData|screenData/i.test(field) ? {} : {};
  }
}

function full(name: DeclaredName, own: Objects, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<FieldSchema>(declarations[name].fields).map(([field, schema]) => [
      field,
      plausible(field, schema, own, depth),
    ]),
  );
}

/** Every place of an operation's body: fields at any depth, elements of lists, members of maps, and the body itself. */
export function targetsOf(
  operation: Operation,
  accepted: Record<string, unknown>,
  own: Objects,
  fieldIds: readonly number[],
): Target[] {
  if (operation.body === null) return [{ path: '$', body: MARK }];
  const targets: Target[] = [{ path: '$', body: MARK }];
  const visit = (name: DeclaredName, path: string, wrap: (value: unknown) => unknown, depth: number) => {
    for (const [field, schema] of Object.entries<FieldSchema>(declarations[name].fields)) {
      const at = path === '' ? field : `${path}.${field}`;
      const put = (value: unknown) => wrap({ ...(depth > 0 && full(name, own, 2)), [field]: value });
      targets.push({ path: at, body: put(MARK) });
      if (schema.$ref && depth < 3) visit(schema.$ref.slice(0, -1) as DeclaredName, at, put, depth + 1);
      if (schema.type === 'array') {
        targets.push({ path: `${at}[]`, body: put([MARK]) });
        const item = schema.items?.$ref;
        if (item && depth < 3) visit(item.slice(0, -1) as DeclaredName, `${at}[]`, (v) => put([v]), depth + 1);
      }
      if (schema.type === 'object' || schema.additionalProperties !== undefined) {
        for (const id of [...fieldIds, '__proto__', 'x', '1e3']) {
          targets.push({ path: `${at}.${id}`, body: put({ [String(id)]: MARK }) });
        }
      }
      if (/FieldFilters$/.test(field)) {
        for (const id of fieldIds) {
          for (let typeId = 1; typeId <= 7; typeId++) {
            const filter = { columnId: id, typeId };
            targets.push({ path: `${at}[${id},${typeId}]`, body: put([{ ...filter, parameters: [MARK] }]) });
            if (typeId === 2)
              targets.push({ path: `${at}[${id},2,2]`, body: put([{ ...filter, parameters: [null, MARK] }]) });
          }
        }
      }
    }
  };
  visit(operation.body as DeclaredName, '', (value) => ({ ...accepted, ...(value as object) }), 0);
  return targets;
}

/** The text of a body with the hostile value in its place. */
export function withHostile(body: unknown, raw: string): string {
  const own = JSON.stringify(body);
  return own.replaceAll(JSON.stringify(MARK), () => raw);
}
