import { FieldType, ValidationType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import {
  createFieldWorld,
  createPost,
  type FieldWorld,
  makeCommunity,
  rows,
} from '../../posts/writing/writing.fixture.ts';
import type { FieldRule } from './field-rules.ts';
import { type FieldDataRequest, validateFieldData } from './validate.ts';

let portal: TestPortal;
let world: FieldWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
});
afterAll(() => portal.close());

function field(id: number, type: FieldType, more: Partial<FieldRule> = {}): FieldRule {
  return {
    id,
    type,
    label: `f${id}`,
    externalId: null,
    parentId: null,
    catalogId: null,
    required: false,
    readonly: false,
    searchable: true,
    sortable: false,
    visibleInCreate: true,
    visibleInEdit: true,
    metadata: {},
    enumValues: [],
    validations: [],
    conditions: [],
    visibleRoles: [],
    ...more,
  };
}

async function check(
  request: Partial<FieldDataRequest> & Pick<FieldDataRequest, 'fields'>,
  userId = world.people.author,
) {
  return writeTransaction(await world.tenant.scope(userId), 'none', async (write) => {
    const result = await validateFieldData({
      write: write,
      input: {},
      current: {},
      mode: 'replace',
      fieldPath: 'customData',
      ...request,
    });
    return { ...result, codes: result.errors.list.map((error) => `${error.field} ${error.code}`) };
  });
}

describe('required values', () => {
  const fields = [
    field(1, FieldType.STRING, { required: true }),
    field(2, FieldType.INT, {
      externalId: 'ERP-2',
      validations: [{ id: 8, typeId: ValidationType.REQUIRED, parameter: null, position: 0 }],
    }),
    field(3, FieldType.STRING, { required: true, readonly: true }),
    field(4, FieldType.STRING, { required: true, visibleInCreate: false }),
  ];

  it('are asked for on creation, where they can be written; white space is none', async () => {
    const { codes, errors } = await check({ fields, mode: 'create', input: { 1: '  ' } });
    expect(codes).toEqual(['customData.1 REQUIRED_FIELD', 'customData.2 REQUIRED_FIELD']);
    expect(errors.list[1]).toMatchObject({
      validationId: 8,
      validationTypeId: 1,
      customFieldId: 2,
      externalId: 'ERP-2',
    });
    expect(errors.list[0]).not.toHaveProperty('externalId');
  });

  it('are asked for on an edit that empties them, not where there never was one', async () => {
    expect((await check({ fields, current: { 1: 'a' } })).codes).toEqual(['customData.1 REQUIRED_FIELD']);
    expect((await check({ fields, current: {} })).codes).toEqual([]);
  });

  it('of a screen are asked for whether they changed or not', async () => {
    const screen = { fields, fieldPath: 'screenData' as const, requiredIds: new Set([1, 3]) };
    expect((await check({ ...screen, current: { 3: 'x' } })).codes).toEqual(['screenData.1 REQUIRED_FIELD']);
    expect((await check({ ...screen, mode: 'patch', current: { 1: 'a', 3: 'x' } })).codes).toEqual([]);
  });
});

describe('modes', () => {
  const fields = [
    field(1, FieldType.STRING),
    field(2, FieldType.STRING, { readonly: true }),
    field(3, FieldType.STRING, { visibleInEdit: false }),
  ];
  const current = { 1: 'a', 2: 'b', 3: 'c' };

  it('replace empties what is left out but for read-only and hidden fields; patch keeps everything', async () => {
    expect(await check({ fields, current })).toMatchObject({
      stored: { 2: 'b', 3: 'c' },
      changedFieldIds: [1],
      codes: [],
    });
    expect(await check({ fields, current, mode: 'patch' })).toMatchObject({
      stored: current,
      changedFieldIds: [],
      codes: [],
    });
  });

  it('take the present value of read-only and hidden fields and no other, unless the writer is trusted', async () => {
    expect(await check({ fields, current, input: { 1: 'a', 2: 'b', 3: 'c' } })).toMatchObject({
      changedFieldIds: [],
      codes: [],
    });
    expect((await check({ fields, current, input: { 2: 'x', 3: 'y' } })).codes).toEqual([
      'customData.2 READ_ONLY_FIELD',
      'customData.3 READ_ONLY_FIELD',
    ]);
    expect(await check({ fields, current, input: { 2: 'x', 3: 'y' }, trusted: true })).toMatchObject({
      stored: { 2: 'x', 3: 'y' },
      changedFieldIds: [1, 2, 3],
    });
  });

  it('take an unchanged delta also where the body says plain text', async () => {
    const delta = '[{"insert":"a\\n"}]';
    const fields = [field(1, FieldType.DELTA_AREA)];
    const result = await check({ fields, current: { 1: delta }, input: { 1: delta }, deltaAreaFormat: 2 });
    expect(result).toMatchObject({ stored: { 1: delta }, changedFieldIds: [] });
  });
});

describe('references', () => {
  it('keep what was chosen before, deleted since or not, and refuse anything new that cannot be chosen', async () => {
    const enumValues = [
      { id: 1, parentIds: [], deleted: true },
      { id: 2, parentIds: [], deleted: false },
    ];
    const fields = [field(1, FieldType.ENUM_LIST, { enumValues })];
    expect((await check({ fields, current: { 1: [1] }, input: { 1: [1, 2] } })).codes).toEqual([]);
    expect((await check({ fields, current: {}, input: { 1: [1, 2, 3] } })).errors.list).toMatchObject([
      { code: 'INVALID_VALUE', args: [1, 3] },
    ]);
  });

  it('below a parent are validated again when the parent changes', async () => {
    const fields = [
      field(1, FieldType.ENUM, { enumValues: [1, 2].map((id) => ({ id, parentIds: [], deleted: false })) }),
      field(2, FieldType.HIERARCHICAL_ENUM, { parentId: 1, enumValues: [{ id: 11, parentIds: [1], deleted: false }] }),
    ];
    const current = { 1: 1, 2: 11 };
    expect((await check({ fields, current, input: { 1: 2, 2: 11 } })).codes).toEqual(['customData.2 INVALID_VALUE']);
    expect((await check({ fields, current, input: { 1: 2 } })).codes).toEqual([]);
  });

  it('to catalogs must be of the field’s catalog and not deleted', async () => {
    const [other] = await rows<{ id: number }>(
      world,
      `INSERT INTO catalogs (tenant_id, name) VALUES ($1, '{}') RETURNING id`,
    );
    const [entry] = await rows<{ id: number }>(
      world,
      `INSERT INTO catalog_entries (tenant_id, catalog_id, label, label_key) VALUES ($1, $2, '{}', '') RETURNING id`,
      [other!.id],
    );
    const fields = [field(1, FieldType.ENUM_LIST, { catalogId: world.catalogId })];
    expect((await check({ fields, input: { 1: [world.entries[0], entry!.id] } })).errors.list).toMatchObject([
      { args: [entry!.id] },
    ]);
    await rows(world, 'UPDATE catalog_entries SET deleted = true WHERE tenant_id = $1 AND id = $2', [world.entries[0]]);
    expect((await check({ fields, input: { 1: [world.entries[0]] } })).codes).toEqual(['customData.1 INVALID_VALUE']);
  });

  it('to people, groups and posts must exist, be in the group or community asked for, and be visible', async () => {
    await rows(world, 'INSERT INTO group_members (tenant_id, group_id, user_id) VALUES ($1, $2, $3)', [
      world.groupId,
      world.people.contributor,
    ]);
    const people = [
      field(1, FieldType.GENERIC_ENTITY_LIST, { metadata: { user_picker_from_group: String(world.groupId) } }),
    ];
    expect(
      (await check({ fields: people, input: { 1: [world.people.contributor, world.people.reader] } })).errors.list,
    ).toMatchObject([{ code: 'UNKNOWN_REFERENCE', args: [world.people.reader] }]);
    const groups = [
      field(1, FieldType.GENERIC_ENTITY_LIST, { metadata: { generic_entity_list_config_id: 'core.group' } }),
    ];
    expect((await check({ fields: groups, input: { 1: [world.groupId] } })).codes).toEqual([]);
    expect((await check({ fields: groups, input: { 1: [999_999] } })).codes).toEqual([
      'customData.1 UNKNOWN_REFERENCE',
    ]);
    const elsewhere = await makeCommunity(world);
    const open = await createPost(world, world.people.author);
    const hidden = await createPost(world, world.people.manager, { visibility: 1 });
    const far = await createPost(world, world.people.author, {}, elsewhere);
    const metadata = { generic_entity_list_config_id: 'communication.post', community_id: String(world.communityId) };
    const posts = [field(1, FieldType.GENERIC_ENTITY_LIST, { metadata })];
    const ids = [open.postId, hidden.postId, far.postId];
    expect((await check({ fields: posts, input: { 1: ids } })).errors.list).toMatchObject([
      { args: [hidden.postId, far.postId] },
    ]);
    expect((await check({ fields: posts, input: { 1: ids } }, world.people.manager)).errors.list).toMatchObject([
      { args: [far.postId] },
    ]);
    expect(
      (await check({ fields: posts, current: { 1: [hidden.postId] }, input: { 1: ids.slice(0, 2) } })).codes,
    ).toEqual([]);
  });
});

describe('references that the writer does not see', () => {
  it('stay, whatever a form that does not show them says', async () => {
    const { postId: open } = await createPost(world, world.people.author);
    const { postId: other } = await createPost(world, world.people.author);
    const { postId: hidden } = await createPost(world, world.people.manager, { visibility: 1 });
    const fields = [
      field(9, FieldType.GENERIC_ENTITY_LIST, { metadata: { generic_entity_list_config_id: 'communication.post' } }),
    ];
    const after = async (current: number[], input: object) => {
      const { stored, changedFieldIds, codes } = await check({ fields, current: { 9: current }, input: { ...input } });
      expect(codes).toEqual([]);
      return [stored['9'], changedFieldIds];
    };
    expect(await after([hidden, open], { 9: [open] })).toEqual([[hidden, open], []]);
    expect(await after([hidden], { 9: [] })).toEqual([[hidden], []]);
    expect(await after([hidden, open], {})).toEqual([[hidden], [9]]);
    expect(await after([hidden, open], { 9: [other] })).toEqual([[other, hidden], [9]]);
    const manager = await check({ fields, current: { 9: [hidden, open] }, input: { 9: [open] } }, world.people.manager);
    expect(manager.stored['9']).toEqual([open]);
  });
});
