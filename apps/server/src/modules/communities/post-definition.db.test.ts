import { EditContextType, FieldType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { rolledBack } from '../../../test/support/rolled-back.ts';
import { createCatalogEntries, ensureCatalog } from './catalogs/ensure-catalog.ts';
import { createStage, failure, faults, type Stage } from './communities.fixture.ts';
import { addField } from './define-fields.ts';
import { putCommunityRelation, putPostView } from './define-views.ts';
import { attachWorkflow, createWorkflow } from './define-workflow.ts';
import type { NewField } from './definition-input.ts';
import { ensureHashtags } from './ensure-hashtags.ts';
import { setCommunityRole } from './set-community-roles.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(async () => {
  await portal.close();
});

/** Creates countries and cities: Italy and France with two cities each. */
async function geography(on: Stage) {
  const countries = await ensureCatalog(await on.admin(), { name: { en: 'Countries' } });
  const cities = await ensureCatalog(await on.admin(), { name: { en: 'Cities' }, parentId: countries });
  const [italy, france] = await createCatalogEntries(await on.admin(), countries, [
    { label: 'Italy' },
    { label: 'France' },
  ]);
  const [rome, milan, paris, lyon, nowhere] = await createCatalogEntries(await on.admin(), cities, [
    { label: 'Rome', parentIds: [italy!] },
    { label: 'Milan', parentIds: [italy!] },
    { label: 'Paris', parentIds: [france!] },
    { label: 'Lyon', parentIds: [france!] },
    { label: 'Nowhere' },
  ]);
  return {
    countries,
    cities,
    italy: italy!,
    france: france!,
    rome: rome!,
    milan: milan!,
    paris: paris!,
    lyon: lyon!,
    nowhere: nowhere!,
  };
}

describe('a post definition', () => {
  test('shows fields of all types with their values, rules and metadata', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C', { attachmentMaxSize: 1_000_000, titleEnabled: 2 });
    const reader = await on.member(communityId, 3);
    const { countries } = await geography(on);
    const add = async (field: NewField) => addField(await on.admin(), { communityId }, field);
    const plain = await add({
      type: FieldType.STRING,
      label: 'Code',
      externalId: 'code',
      description: 'Four letters',
      required: true,
      sortable: true,
      validations: [
        { typeId: ValidationType.MAX_LENGTH, parameter: '4' },
        { typeId: ValidationType.PATTERN, parameter: '[A-Z]+' },
      ],
    });
    const size = await add({
      type: FieldType.ENUM,
      label: 'Size',
      enumValues: [{ label: 'S', externalId: 's' }, { label: 'M' }, { label: 'L', deleted: true }],
    });
    const fit = await add({
      type: FieldType.HIERARCHICAL_ENUM,
      label: 'Fit',
      parentId: size.id,
      enumValues: [{ label: 'tight', parents: ['S', size.enumValueIds[1]!] }],
    });
    const country = await add({ type: FieldType.ENUM_LIST, label: 'Countries', catalogId: countries });
    const link = await add({ type: FieldType.LINK, label: 'Page' });
    const metadataOf: Partial<Record<FieldType, Record<string, string>>> = {
      [FieldType.GENERIC_ENTITY_LIST]: { generic_entity_list_config_id: 'core.user', extends_post_visibility: 'true' },
      [FieldType.FEEDBACK]: { feedback_max_value: '5' },
    };
    for (const type of Object.values(FieldType)) {
      await add({ type, label: `Type ${type}`, metadata: metadataOf[type] ?? {} });
    }
    const definition = await on.call(reader, 'getPostDefinition', { params: { communityId } });
    expect(definition).toMatchObject({
      communityId,
      titleEnabled: 2,
      descriptionEnabled: 1,
      watchersEnabled: 1,
      hashTagEnabled: true,
      attachmentMaxSize: 1_000_000,
      defaultPostVisibility: 2,
      workflowDefinition: { states: [], transitions: [], screenFieldMetadatas: [], empty: true },
      hashtags: [],
      postViews: [],
      communityRelations: [],
      inverseCommunityRelations: [],
    });
    const fields = definition.fieldDefinitions!;
    expect(fields).toHaveLength(20);
    const byId = new Map(fields.map((field) => [field.id, field]));
    expect(byId.get(plain.id)).toEqual({
      id: plain.id,
      name: `column_${plain.id}`,
      label: 'Code',
      description: '[{"insert":"Four letters\\n"}]',
      type: FieldType.STRING,
      required: true,
      readonly: false,
      searchable: true,
      sortable: true,
      visibleInPreview: true,
      visibleInDetail: true,
      visibleInCreate: true,
      visibleInEdit: true,
      externalId: 'code',
      enumValues: [],
      metadata: {},
      validations: [
        { id: expect.any(Number), fieldId: plain.id, validationTypeId: 1007, parameter: '4', order: 0 },
        { id: expect.any(Number), fieldId: plain.id, validationTypeId: 1008, parameter: '[A-Z]+', order: 1 },
      ],
    });
    expect(byId.get(size.id)!.enumValues).toEqual([
      { id: size.enumValueIds[0], label: 'S', externalId: 's', parentIds: [], deleted: false },
      { id: size.enumValueIds[1], label: 'M', externalId: '', parentIds: [], deleted: false },
      { id: size.enumValueIds[2], label: 'L', externalId: '', parentIds: [], deleted: true },
    ]);
    expect(byId.get(fit.id)).toMatchObject({
      parentId: size.id,
      enumValues: [{ parentIds: size.enumValueIds.slice(0, 2) }],
    });
    expect(byId.get(country.id)!.enumValues!.map((value) => value.label)).toEqual(['France', 'Italy']);
    expect(byId.get(link.id)).toMatchObject({ readonly: true, visibleInCreate: false, visibleInEdit: false });
    expect(
      definition.fieldDefinitions!.find((field) => field.type === FieldType.GENERIC_ENTITY_LIST)!.metadata,
    ).toEqual({
      generic_entity_list_config_id: 'core.user',
      extends_post_visibility: 'true',
    });
  });

  test('shows the workflow with states, transitions and screens', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const manager = await on.member(communityId, 1);
    const workflow = await createWorkflow(await on.admin(), {
      title: 'Review',
      states: [
        { name: 'Open', initial: true, color: '#12fea4', externalId: 'open' },
        { name: 'Closed', terminal: true, screen: 'Verdict', edit: { roles: [1] } },
      ],
      screenFields: [
        { type: FieldType.ENUM, label: 'Verdict', enumValues: [{ label: 'good' }, { label: 'bad' }] },
        {
          type: FieldType.TEXT_AREA,
          label: 'Why',
          validations: [{ typeId: ValidationType.MIN_LENGTH, parameter: '3' }],
        },
      ],
      screens: [
        { name: 'Verdict', message: 'Say why', fields: [{ label: 'Why', required: true }, { label: 'Verdict' }] },
      ],
      transitions: [{ name: 'Close', from: 'Open', to: 'Closed', screen: 'Verdict', run: { byAuthor: true } }],
    });
    await attachWorkflow(await on.admin(), communityId, workflow.id);
    const { workflowDefinition } = await on.call(manager, 'getPostDefinition', { params: { communityId } });
    const open = {
      id: workflow.states.get('Open'),
      initState: true,
      name: 'Open',
      metadata: { color: '#12fea4' },
      terminal: false,
      deleted: false,
      externalId: 'open',
    };
    const closed = {
      id: workflow.states.get('Closed'),
      initState: false,
      name: 'Closed',
      metadata: {},
      terminal: true,
      deleted: false,
    };
    expect(workflowDefinition).toMatchObject({
      id: workflow.id,
      title: 'Review',
      empty: false,
      states: [open, closed],
    });
    const [transition] = workflowDefinition!.transitions!;
    expect(transition).toMatchObject({
      id: workflow.transitionIds[0],
      name: 'Close',
      fromState: open,
      toState: closed,
    });
    expect(transition!.screen).toMatchObject({ name: 'Verdict', message: 'Say why' });
    expect(transition!.screen!.fieldMetadatas!.map((field) => [field.label, field.required])).toEqual([
      ['Why', true],
      ['Verdict', false],
    ]);
    expect(transition!.screen!.fieldMetadatas![0]!.validations).toHaveLength(1);
    expect(workflowDefinition!.screenFieldMetadatas!.map((field) => field.label)).toEqual(['Verdict', 'Why']);
    expect(workflowDefinition!.screenFieldMetadatas![0]!.enumValues!.map((value) => value.label)).toEqual([
      'good',
      'bad',
    ]);
  });

  test('shows hashtags, views, and relations of which the caller sees both ends', async () => {
    const on = await createStage(portal);
    const source = await on.community('Source');
    const target = await on.community('Target');
    const hidden = await on.community('Hidden');
    const reader = await on.member(source, 3);
    await setCommunityRole(await on.admin(), target, [reader], 3);
    await ensureHashtags(await on.admin(), source, ['b', 'a']);
    const field = await addField(await on.admin(), { communityId: target }, { type: FieldType.INT, label: 'N' });
    const viewId = await putPostView(await on.admin(), target, { name: 'Short', scenarios: [3], fieldIds: [field.id] });
    await putCommunityRelation(await on.admin(), {
      sourceCommunityId: source,
      targetCommunityId: target,
      name: 'parts',
      itemName: 'part',
      cardinality: 2,
      viewId,
    });
    await putCommunityRelation(await on.admin(), {
      sourceCommunityId: source,
      targetCommunityId: hidden,
      name: 'secret',
    });
    const { communityPostDefinitionMap: definitions } = await on.call(reader, 'listPostDefinitions', {
      body: { communityIds: [source, target, hidden, 999_999_999] },
    });
    expect(Object.keys(definitions!).map(Number)).toEqual([source, target]);
    expect(definitions![source]!.hashtags!.map((hashtag) => hashtag.name)).toEqual(['a', 'b']);
    const relation = {
      name: 'parts',
      itemName: 'part',
      cardinality: 2,
      required: false,
      view: { id: viewId, name: 'Short', scenarios: [3], postFieldIds: [field.id] },
      sourceCommunity: { id: source },
      targetCommunity: { id: target, membersCount: 1 },
    };
    expect(definitions![source]!.communityRelations).toMatchObject([relation]);
    expect(definitions![source]!.inverseCommunityRelations).toEqual([]);
    expect(definitions![target]!.inverseCommunityRelations).toMatchObject([relation]);
    expect(definitions![target]!.postViews).toMatchObject([{ id: viewId }]);
  });

  test('of an unknown community, one without a role and one of another tenant are the same 404', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const stranger = await on.tenant.createUser();
    const elsewhere = await createStage(portal);
    const read = (stage: Stage, userId: number, id: number) =>
      stage.call(userId, 'getPostDefinition', { params: { communityId: id } });
    const answers = [
      await failure(read(on, stranger, communityId)),
      await failure(read(on, stranger, 999_999_999)),
      await failure(read(elsewhere, elsewhere.adminId, communityId)),
    ];
    expect(answers.map(({ status, code, message }) => [status, code, message])).toEqual(
      Array(3).fill([404, 'NOT_FOUND', answers[0]!.message]),
    );
  });

  test('is new on the next request after each change', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const manager = await on.member(communityId, 1);
    const read = async () => {
      const { fieldDefinitions } = await on.call(manager, 'getPostDefinition', { params: { communityId } });
      const { community } = await on.call(manager, 'getCommunityDetails', { params: { communityId } });
      return [fieldDefinitions!.length, community!.etag];
    };
    expect(await read()).toEqual([0, 1]);
    await addField(await on.admin(), { communityId }, { type: FieldType.INT, label: 'N' });
    expect(await read()).toEqual([1, 2]);
    await rolledBack(await on.admin(), (scope) =>
      addField(scope, { communityId }, { type: FieldType.INT, label: 'M' }),
    );
    expect(await read()).toEqual([1, 2]);
  });
});

describe('catalogs in use', () => {
  test('give fields the labels of their entries in other languages too', async () => {
    const on = await createStage(portal);
    const communityId = await on.community('C');
    const catalogId = await ensureCatalog(await on.admin(), { name: 'Countries' });
    await createCatalogEntries(await on.admin(), catalogId, [
      { label: { en: 'France', it: 'Francia', fr: 'France' } },
      { label: 'Italy' },
      { label: { it: 'Spagna', es: 'España' } },
    ]);
    await addField(await on.admin(), { communityId }, { type: FieldType.ENUM, label: 'Country', catalogId });
    const reader = await on.member(communityId, 3);
    const { fieldDefinitions } = await on.call(reader, 'getPostDefinition', { params: { communityId } });
    expect(fieldDefinitions![0]!.enumValues!.map(({ label, translations }) => [label, translations])).toEqual([
      ['España', { it: 'Spagna' }],
      ['France', { it: 'Francia', fr: 'France' }],
      ['Italy', undefined],
    ]);
  });

  test('the form names the communities and fields that use it', async () => {
    const on = await createStage(portal);
    const { countries, cities } = await geography(on);
    const communityId = await on.community('C');
    const field = await addField(
      await on.admin(),
      { communityId },
      { type: FieldType.ENUM, label: 'Country', catalogId: countries },
    );
    const workflow = await createWorkflow(await on.admin(), {
      title: 'W',
      states: [{ name: 'Open', initial: true }],
      screenFields: [{ type: FieldType.ENUM_LIST, label: 'Screen countries', catalogId: countries }],
    });
    await attachWorkflow(await on.admin(), communityId, workflow.id);
    const form = await on.call(on.adminId, 'getCatalogForEdit', { params: { catalogId: countries } });
    expect(form).toEqual({
      id: countries,
      contentData: { name: { en: 'Countries' }, deleted: false },
      occToken: 1,
      communityAssociations: [
        {
          community: expect.objectContaining({ id: communityId, name: 'C' }),
          postFields: [{ id: field.id, name: 'Country' }],
          screenFields: [{ id: workflow.fields.get('Screen countries')!.id, name: 'Screen countries' }],
        },
      ],
    });
    const below = await on.call(on.adminId, 'getCatalogForEdit', { params: { catalogId: cities } });
    expect(below.contentData!.parentCatalog).toMatchObject({ id: countries, name: 'Countries', paged: false });
    const member = await on.member(communityId, 1);
    const refused = await failure(on.call(member, 'getCatalogForEdit', { params: { catalogId: countries } }));
    expect(refused.status).toBe(403);
    const elsewhere = await createStage(portal);
    const astray = elsewhere.call(elsewhere.adminId, 'getCatalogForEdit', { params: { catalogId: countries } });
    expect((await failure(astray)).status).toBe(404);
  });

  test('entries are listed by part of the label, in both orders, page by page', async () => {
    const on = await createStage(portal);
    const catalogId = await ensureCatalog(await on.admin(), { name: 'C' });
    await createCatalogEntries(await on.admin(), catalogId, [
      { label: 'Émile', externalId: 'b' },
      { label: 'emil' },
      { label: 'Zoe', externalId: 'A' },
      { label: 'gone', deleted: true },
    ]);
    const list = (body: object) =>
      on.call(on.adminId, 'listPostDefinitionCatalogEntries', { params: { catalogId }, body });
    const labels = async (body: object) => (await list(body)).items!.map((item) => item.label);
    expect(await labels({})).toEqual(['Zoe', 'Émile', 'emil']);
    expect(await labels({ orderDesc: false })).toEqual(['emil', 'Émile', 'Zoe']);
    expect(await labels({ label: 'ÉMI' })).toEqual(['Émile', 'emil']);
    expect(await labels({ orderBy: 'externalId' })).toEqual(['Émile', 'Zoe', 'emil']);
    expect(await labels({ orderBy: 'externalId', orderDesc: false })).toEqual(['Zoe', 'Émile', 'emil']);
    for (const order of [{}, { orderBy: 'externalId' }, { orderBy: 'externalId', orderDesc: false }]) {
      const walked: (string | undefined)[] = [];
      let pageToken: string | undefined;
      do {
        const page = await list({
          ...order,
          pageSize: 2,
          calculateTotalItemsCount: true,
          ...(pageToken && { pageToken }),
        });
        expect(page.totalItemsCount).toBe(3);
        walked.push(...page.items!.map((item) => item.label));
        pageToken = page.nextPageToken;
      } while (pageToken);
      expect(walked).toEqual(await labels(order));
    }
    const unknown = on.call(on.adminId, 'listPostDefinitionCatalogEntries', { params: { catalogId: 999_999_999 } });
    expect((await failure(unknown)).status).toBe(404);
  });

  test('entries are narrowed to what fits the form', async () => {
    const on = await createStage(portal);
    const places = await geography(on);
    const communityId = await on.community('C');
    const reader = await on.member(communityId, 3);
    const country = await addField(
      await on.admin(),
      { communityId },
      { type: FieldType.ENUM, label: 'Country', catalogId: places.countries },
    );
    const city = await addField(
      await on.admin(),
      { communityId },
      { type: FieldType.HIERARCHICAL_ENUM, label: 'City', catalogId: places.cities, parentId: country.id },
    );
    const workflow = await createWorkflow(await on.admin(), {
      title: 'W',
      states: [{ name: 'Open', initial: true }],
      screenFields: [
        { type: FieldType.ENUM, label: 'Country', catalogId: places.countries },
        { type: FieldType.ENUM, label: 'City', catalogId: places.cities, parent: 'Country' },
      ],
    });
    await attachWorkflow(await on.admin(), communityId, workflow.id);
    const list = (context: object, catalogId = places.cities) =>
      on.call(reader, 'listPostDefinitionCatalogEntries', {
        params: { catalogId },
        body: { context, orderDesc: false },
      });
    const labels = async (context: object, catalogId?: number) =>
      (await list(context, catalogId)).items!.map((item) => item.label);
    const all = ['Lyon', 'Milan', 'Nowhere', 'Paris', 'Rome'];
    const form = (customData?: Record<string, unknown>) => ({
      type: EditContextType.POST,
      fieldId: city.id,
      communityId,
      postContext: { post: { ...(customData && { customData }) } },
    });
    expect(await labels(form({ [country.id]: [places.italy] }))).toEqual(['Milan', 'Nowhere', 'Rome']);
    expect(await labels(form({ [country.id]: [{ id: places.france, label: 'France' }] }))).toEqual([
      'Lyon',
      'Nowhere',
      'Paris',
    ]);
    expect(await labels(form({ [country.id]: String(places.france) }))).toEqual(['Lyon', 'Nowhere', 'Paris']);
    expect(await labels(form({}))).toEqual(['Nowhere']);
    expect(await labels(form())).toEqual(all);
    expect(await labels({ ...form({}), fieldId: undefined })).toEqual(all);
    expect(await labels({ ...form({}), type: 3 })).toEqual(all);
    expect(await labels(form({ [country.id]: [places.italy] }), places.countries)).toEqual([]);
    const screenCountry = workflow.fields.get('Country')!.id;
    const postId = await on.post(communityId, 1);
    const screen = {
      type: EditContextType.WORKFLOW_SCREEN,
      fieldId: workflow.fields.get('City')!.id,
      screenContext: { postId, screenData: { [screenCountry]: places.italy } },
    };
    expect(await labels(screen)).toEqual(['Milan', 'Nowhere', 'Rome']);
    expect(await faults(list({ ...form({}), fieldId: screenCountry }))).toEqual({ 'context.fieldId': 'UNKNOWN_FIELD' });
    expect(await faults(list({ ...form({}), communityId: 999_999_999 }))).toEqual({
      'context.communityId': 'UNKNOWN_REFERENCE',
    });
    expect(await faults(list({ type: 1, fieldId: city.id }))).toEqual({ 'context.communityId': 'REQUIRED_FIELD' });
    const stranger = await on.tenant.createUser();
    const hidden = on.call(stranger, 'listPostDefinitionCatalogEntries', {
      params: { catalogId: places.cities },
      body: { context: screen },
    });
    expect(await faults(hidden)).toEqual({ context: 'UNKNOWN_REFERENCE' });
  });
});
