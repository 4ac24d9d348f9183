import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { type OperationId, operationList } from '../operations/index.ts';
import {
  bodyNames,
  closure,
  type DeclaredName,
  declarations,
  extensionFields,
  type FieldSchema,
  inputId,
  inputSchemas,
  type JsonSchema,
  normaliseBody,
  operationSchemas,
  referencedSchemas,
  schemas,
  sharedSchemas,
  strictResponse,
  strictSharedSchemas,
} from './index.ts';

const byReference = (list: readonly JsonSchema[]) =>
  Object.fromEntries(list.map((schema) => [`${schema.$id}#`, schema]));
const shared = byReference(sharedSchemas);
const strict = byReference(strictSharedSchemas());
const bodyCheck = (name: DeclaredName) => Schema.Compile(shared, { $ref: `${inputId(name)}#` });
const answerCheck = (name: DeclaredName) => Schema.Compile(strict, { $ref: `${name}#` });

describe('declarations', () => {
  it('describe every type and every field', () => {
    const bare: string[] = [];
    for (const [name, { description, fields }] of Object.entries(declarations)) {
      if (description.length < 5) bare.push(name);
      for (const [field, schema] of Object.entries<FieldSchema>(fields)) {
        if (!schema.description || schema.description.length < 5) bare.push(`${name}.${field}`);
      }
    }
    expect(bare).toEqual([]);
  });

  it('refer to declared types only', () => {
    const references = JSON.stringify([sharedSchemas, operationSchemas]).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, reference] of references) expect(Object.keys(shared)).toContain(reference);
  });

  it('have one $id each', () => {
    expect(Object.keys(shared)).toHaveLength(sharedSchemas.length);
  });

  it('bring all a serialiser needs with a schema', () => {
    const found = referencedSchemas(operationSchemas.listPostComments.response[200] ?? {});
    expect(Object.keys(found)).toContain('PostActivityHistoryEvent');
    for (const [, name] of JSON.stringify(found).matchAll(/"\$ref":"([^"]+)#"/g))
      expect(Object.keys(found)).toContain(name);
  });
});

describe('request forms', () => {
  it('accept null for every field of every body, and refuse keys that are not declared', () => {
    for (const name of bodyNames) {
      const check = bodyCheck(name);
      const nulls = Object.fromEntries(Object.keys(declarations[name].fields).map((field) => [field, null]));
      expect(check.Check(nulls), name).toBe(true);
      expect(check.Check({ ...nulls, somethingElse: { a: 1 } }), name).toBe(false);
      expect(check.Check({}), name).toBe(true);
    }
  });

  it('accept null in blocks within blocks', () => {
    const check = bodyCheck('EditUserCredentialsRequest');
    expect(check.Check({ userCredentialsConfiguration: { custom: { profilePhoto: null, active: null } } })).toBe(true);
  });

  it('refuse another type in every field that has one', () => {
    const ofAnyType = new Set<string>();
    for (const schema of inputSchemas) {
      const check = Schema.Compile(shared, { $ref: `${schema.$id}#` });
      for (const [field, property] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
        const types = property.type as string[] | undefined;
        if (!types && !property.$ref) {
          ofAnyType.add(field);
          continue;
        }
        const wrong = types?.includes('object') || property.$ref ? 'text' : { wrong: true };
        expect(check.Check({ [field]: wrong }), `${schema.$id}.${field}`).toBe(false);
      }
    }
    // A default has the form of values of its custom field.
    expect([...ofAnyType].sort()).toEqual(['default', 'defaultValue']);
  });

  it('take no number for a text and no text for a number', () => {
    const check = bodyCheck('ListSystemUsersRequest');
    expect(check.Check({ pageSize: '15' })).toBe(false);
    expect(check.Check({ place: 15 })).toBe(false);
    expect(check.Check({ pageSize: 15, place: 'x' })).toBe(true);
  });

  it('keep integers within what JSON numbers hold exactly', () => {
    const check = bodyCheck('CheckVisibilityRequest');
    expect(check.Check({ ids: [Number.MAX_SAFE_INTEGER, -4] })).toBe(true);
    expect(check.Check({ ids: [2 ** 53] })).toBe(false);
    expect(check.Check({ ids: [1.5] })).toBe(false);
  });

  it('refuse null inside lists of ids and of texts, and as a value of a text map', () => {
    expect(bodyCheck('CheckVisibilityRequest').Check({ ids: [1, null] })).toBe(false);
    expect(bodyCheck('ListPostAttachmentsByPostIdRequest').Check({ mimeTypes: [null] })).toBe(false);
    expect(bodyCheck('CreateEditCatalogRequest').Check({ name: { en: null } })).toBe(false);
    expect(bodyCheck('EditPostAttachmentsRequest').Check({ addAttachments: [null] })).toBe(false);
  });

  it('accept tokens as a string of digits', () => {
    const check = bodyCheck('EditGroupRequest');
    expect(check.Check({ occToken: 12 })).toBe(true);
    expect(check.Check({ occToken: '12' })).toBe(true);
    expect(check.Check({ occToken: 'twelve' })).toBe(false);
  });

  it('accept a text or a list for lang and loginProviderFilter', () => {
    const check = bodyCheck('ListSystemUsersRequest');
    expect(check.Check({ lang: 'it', loginProviderFilter: ['google', 'custom'] })).toBe(true);
    expect(check.Check({ lang: ['it'], loginProviderFilter: 'google' })).toBe(true);
    expect(check.Check({ lang: 5 })).toBe(false);
  });

  it('take any JSON value in custom data and as parameter of a filter', () => {
    const create = bodyCheck('CreateCustomPostRequest');
    expect(create.Check({ customData: { 1: 'true', 2: null, 3: 11, 4: [1, 2], 5: [{ id: 1 }], 6: { a: {} } } })).toBe(
      true,
    );
    const list = bodyCheck('ListCommunityPostsFilteredRequest');
    expect(list.Check({ postFieldFilters: [{ columnId: 1, typeId: 2, parameters: [null, 5, 'x', true] }] })).toBe(true);
    expect(list.Check({ postFieldFilters: [{ columnId: 1, typeId: 8, parameters: [] }] })).toBe(false);
  });

  it('take the filters of the main list flat and nested', () => {
    const check = bodyCheck('ListCommunityPostsFilteredRequest');
    const filters = {
      title: 'a',
      mentioned: false,
      postTypes: [],
      hashtagIds: [1],
      visibility: 2,
      postFieldFilters: [],
    };
    expect(check.Check({ ...filters, communityPostFilters: filters, communityAttachmentFilters: { name: null } })).toBe(
      true,
    );
    expect(check.Check({ communityPostFilters: { title: 5 } })).toBe(false);
    expect(check.Check({ title: 5 })).toBe(false);
    expect(extensionFields.ListCommunityPostsFilteredRequest).toEqual(
      Object.keys(declarations.CommunityPostFilters.fields),
    );
  });

  it('take the complete body that existing clients send', () => {
    const check = bodyCheck('ListCommunityPostsFilteredRequest');
    const body = {
      pageToken: null,
      pageSize: 50,
      calculateTotalItemsCount: true,
      orderBy: 'postLastModifyAndCommentTimestamp',
      orderDesc: true,
      pinnedFirst: true,
      communityPostFilters: {
        followedByMe: null,
        createdByUserIds: null,
        createdByGroupIds: null,
        title: null,
        description: null,
        creationTimestampFrom: null,
        creationTimestampTo: null,
        modifiedTimestampFrom: null,
        modifiedTimestampTo: null,
        mentioned: false,
        toManage: null,
        postTypes: [],
        postSurveyTypes: null,
        visibility: null,
        acknowledgeTaskFilter: null,
        hashtagIds: [],
        currentWorkflowStatusIds: [],
        postFieldFilters: [],
        screenFieldFilters: [],
      },
      communityAttachmentFilters: {
        name: null,
        createdByUserId: null,
        mimeTypes: null,
        mimeTypeCategory: null,
        types: null,
        excludeFilePickers: false,
        modifiedTimestampFrom: null,
        modifiedTimestampTo: null,
        hashtagIds: [],
      },
    };
    expect(check.Check(body)).toBe(true);
    expect(normaliseBody('ListCommunityPostsFilteredRequest', body)).toEqual({
      pageSize: 50,
      calculateTotalItemsCount: true,
      orderBy: 'postLastModifyAndCommentTimestamp',
      orderDesc: true,
      pinnedFirst: true,
      communityPostFilters: {
        mentioned: false,
        postTypes: [],
        hashtagIds: [],
        currentWorkflowStatusIds: [],
        postFieldFilters: [],
        screenFieldFilters: [],
      },
      communityAttachmentFilters: { excludeFilePickers: false, hashtagIds: [] },
    });
  });
});

describe('normaliseBody', () => {
  it('reads tokens, single texts and blocks, and drops what is not declared', () => {
    expect(normaliseBody('EditGroupRequest', { occToken: '12', name: null, other: 1 })).toEqual({ occToken: 12 });
    expect(normaliseBody('ListSystemUsersRequest', { lang: 'it' })).toEqual({ lang: ['it'] });
    expect(
      normaliseBody('EditMultipleGroupsMembersRequest', { groupMembers: [{ id: 1, occToken: '3', addUserIds: null }] }),
    ).toEqual({ groupMembers: [{ id: 1, occToken: 3 }] });
  });

  it('makes names one line', () => {
    const name = '\u202eHouse\r\nof\tcards\u202c';
    expect(
      normaliseBody('CreateWorkspaceRequest', { name, translations: { it: name }, description: { en: name } }),
    ).toEqual({ name: 'House of cards', translations: { it: 'House of cards' }, description: { en: name } });
    expect(normaliseBody('CreateGroupRequest', { name: '\u200b\n\u3164' })).toEqual({ name: '' });
  });

  it('knows each name that a write sends', () => {
    const written = operationList.filter(({ kind, body }) => kind === 'write' && body).map(({ body }) => body);
    const unmarked = [...closure(written as DeclaredName[])].flatMap((type) =>
      Object.entries<FieldSchema>(declarations[type].fields)
        .filter(
          ([field, schema]) =>
            /^(?:\w*name|label|section|translations|sectionTranslations)$/i.test(field) &&
            !schema['x-name'] &&
            !schema.enum &&
            !schema.$ref,
        )
        .map(([field]) => `${type}.${field}`),
    );
    expect(unmarked.sort()).toEqual([
      'CommunityAttachmentFilters.name',
      // User names have a pattern of their own, and files keep their names as far as file systems
      // allow.
      'CustomUserCredentialsConfiguration.username',
      'ImportCommunityArchiveRequest.fileName',
      'InputPostAttachment.name',
      'InputPostCommentAttachment.name',
      'InputTaskAttachment.name',
      // People, groups and hashtags in a request are identified by their ids.
      'InvitationGroup.name',
      'InvitationUser.firstName',
      'InvitationUser.lastName',
      'StartImportRequest.changesFileName',
      'StartImportRequest.fileName',
      'Tag.name',
      'User.firstName',
      'User.lastName',
    ]);
  });

  it('leaves any JSON as it came', () => {
    const customData = { 1: null, 2: [{ id: 1, extra: null }] };
    expect(normaliseBody('EditPostCustomDataRequest', { customData })).toEqual({ customData });
  });

  it('takes nothing from the prototype of the body, and no body as an empty one', () => {
    expect(normaliseBody('EditGroupRequest', Object.create({ name: 'inherited' }))).toEqual({});
    expect(normaliseBody('EditGroupRequest', null)).toEqual({});
  });
});

describe('answer forms', () => {
  it('refuse undeclared keys and null when strict, at every depth', () => {
    const check = answerCheck('PagedListPostsResponse');
    expect(check.Check({ items: [{ id: 1, creatorUser: { id: 2 } }] })).toBe(true);
    expect(check.Check({ items: [{ id: 1, creatorUser: { id: 2, surname: 'x' } }] })).toBe(false);
    expect(check.Check({ items: [{ id: null }] })).toBe(false);
    expect(check.Check({ items: [{ id: 1, customData: { 1: null, 2: [{ any: 1 }] } }] })).toBe(true);
  });

  it('hold themselves where types are recursive', () => {
    const comment = { id: 1, parentComment: { id: 2, parentComment: { id: 3 } } };
    expect(answerCheck('PostComment').Check(comment)).toBe(true);
    expect(answerCheck('PostComment').Check({ id: 1, parentComment: { id: 'x' } })).toBe(false);
  });

  it('leave every field optional', () => {
    const names = Object.keys(schemas) as DeclaredName[];
    expect(names.filter((name) => 'required' in schemas[name])).toEqual([]);
    const all = Schema.Compile(strict, {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: `${name}#` }])),
    });
    const [ok, errors] = all.Errors(Object.fromEntries(names.map((name) => [name, {}])));
    expect(errors).toEqual([]);
    expect(ok).toBe(true);
  });

  it('carry what a dry run reports on every write', () => {
    for (const { id, kind } of operationList) {
      const schema = strictResponse(id as OperationId);
      if (kind === 'read') continue;
      const check = Schema.Compile(strict, schema ?? {});
      expect(
        check.Check({ dryRun: { changes: [{ entity: 'post', action: 'modified' }], notifications: [] } }),
        id,
      ).toBe(true);
      expect(check.Check({ somethingElse: 1 }), id).toBe(false);
    }
  });
});

describe('parameters', () => {
  it('ask for every path parameter and for no query parameter', () => {
    for (const { id, pathParams } of operationList) {
      const { params, querystring } = operationSchemas[id as OperationId];
      expect(params?.required ?? [], id).toEqual(Object.keys(pathParams));
      expect(querystring, id).not.toHaveProperty('required');
    }
  });

  it('let the body speak where paging may stand in both places', () => {
    const { properties } = operationSchemas.listCommunityPostsFiltered.querystring as { properties: JsonSchema };
    expect(properties.pageSize).not.toHaveProperty('default');
    expect(properties.loadPostDetails).toHaveProperty('default', true);
  });
});
