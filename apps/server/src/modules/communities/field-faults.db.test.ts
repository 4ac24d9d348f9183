/** Forms reject bounds that no value satisfies, and values that people cannot tell apart. */
import { FieldType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../test/support/index.ts';
import { addField } from './define-fields.ts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
let communityId: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  const { workspaceId } = await ok('POST', '/manage/workspaces', { name: 'Workspace' });
  ({ communityId } = await ok('POST', '/manage/communities', { workspaceId, name: 'Purchasing' }));
});
afterAll(() => portal?.close());

const send = (method: string, path: string, body?: object) =>
  tenant.request(admin, method, `/portal/api/admin${path}`, body);
async function ok(method: string, path: string, body?: object) {
  const { status, body: answer, text } = await send(method, path, body);
  expect(status, text).toBe(200);
  return answer;
}
async function faults(method: string, path: string, body: object): Promise<string[][]> {
  const { status, body: answer, text } = await send(method, path, body);
  expect(status, text).toBe(400);
  const list = answer.validationErrors.list as { field: string; code: string; defaultMessage: string }[];
  return list.map(({ field, code, defaultMessage }) => [field, code, defaultMessage]);
}
const refused = async (method: string, path: string, body: object) =>
  (await faults(method, path, body)).map(([field, code]) => [field, code]);
const fields = () => `/manage/communities/${communityId}/fields`;

const rules = (min: ValidationType, least: string, max: ValidationType, most: string) => [
  { validationTypeId: min, parameter: least },
  { validationTypeId: max, parameter: most },
];
const { MIN_VALUE, MAX_VALUE, MIN_LENGTH, MAX_LENGTH, MIN_COUNT, MAX_COUNT, DATE_MIN, DATE_MAX } = ValidationType;

test('patterns have a greatest length and a greatest program, whatever text they are matched with', async () => {
  const label = 'Pattern';
  const form = (parameter: string) => ({
    label,
    type: FieldType.STRING,
    validations: [{ validationTypeId: ValidationType.PATTERN, parameter }],
  });
  const place = ['validations[0].parameter', 'INVALID_VALUE'];
  const large = await faults('POST', fields(), form(`${'(.?){1000}'.repeat(20)}z`));
  expect(large).toEqual([[...place, expect.stringContaining('at most 2500 instructions')]]);
  const long = await faults('POST', fields(), form('a'.repeat(1_001)));
  expect(long).toEqual([[...place, 'A pattern has at most 1000 characters.']]);
  const { fieldId } = await ok('POST', fields(), form('[a-z]{0,1000}'));
  const { type: _type, ...kept } = await ok('GET', `${fields()}/${fieldId}`);
  const edited = { ...kept, validations: form('(.?){1000}').validations };
  expect(await faults('PUT', `${fields()}/${fieldId}`, edited)).toEqual(large);
  // A pattern older than the limits stays with the field. A text whose match cannot be decided
  // within the limits is rejected.
  const db = portal.services.databases.for(tenant.tenant.id);
  await db.execute('UPDATE field_validations SET parameter = $2 WHERE tenant_id = $1 AND field_id = $3', [
    db.tenantId,
    form(`${'(.?){1000}'.repeat(20)}z`).validations[0]!.parameter,
    fieldId,
  ]);
  await ok('POST', fields(), { label: 'Makes a new version of the definition', type: FieldType.INT });
  const { type: _sameType, ...found } = await ok('GET', `${fields()}/${fieldId}`);
  expect(found.validations[0].parameter).toHaveLength(201);
  await ok('PUT', `${fields()}/${fieldId}`, found);
  const post = { title: 'T', customData: { [fieldId]: 'x'.repeat(1_000) } };
  const answer = await tenant.request(
    admin,
    'POST',
    `/portal/api/communication/posts/manage/create-post/${communityId}`,
    post,
  );
  expect(answer.status, answer.text).toBe(400);
  expect(answer.body.validationErrors.list).toMatchObject([
    {
      code: 'CUSTOM_VALIDATION',
      customFieldId: fieldId,
      defaultMessage: expect.stringContaining('ask a manager to simplify the pattern'),
    },
  ]);
});

describe('bounds', () => {
  test.each([
    [FieldType.INT, rules(MIN_VALUE, '5', MAX_VALUE, '3'), rules(MIN_VALUE, '3', MAX_VALUE, '3')],
    [FieldType.DECIMAL, rules(MIN_VALUE, '-1.5', MAX_VALUE, '-1.75'), rules(MIN_VALUE, '-1.75', MAX_VALUE, '10')],
    [FieldType.STRING, rules(MIN_LENGTH, '10', MAX_LENGTH, '9'), rules(MIN_LENGTH, '9', MAX_LENGTH, '10')],
    [FieldType.ENUM_LIST, rules(MIN_COUNT, '2', MAX_COUNT, '1'), rules(MIN_COUNT, '1', MAX_COUNT, '2')],
    [
      FieldType.DATE,
      rules(DATE_MIN, '2026-12-31', DATE_MAX, '2026-01-01'),
      rules(DATE_MIN, '2026-01-01', DATE_MAX, '2026-12-31'),
    ],
    [FieldType.DATETIME, rules(DATE_MIN, 'now+7', DATE_MAX, 'now'), rules(DATE_MIN, 'now+7', DATE_MAX, '2020-01-01')],
  ])('of fields of type %i are not crossed', async (type, crossed, kept) => {
    const [{ parameter: least }, { parameter: most, validationTypeId }] = crossed as [
      (typeof crossed)[0],
      (typeof crossed)[0],
    ];
    const name = Object.entries(ValidationType).find(([, id]) => id === validationTypeId)![0];
    const fault = (at: string) => [
      `${at}.parameter`,
      'INVALID_VALUE',
      `${name} must not be below ${name.replace('MAX', 'MIN')}: ${most} is below ${least}.`,
    ];
    const label = `Field ${type}`;
    expect(await faults('POST', fields(), { label, type, validations: crossed })).toEqual([fault('validations[1]')]);
    const { fieldId } = await ok('POST', fields(), { label, type, validations: kept });
    const form = await ok('GET', `${fields()}/${fieldId}`);
    const { type: _type, ...same } = form;
    expect(await faults('PUT', `${fields()}/${fieldId}`, { ...same, validations: crossed.toReversed() })).toEqual([
      fault('validations[0]'),
    ]);
    await ok('PUT', `${fields()}/${fieldId}`, same);
  });

  test('of ratings are not crossed', async () => {
    const rating = (least: string, most: string) => ({
      ...{ label: 'Rating', type: FieldType.FEEDBACK },
      metadata: { feedback_min_value: least, feedback_max_value: most },
    });
    expect(await faults('POST', fields(), rating('5', '3'))).toEqual([
      ['metadata.feedback_max_value', 'INVALID_VALUE', 'It must not be below feedback_min_value: 3 is below 5.'],
    ]);
    await ok('POST', fields(), rating('3', '5'));
  });

  test('of numbers have a unit or a currency', async () => {
    const price = (metadata: object) => ({ label: 'Price', type: FieldType.DECIMAL, metadata });
    expect(await faults('POST', fields(), price({ unit: 'kg', currency: 'EUR' }))).toEqual([
      ['metadata.unit', 'INVALID_VALUE', 'A field has a unit or a currency, not both.'],
    ]);
    expect(await faults('POST', fields(), price({ currency: 'Euro' }))).toEqual([
      ['metadata.currency', 'INVALID_VALUE', 'A code of ISO 4217 in capital letters, such as EUR.'],
    ]);
    const { fieldId } = await ok('POST', fields(), price({ currency: 'EUR' }));
    expect((await ok('GET', `${fields()}/${fieldId}`)).metadata).toEqual({ currency: 'EUR' });
  });
});

describe('values', () => {
  test('have different labels in each language', async () => {
    const field = (enumValues: object[]) => ({ label: 'Colour', type: FieldType.ENUM, enumValues });
    expect(
      await faults(
        'POST',
        fields(),
        field([
          { label: 'Red', translations: { it: 'Rosso' } },
          { label: ' Red ', translations: { it: 'Amaranto' } },
          { label: 'Crimson', translations: { it: 'Rosso', de: 'Rot' } },
        ]),
      ),
    ).toEqual([
      ['enumValues[1].label', 'DUPLICATE_VALUE', expect.stringContaining('"Red"')],
      ['enumValues[2].translations.it', 'DUPLICATE_VALUE', expect.stringContaining('"Rosso"')],
    ]);
    // A value that can no longer be chosen does not count as a duplicate.
    const { fieldId } = await ok('POST', fields(), field([{ label: 'Red', deleted: true }, { label: 'Red' }]));
    const { type: _type, ...form } = await ok('GET', `${fields()}/${fieldId}`);
    const enumValues = [...form.enumValues, { label: 'Red' }];
    expect(await refused('PUT', `${fields()}/${fieldId}`, { ...form, enumValues })).toEqual([
      ['enumValues[2].label', 'DUPLICATE_VALUE'],
    ]);
    // The same label below different values of the parent field is a different value.
    const kinds = await ok('POST', fields(), { ...field([{ label: 'Light' }, { label: 'Dark' }]), label: 'Kind' });
    const [light, dark] = kinds.enumValueIds;
    const below = (...parents: number[][]) => ({
      ...{ label: 'Shade', type: FieldType.HIERARCHICAL_ENUM, parentId: kinds.fieldId },
      enumValues: parents.map((parentIds) => ({ label: 'Other', parentIds })),
    });
    expect(await refused('POST', fields(), below([light], [dark, light]))).toEqual([
      ['enumValues[1].label', 'DUPLICATE_VALUE'],
    ]);
    await ok('POST', fields(), below([light], [dark]));
  });
});

test('a field that has faults is read, edited and exported, and gets no other one', async () => {
  const { id } = await addField(
    await tenant.scope(admin),
    { communityId },
    {
      ...{ label: 'Size', externalId: 'size', type: FieldType.ENUM_LIST, enumValues: [{ label: 'S' }, { label: 'S' }] },
      validations: [
        { typeId: MIN_COUNT, parameter: '2' },
        { typeId: MAX_COUNT, parameter: '1' },
      ],
    },
  );
  const edit = async (change: object) => {
    const { type: _type, ...form } = await ok('GET', `${fields()}/${id}`);
    return { ...form, ...change };
  };
  await ok('PUT', `${fields()}/${id}`, await edit({ label: 'Sizes' }));
  expect(
    await refused('PUT', `${fields()}/${id}`, await edit({ validations: rules(MIN_COUNT, '3', MAX_COUNT, '1') })),
  ).toEqual([['validations[1].parameter', 'INVALID_VALUE']]);
  const { enumValues } = await edit({});
  expect(
    await refused('PUT', `${fields()}/${id}`, await edit({ enumValues: [...enumValues, { label: 'S' }] })),
  ).toEqual([['enumValues[2].label', 'DUPLICATE_VALUE']]);
  const file = await ok('GET', `/manage/communities/${communityId}/file`);
  const relabelled = (label: string) => ({
    ...file,
    fields: file.fields.map((field: { label: string }) => (field.label === 'Sizes' ? { ...field, label } : field)),
  });
  await ok('POST', '/manage/community-plans', { file: relabelled('Size') });
  expect((await ok('POST', '/data/community-plans', { file: relabelled('Size') })).changes).toEqual([]);
});

test('files and workflows are refused for the same', async () => {
  const file = await ok('GET', `/manage/communities/${communityId}/file`);
  const faulty = {
    ...{ key: 'length', label: 'Length', type: 'INT' },
    rules: [
      { rule: 'MIN_VALUE', parameter: '5' },
      { rule: 'MAX_VALUE', parameter: '3' },
    ],
  };
  const doubled = {
    key: 'tone',
    label: 'Tone',
    type: 'ENUM',
    values: [
      { key: 'a', label: 'A' },
      { key: 'b', label: 'A' },
    ],
  };
  const at = file.fields.length;
  const wanted = (field: object) => ({ file: { ...file, fields: [...file.fields, field] } });
  expect(await refused('POST', '/manage/community-plans', wanted(faulty))).toEqual([
    [`file.fields[${at}].rules[1].parameter`, 'INVALID_VALUE'],
  ]);
  expect(await refused('POST', '/manage/community-plans', wanted(doubled))).toEqual([
    [`file.fields[${at}].values[1].label`, 'DUPLICATE_VALUE'],
  ]);
  const screenFields = [
    { label: 'Length', type: FieldType.INT, validations: rules(MIN_VALUE, '5', MAX_VALUE, '3') },
    { label: 'Tone', type: FieldType.ENUM, enumValues: [{ label: 'A' }, { label: 'A' }] },
  ];
  expect(
    await refused('POST', `/manage/communities/${communityId}/workflow`, {
      title: 'Flow',
      states: [{ name: 'Open', initial: true }],
      screenFields,
    }),
  ).toEqual([
    ['screenFields[0].validations[1].parameter', 'INVALID_VALUE'],
    ['screenFields[1].enumValues[1].label', 'DUPLICATE_VALUE'],
  ]);
});
