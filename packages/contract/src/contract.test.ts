import { describe, expect, it } from 'vitest';
import {
  apiPrefixes,
  customFieldOrderPrefix,
  deprecatedPostOrders,
  errorCodes,
  FieldType,
  FilterType,
  HistoryType,
  languages,
  operationList,
  operatorParameters,
  operatorsByFieldType,
  parseDeprecatedPostOrder,
  parsePostOrder,
  permissions,
  postOrders,
  problemType,
  SubTaskState,
  sortableFieldTypes,
  timeZoneId,
  timeZoneName,
  timeZoneNames,
  ValidationType,
  validationRules,
  validationTypeOf,
} from './index.ts';
import { codeTables } from './openapi/introduction.ts';

describe('the operation table', () => {
  it('gives every operation a permission from the closed list, a summary and a description', () => {
    for (const { id, permission, summary, description } of operationList) {
      expect(Object.keys(permissions), id).toContain(permission);
      expect(summary.length, id).toBeGreaterThan(5);
      expect(summary, id).not.toMatch(/\.$/);
      expect(description.length, id).toBeGreaterThan(20);
    }
  });

  it('lets nobody in without signing in but at the token exchanges and where a password is missing', () => {
    const open = operationList.filter(({ permission }) => permission === 'public').map(({ id }) => id);
    expect(open.sort()).toEqual([
      'collectDeviceSignIn',
      'createAccessTokenByCredentials',
      'createAccessTokenByGoogleOAuth2',
      'createAccessTokenByPasskey',
      'createAccessTokenByServiceAccount',
      'endSession',
      'getBranding',
      'listSignInProviders',
      'requestPasswordReset',
      'setPasswordByLink',
      'startDeviceSignIn',
      'startPasskeySignIn',
      'startSession',
      'startSessionByPasskey',
    ]);
  });

  it('names every path parameter and no other', () => {
    for (const { id, path, pathParams } of operationList) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(pathParams), id).toEqual(inPath);
    }
  });

  it('answers each method and path with one operation', () => {
    const routes = operationList.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
    expect(apiPrefixes).toHaveLength(2);
  });

  it('takes dryRun on every write and on no read', () => {
    for (const { id, kind, query, path, method } of operationList) {
      expect('dryRun' in query, id).toBe(kind === 'write');
      const writes = (path.includes('/manage/') && method !== 'GET') || path.startsWith('/core/storage/');
      expect(kind === 'write', id).toBe(writes);
    }
  });

  it('is bodyless exactly where no body is declared', () => {
    for (const { id, body, bodyless } of operationList) expect(bodyless, id).toBe(body === null);
  });
});

describe('published codes', () => {
  it('never give one value two names within a table', () => {
    for (const [name, table] of Object.entries(codeTables())) {
      const values = Object.values(table);
      expect(new Set(values).size, name).toBe(values.length);
    }
  });

  it('cover what the interface publishes', () => {
    expect(Object.values(FieldType)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
    expect(Object.values(FilterType)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(Object.values(HistoryType)).toEqual([...Array.from({ length: 17 }, (_, index) => index + 1), 21, 22, 29]);
  });

  it('keep 0 out of the states of steps', () => {
    expect(Object.values(SubTaskState)).not.toContain(0);
  });

  it('say of every validation rule what it means, and take parameters as existing definitions do', () => {
    expect(validationRules.map(({ id }) => id)).toEqual(Object.values(ValidationType));
    for (const { id, name } of validationRules) expect(ValidationType[name]).toBe(id);
    const parameter = (id: number) => validationRules.find((rule) => rule.id === id)?.parameter;
    expect(parameter(1)).toBeNull();
    expect(parameter(10)).toBeNull();
    expect(parameter(5)).toContain('number');
    // Numbers of existing definitions, and numbers of rules that only Portico has.
    expect(ValidationType).toMatchObject({ REQUIRED: 1, MAX_COUNT: 5, CONDITIONAL: 10 });
    expect(ValidationType).toMatchObject({ MIN_VALUE: 1002, UNIQUE_ITEMS: 1010, URL: 1016 });
    expect(Object.values(ValidationType).filter((id) => id < 1000)).toEqual([1, 5, 10]);
    expect([1, 2, 5, 10, 16, 17, 0, -1, 1002, 1005].map(validationTypeOf)).toEqual([
      1,
      1002,
      5,
      10,
      1016,
      undefined,
      undefined,
      undefined,
      1002,
      undefined,
    ]);
    const five = validationRules.find(({ id }) => id === 5);
    expect(five?.fieldTypes).toContain(FieldType.GENERIC_ENTITY_LIST);
  });

  it('know every time zone both ways', () => {
    expect(new Set(timeZoneNames).size).toBe(timeZoneNames.length);
    for (const name of timeZoneNames) expect(timeZoneName(timeZoneId(name) ?? 0)).toBe(name);
    expect(timeZoneId('Asia/Calcutta')).toBe(timeZoneId('Asia/Kolkata'));
    expect(timeZoneId('Mars/Olympus')).toBeUndefined();
    expect(timeZoneName(0)).toBeUndefined();
  });

  it('keep the ids of time zones for ever', () => {
    expect(timeZoneNames.length).toBeGreaterThanOrEqual(419);
    expect([timeZoneId('UTC'), timeZoneId('Europe/Rome'), timeZoneId('Pacific/Wallis')]).toMatchInlineSnapshot(`
      [
        1,
        351,
        419,
      ]
    `);
  });

  it('list each language once', () => {
    expect(new Set(languages.map(({ code }) => code)).size).toBe(languages.length);
  });
});

describe('error codes', () => {
  it('carry a status, a title and a message that says what to do', () => {
    for (const [code, { status, title, message }] of Object.entries(errorCodes)) {
      expect(status, code).toBeGreaterThanOrEqual(400);
      expect(title.length, code).toBeGreaterThan(4);
      expect(message, code).toMatch(/\.$/);
    }
  });

  it('give each code a type of its own', () => {
    expect(problemType('PAGE_TOKEN_INVALID')).toBe('/portal/api/docs#error-page-token-invalid');
  });
});

describe('filters and orders', () => {
  it('allow per type of field what the table of the list says', () => {
    const names = (type: FieldType) =>
      Object.entries(FilterType)
        .filter(([, id]) => operatorsByFieldType[type].includes(id))
        .map(([name]) => name);
    const numbers = ['EQUAL', 'INTERVAL', 'IN', 'IS_NULL_OR_IN', 'IS_EMPTY'];
    const texts = ['EQUAL', 'LIKE', 'CONTAINS', 'IS_EMPTY'];
    const references = ['EQUAL', 'IN', 'CONTAINS', 'IS_NULL_OR_IN', 'IS_EMPTY'];
    const expected: Record<keyof typeof FieldType, string[]> = {
      INT: numbers,
      BIGINT: numbers,
      DECIMAL: numbers,
      FEEDBACK: numbers,
      DATE: ['EQUAL', 'INTERVAL', 'IS_EMPTY'],
      DATETIME: ['EQUAL', 'INTERVAL', 'IS_EMPTY'],
      STRING: texts,
      TEXT_AREA: texts,
      DELTA_AREA: texts,
      LINK: texts,
      ENUM: references,
      ENUM_LIST: references,
      HIERARCHICAL_ENUM: references,
      GENERIC_ENTITY_LIST: references,
      FLAG: ['EQUAL', 'IS_EMPTY'],
    };
    for (const [name, type] of Object.entries(FieldType)) {
      expect(names(type).sort(), name).toEqual(expected[name as keyof typeof FieldType].sort());
    }
  });

  it('say how many parameters each operator takes', () => {
    expect(operatorParameters[FilterType.INTERVAL]).toEqual({ min: 2, max: 2 });
    expect(operatorParameters[FilterType.IS_EMPTY]).toEqual({ min: 0, max: 0 });
  });

  it('order by every type of field but lists and rich text', () => {
    const excluded = Object.values(FieldType).filter((type) => !sortableFieldTypes.includes(type));
    expect(excluded).toEqual([FieldType.ENUM_LIST, FieldType.DELTA_AREA, FieldType.GENERIC_ENTITY_LIST]);
  });

  it('read the names of orders', () => {
    for (const order of postOrders) expect(parsePostOrder(order)).toEqual({ order });
    expect(parsePostOrder(`${customFieldOrderPrefix}4711`)).toEqual({ customFieldId: 4711 });
    for (const wrong of ['', 'title', 'postCustomField-', 'postCustomField-x', 'postCustomField-9999999999999999']) {
      expect(parsePostOrder(wrong), wrong).toBeNull();
    }
  });

  it('read the older names of orders', () => {
    for (const [older, order] of Object.entries(deprecatedPostOrders)) {
      expect(parseDeprecatedPostOrder(older)).toEqual({ order });
    }
    expect(parseDeprecatedPostOrder('customField-4711')).toEqual({ customFieldId: 4711 });
    expect(parseDeprecatedPostOrder('constructor')).toBeNull();
    expect(parseDeprecatedPostOrder('postTitle')).toBeNull();
  });
});
