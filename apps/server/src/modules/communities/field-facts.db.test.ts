/**
 * Derived parts of definitions: required values, the source of entries, and the numbers of rules.
 */
import { FieldType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { createCatalogEntries, ensureCatalog } from './catalogs/ensure-catalog.ts';
import { editCatalogDeleted } from './catalogs/write-catalog.ts';
import { createStage, type Stage } from './communities.fixture.ts';
import { addField } from './define-fields.ts';
import { attachWorkflow, createWorkflow } from './define-workflow.ts';
import type { NewField } from './definition-input.ts';

let portal: TestPortal;
let on: Stage;
let communityId: number;
let reader: number;
beforeAll(async () => {
  portal = await createTestPortal();
  on = await createStage(portal);
  communityId = await on.community('C');
  reader = await on.member(communityId, 2);
});
afterAll(() => portal.close());

const add = async (field: NewField) => addField(await on.admin(), { communityId }, field);
const definition = () => on.call(reader, 'getPostDefinition', { params: { communityId } });
const shown = async (id: number) => (await definition()).fieldDefinitions!.find((field) => field.id === id)!;
const CREATE = '/portal/api/external/v2/communication/posts/manage/create-post';
const rule = (name: keyof typeof ValidationType, parameter?: string) => ({
  typeId: ValidationType[name],
  ...(parameter !== undefined && { parameter }),
});

describe('`required`', () => {
  const users = { type: FieldType.GENERIC_ENTITY_LIST, metadata: { generic_entity_list_config_id: 'core.user' } };
  const text = { type: FieldType.STRING };
  const cases: [string, boolean, Omit<NewField, 'label'>][] = [
    ['a required one', true, { ...text, required: true }],
    ['the rule alone', true, { ...text, validations: [rule('REQUIRED')] }],
    ['a least number of items', true, { ...users, validations: [rule('MIN_COUNT', '1')] }],
    ['a least number of none', false, { ...users, validations: [rule('MIN_COUNT', '0')] }],
    ['a most number of items', false, { ...users, validations: [rule('MAX_COUNT', '1')] }],
    ['a condition', false, { ...text, validations: [rule('CONDITIONAL')] }],
    ['a condition and the rule', false, { ...text, validations: [rule('REQUIRED'), rule('CONDITIONAL')] }],
    ['a condition and required', false, { ...text, required: true, validations: [rule('CONDITIONAL')] }],
    ['a condition and items', false, { ...users, validations: [rule('MIN_COUNT', '1'), rule('CONDITIONAL')] }],
    ['read-only', false, { ...text, required: true, readonly: true }],
    ['not in the form', false, { ...text, required: true, visibleInCreate: false }],
  ];

  test.each(cases)('with %s: %s, and a new post without a value is refused or not', async (name, required, field) => {
    const own = await on.community(name);
    const writer = await on.member(own, 2);
    const { id } = await addField(await on.admin(), { communityId: own }, { ...field, label: name });
    const { fieldDefinitions } = await on.call(writer, 'getPostDefinition', { params: { communityId: own } });
    expect(fieldDefinitions!.map((one) => [one.id, one.required])).toEqual([[id, required]]);
    const body = { announcement: false, title: 'T', description: 'D', descriptionFormat: 2 };
    const answer = await on.tenant.request(writer, 'POST', `${CREATE}/${own}?dryRun=true`, body);
    expect(answer.status, answer.text).toBe(required ? 400 : 200);
    if (required) expect(answer.body.validationErrors.list).toMatchObject([{ field: `customData.${id}` }]);
  });

  test('of a screen follows the rules of its fields too, and a step demands what it says', async () => {
    const own = await on.community('Stepwise');
    const writer = await on.member(own, 1);
    const made = await createWorkflow(await on.admin(), {
      title: 'W',
      states: [{ name: 'open', initial: true }, { name: 'done' }],
      screenFields: [
        { type: FieldType.STRING, label: 'plain' },
        { type: FieldType.STRING, label: 'ruled', validations: [rule('REQUIRED')] },
        { type: FieldType.STRING, label: 'conditional', validations: [rule('CONDITIONAL'), rule('REQUIRED')] },
      ],
      screens: [
        {
          name: 'S',
          fields: [{ label: 'plain', required: true }, { label: 'ruled' }, { label: 'conditional', required: true }],
        },
      ],
      transitions: [{ from: 'open', to: 'done', name: 'do', run: { roles: [1] }, screen: 'S' }],
    });
    await attachWorkflow(await on.admin(), own, made.id);
    const { workflowDefinition } = await on.call(writer, 'getPostDefinition', { params: { communityId: own } });
    const transition = workflowDefinition!.transitions![0]!;
    expect(transition.screen!.fieldMetadatas!.map(({ label, required }) => [label, required])).toEqual([
      ['plain', true],
      ['ruled', true],
      ['conditional', false],
    ]);
    const body = { announcement: false, title: 'T', description: 'D', descriptionFormat: 2 };
    const created = await on.tenant.request(writer, 'POST', `${CREATE}/${own}`, body);
    const posts = '/portal/api/external/v2/communication/posts/manage';
    const step = await on.tenant.request(
      writer,
      'POST',
      `${posts}/execute-post-workflow-operation/${created.body.postId}/${transition.id}`,
      { screenData: {}, screenOccToken: 1 },
    );
    expect(step.status, step.text).toBe(400);
    const { fields } = made;
    expect(step.body.validationErrors.list.map((error: { field: string; code: string }) => error)).toMatchObject([
      { field: `screenData.${fields.get('plain')!.id}`, code: 'REQUIRED_FIELD' },
      { field: `screenData.${fields.get('ruled')!.id}`, code: 'REQUIRED_FIELD' },
    ]);
  });
});

describe('a field that is demanded under a condition', () => {
  const rules = [ValidationType.REQUIRED, ValidationType.CONDITIONAL];
  const cases: [string, object, readonly number[]][] = [
    ['required', { required: true }, rules],
    ['rule 1', { validations: [{ validationTypeId: ValidationType.REQUIRED }] }, rules],
    ['both', { required: true, validations: [{ validationTypeId: ValidationType.REQUIRED }] }, rules],
    ['neither', {}, [ValidationType.CONDITIONAL]],
    ['required, but read-only', { required: true, readonly: true }, [ValidationType.CONDITIONAL]],
  ];

  test.each(cases)('shows rule 1 beside rule 10, written as: %s', async (name, form, expected) => {
    const own = await on.community(`Demanded ${name}`);
    const writer = await on.member(own, 2);
    const post = async (body: object) => {
      const path = `/portal/api/external/v2/admin/manage/communities/${own}/fields`;
      const answer = await on.tenant.request(on.adminId, 'POST', path, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.fieldId as number;
    };
    const flag = await post({ label: 'Flag', type: FieldType.FLAG });
    const conditions = [{ fieldId: flag, operator: 'in', values: [true] }];
    const id = await post({ label: 'Amount', type: FieldType.INT, conditions, ...form });
    const { fieldDefinitions } = await on.call(writer, 'getPostDefinition', { params: { communityId: own } });
    const { required, validations } = fieldDefinitions!.find((field) => field.id === id)!;
    expect([required, validations!.map(({ validationTypeId }) => validationTypeId)]).toEqual([false, expected]);
    expect(validations!.map(({ order }) => order)).toEqual(validations!.map((_, index) => index));
    expect(new Set(validations!.map((rule) => rule.id)).size).toBe(validations!.length);
    const customData = { [flag]: true };
    const body = { announcement: false, title: 'T', description: 'D', descriptionFormat: 2, customData };
    const answer = await on.tenant.request(writer, 'POST', `${CREATE}/${own}?dryRun=true`, body);
    expect(answer.status, answer.text).toBe(expected.length > 1 ? 400 : 200);
  });
});

describe('metadata', () => {
  test('names the catalog of a field while it is in use, and how to page one that is too large to come along', async () => {
    const small = await ensureCatalog(await on.admin(), { name: 'Small' });
    await createCatalogEntries(await on.admin(), small, [{ label: 'a' }]);
    const large = await ensureCatalog(await on.admin(), { name: 'Large' });
    await createCatalogEntries(
      await on.admin(),
      large,
      Array.from({ length: 501 }, (_, n) => ({ label: `e${n}` })),
    );
    const [few, many, none] = [
      await add({
        type: FieldType.ENUM,
        label: 'few',
        catalogId: small,
        metadata: { catalog_id: '7', generate_post_comment: 'true' },
      }),
      await add({ type: FieldType.ENUM_LIST, label: 'many', catalogId: large }),
      await add({ type: FieldType.STRING, label: 'none' }),
    ];
    expect((await shown(few.id)).metadata).toEqual({ catalog_id: String(small), generate_post_comment: 'true' });
    const paged = await shown(many.id);
    expect(paged.enumValues).toEqual([]);
    expect(paged.metadata).toEqual({
      catalog_id: String(large),
      catalog_entries_path: `/communication/settings/post-definition/catalogs/${large}/entries`,
    });
    expect((await shown(none.id)).metadata).toEqual({});
    const page = await on.tenant.request(
      reader,
      'POST',
      `/portal/api/external/v2${paged.metadata!['catalog_entries_path']}`,
      { pageSize: 500 },
    );
    expect([page.status, page.body.items.length, typeof page.body.nextPageToken]).toEqual([200, 500, 'string']);
    await editCatalogDeleted(await on.admin(), small, { deleted: true });
    const form = await on.call(on.adminId, 'getCatalogForEdit', { params: { catalogId: small } });
    expect(form.contentData).toMatchObject({ name: { en: 'Small' }, deleted: true });
    expect((await shown(few.id)).metadata).toEqual({ generate_post_comment: 'true' });
    expect((await shown(few.id)).enumValues).toMatchObject([{ label: 'a', deleted: true }]);
    await editCatalogDeleted(await on.admin(), small, { deleted: false });
    expect((await shown(few.id)).metadata).toEqual({ catalog_id: String(small), generate_post_comment: 'true' });
  });

  test('of a rating says between what numbers and in what steps, and writes keep to it', async () => {
    const own = await on.community('Ratings');
    const writer = await on.member(own, 2);
    const metadata = {
      feedback_min_value: '1',
      feedback_max_value: '5',
      feedback_step: '0.5',
      feedback_icon_type: 'star',
    };
    const [rated, open] = [
      await addField(await on.admin(), { communityId: own }, { type: FieldType.FEEDBACK, label: 'r', metadata }),
      await addField(await on.admin(), { communityId: own }, { type: FieldType.FEEDBACK, label: 'o' }),
    ];
    const { fieldDefinitions } = await on.call(writer, 'getPostDefinition', { params: { communityId: own } });
    expect(fieldDefinitions!.map((field) => field.metadata)).toEqual([metadata, { feedback_min_value: '0' }]);
    const create = async (id: number, value: number) => {
      const body = {
        announcement: false,
        title: 'T',
        description: 'D',
        descriptionFormat: 2,
        customData: { [id]: value },
      };
      return (await on.tenant.request(writer, 'POST', `${CREATE}/${own}?dryRun=true`, body)).status;
    };
    const statuses = await Promise.all([1, 3.5, 5, 0.5, 5.5, 3.25].map((value) => create(rated.id, value)));
    expect(statuses).toEqual([200, 200, 200, 400, 400, 400]);
    expect(await Promise.all([0, 99.75, -1].map((value) => create(open.id, value)))).toEqual([200, 200, 400]);
  });
});

describe('rules', () => {
  test('carry their parameter, null where there is none, and are counted from 0', async () => {
    const { id } = await add({
      type: FieldType.GENERIC_ENTITY_LIST,
      label: 'people',
      metadata: { generic_entity_list_config_id: 'core.user' },
      validations: [rule('REQUIRED'), rule('MAX_COUNT', '3')],
    });
    const common = { id: expect.any(Number), fieldId: id };
    const answer = await on.tenant.request(
      reader,
      'GET',
      `/portal/api/external/v2/communication/settings/communities/${communityId}/post-definition`,
    );
    const field = answer.body.fieldDefinitions.find((one: { id: number }) => one.id === id);
    expect(field.validations).toEqual([
      { ...common, validationTypeId: 1, parameter: null, order: 0 },
      { ...common, validationTypeId: 5, parameter: '3', order: 1 },
    ]);
  });

  test('count code points: a text of emoji is as long as it has of them', async () => {
    const own = await on.community('Lengths');
    const writer = await on.member(own, 2);
    const { id } = await addField(
      await on.admin(),
      { communityId: own },
      { type: FieldType.STRING, label: 'l', validations: [rule('MAX_LENGTH', '3')] },
    );
    const create = async (value: string) => {
      const body = { announcement: false, title: '😀'.repeat(1_000), description: 'D', descriptionFormat: 2 };
      const customData = { [id]: value };
      return on.tenant.request(writer, 'POST', `${CREATE}/${own}?dryRun=true`, { ...body, customData });
    };
    const fits = await create('😀😀😀');
    expect(fits.status, fits.text).toBe(200);
    const long = await create('😀😀😀😀');
    expect(long.body.validationErrors.list).toMatchObject([
      { code: 'CUSTOM_VALIDATION', validationTypeId: 1007, args: ['3'] },
    ]);
    expect(long.body.validationErrors.list[0].defaultMessage).toContain('3 characters (code points)');
  });
});
