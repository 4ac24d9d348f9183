/** Requests of every operation about the objects of a large tenant, and bodies that are dear to read. */
import { FilterType, type OperationId, operationList } from '@portico/contract';
import { ownRequest, wire } from '../security/requests.fixture.ts';
import { type LargeTenant, manyWords, textWithoutPeriod } from './large-tenant.fixture.ts';

export interface LoadCase {
  /** The operation, and the difference of the case. */
  name: string;
  method: string;
  path: string;
  /** A text is sent as it is. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

const POST_FLAGS = ['Attachment', 'AttachmentViewLink', 'AttachmentDownloadLink', 'AttachmentPreviewImageLink']
  .map((flag) => `loadMain${flag}=true`)
  .join('&');
const PAGE = { pageSize: 500, calculateTotalItemsCount: true };
const MIB = 1024 * 1024;

/** Searches that find long posts and comments, with words that are in them thousands of times and as parts. */
const SEARCHES = [
  'x',
  'comment',
  'x '.repeat(16),
  'omment or xx or 1 or 2 or 3',
  '"x 1 x 2 x 3"',
  'commenf xommenf',
  '',
];

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** Everything that is measured. */
export function loadCases(large: LargeTenant): LoadCase[] {
  return [
    ...operationList.flatMap(({ id }) => casesOf(id as OperationId, large)),
    ...dearBodies(large),
    ...dearPosts(large),
  ];
}

function casesOf(id: OperationId, large: LargeTenant): LoadCase[] {
  const base = { name: id as string, ...wire(ownRequest(id, large.objects)) };
  const empty = base.body !== undefined && Object.keys(base.body as object).length === 0;
  const cases: LoadCase[] = [base];
  if (/^list|^run/.test(id) && empty) cases.push({ ...base, name: `${id}, a long page`, body: PAGE });
  if (/listCommunityPosts|runSavedView/.test(id))
    cases.push({
      ...base,
      name: `${id}, with capabilities`,
      path: withQuery(base.path, `${POST_FLAGS}&loadCapabilities=true`),
      body: PAGE,
    });
  if (id === 'searchEverything')
    cases.push(
      ...SEARCHES.map((text) => ({ ...base, name: `${id}: ${text.slice(0, 20)}`, body: { text, pageSize: 100 } })),
    );
  if (id === 'globalPostsStream')
    cases.push({ ...base, name: `${id}, a long page`, path: withQuery(base.path, 'pageSize=500') });
  if (id === 'getPostDefinitionCatalogs')
    cases.push({
      ...base,
      name: `${id}, with entries`,
      path: withQuery(base.path, 'loadEntries=true'),
      body: { catalogIds: [large.objects.catalogId] },
    });
  if (id === 'patchPost')
    cases.push({ ...base, name: `${id}, the title`, body: { title: 'z', occToken: large.objects.tokens.post } });
  if (id === 'comparePostVersions')
    cases.push({ ...base, name: `${id}, all texts`, body: { fromVersion: large.firstVersion } });
  return cases;
}

const numbers = (count: number, from = 1_000_000) => Array.from({ length: count }, (_, index) => from + index);

/** Bodies and lines with dear values of posts. */
function dearPosts({ objects, deltaFieldId, patternFieldId, choiceFieldIds }: LargeTenant): LoadCase[] {
  const manage = '/portal/api/communication/posts/manage';
  const create = { method: 'POST', path: `${manage}/create-post/${objects.communityId}?dryRun=true` };
  const many = { method: 'POST', path: `${manage}/create-posts/${objects.communityId}` };
  const patch = { method: 'POST', path: `${manage}/patch-posts` };
  const lines = { 'Content-Type': 'application/x-ndjson' };
  const keyed = (key: string) => ({ 'Idempotency-Key': key });
  const unknown = (count: number) => Object.fromEntries(numbers(count).map((id) => [id, 1]));
  const post = (customData: object) => ({ title: 'x', announcement: false, customData });
  const delta = Array.from({ length: 15_000 }, (_, n) => ({ insert: 'ab', attributes: { bold: n % 2 === 0 } }));
  const repeated = (line: object, times: number) =>
    Array.from({ length: times }, () => JSON.stringify(line)).join('\n');
  const invalid = (piece: number | string) => ({ title: '', customData: { [choiceFieldIds[0]!]: [piece] } });
  const ones = JSON.stringify(invalid('?')).replace('"?"', `${'1,'.repeat(500_000)}1`);
  const longIntegers = JSON.stringify(invalid('?')).replace('"?"', `${'9007199254740993,'.repeat(60_000)}1`);
  const nulls = Object.fromEntries(numbers(9_900).map((id) => [id, null]));
  return [
    { ...create, name: 'post: unknown fields', body: post(unknown(9_900)) },
    { ...create, name: 'post: a text for slow patterns', body: post({ [patternFieldId]: textWithoutPeriod(30_000) }) },
    { ...create, name: 'post: long integers', body: longIntegers },
    { ...many, name: 'posts: unknown fields', body: { posts: Array.from({ length: 600 }, () => post(unknown(110))) } },
    {
      ...many,
      name: 'lines: rich texts',
      body: repeated(post({ [deltaFieldId]: JSON.stringify([...delta, { insert: '\n' }]) }), 25),
      headers: lines,
    },
    { ...many, name: 'lines: unknown fields', body: repeated(post(unknown(110)), 2_000), headers: lines },
    { ...many, name: 'lines: long integers', body: Array(5).fill(longIntegers).join('\n'), headers: lines },
    {
      ...many,
      name: 'lines: numbers, with a key',
      body: Array(25).fill(ones).join('\n'),
      headers: { ...lines, ...keyed('lines') },
    },
    {
      ...patch,
      name: 'patches: numbers, with a key',
      body: `{"postIds":[1],"patch":${ones}}`,
      headers: keyed('numbers'),
    },
    {
      ...patch,
      name: 'patches: nulls below a long name, with a key',
      body: { postIds: [1], patch: { customData: { ['k'.repeat(600_000)]: nulls } } },
      headers: keyed('nulls'),
    },
  ];
}

/** Bodies of a mebibyte. */
function dearBodies(large: LargeTenant): LoadCase[] {
  const { communityId } = large.objects;
  const list = { method: 'POST', path: `/portal/api/communication/posts/data/list/community/${communityId}` };
  const create = {
    method: 'POST',
    path: `/portal/api/communication/posts/manage/create-post/${communityId}?dryRun=true`,
  };
  const text = (description: string) => ({ title: 'x', announcement: false, description, descriptionFormat: 2 });
  const fill = (piece: string) => piece.repeat(Math.floor((MIB - 200) / Buffer.byteLength(piece)));
  const members = Array.from({ length: 60_000 }, (_, n) => `"unknown${n}":1`).join(',');
  const filters = Array.from({ length: 50 }, (_, n) => ({
    columnId: large.choiceFieldIds[n % large.choiceFieldIds.length],
    typeId: FilterType.IS_NULL_OR_IN,
    parameters: numbers(1_000),
  }));
  const mentions = Array.from({ length: 10_000 }, (_, n) => ({ insert: { mention: { id: n + 1, value: 'x' } } }));
  return [
    { ...list, name: 'body: nested brackets', body: `{"x":[${fill(`${'['.repeat(60)}${']'.repeat(60)},`)}1]}` },
    { ...list, name: 'body: unknown members', body: `{${members}}` },
    { ...list, name: 'body: empty lists', body: `{"x":[${fill('[],')}[]]}` },
    { ...list, name: 'body: empty objects', body: `{"x":[${fill('{},')}{}]}` },
    { ...list, name: 'body: small numbers', body: `{"hashtagIds":[${fill('1,')}1]}` },
    { ...list, name: 'body: long integers', body: `{"hashtagIds":[${fill('9007199254740993,')}1]}` },
    { ...list, name: 'body: escapes', body: `{"title":"${fill('\\u0041')}"}` },
    { ...list, name: 'body: filters of many ids', body: { postFieldFilters: filters } },
    {
      ...list,
      name: 'body: lists of ten thousand ids',
      body: {
        currentWorkflowStatusIds: numbers(10_000),
        hashtagIds: numbers(10_000),
        attachmentHashtagIds: numbers(10_000),
        communityPostFilters: { createdByUserIds: numbers(10_000), createdByGroupIds: numbers(10_000) },
        postFieldFilters: large.choiceFieldIds.map((columnId) => ({
          columnId,
          typeId: FilterType.IS_NULL_OR_IN,
          parameters: numbers(10_000),
        })),
      },
    },
    { ...create, name: 'body: ﷺ', body: text(fill('ﷺ')) },
    { ...create, name: 'body: emoji', body: text(fill('😀')) },
    { ...create, name: 'body: words', body: text(manyWords(MIB - 300, 'w')) },
    { ...create, name: 'body: lines', body: text('a\n'.repeat(300_000)) },
    { ...create, name: 'body: hashtags', body: text(fill('#é ')) },
    { ...create, name: 'body: marks', body: text(fill('\u0b3e')) },
    {
      ...create,
      name: 'body: mentions',
      body: { ...text(JSON.stringify([...mentions, { insert: '\n' }])), descriptionFormat: 1 },
    },
    {
      ...create,
      name: 'body: operations of a delta',
      body: {
        ...text(
          JSON.stringify([
            ...Array.from({ length: 19_000 }, (_, n) => ({ insert: 'ab', attributes: { bold: n % 2 === 0 } })),
            { insert: '\n' },
          ]),
        ),
        descriptionFormat: 1,
      },
    },
  ];
}
