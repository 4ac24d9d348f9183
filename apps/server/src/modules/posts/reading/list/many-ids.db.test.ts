/**
 * The statements stay the same for any number of ids in a filter: the ids are one parameter, so
 * planning does not depend on them.
 */
import { FilterType, type MimeKind } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../../test/support/index.ts';
import { type GeneratedCommunity, generateCommunity } from '../../../../../test/support/post-generator.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { SCANNED_ROW } from './cost-estimate.ts';
import { COUNT_LIMIT, createPlanMemory, LONG_SCAN, SCAN_BUDGET, TEXT_SCAN_BUDGET } from './find-page.ts';
import type { ListInput } from './list-input.ts';
import { listPostIds } from './list-posts.ts';

let portal: TestPortal;
let made: GeneratedCommunity;
let reader: Scope;

beforeAll(async () => {
  portal = await createTestPortal();
  const tenant = await portal.createTenant();
  made = await generateCommunity(portal.owner, tenant.tenant.id, 100);
  reader = await tenant.scope(made.readerId);
});
afterAll(() => portal.close());

/** Returns the texts of the statements of a list, with a total. */
async function textsOf(input: ListInput): Promise<string[]> {
  const texts: string[] = [];
  const db: TenantDb = {
    ...reader.db,
    query: <R>(text: string, values: readonly unknown[] = []) => {
      texts.push(text);
      return reader.db.query<R>(text, values);
    },
  };
  const tuning = {
    countLimit: COUNT_LIMIT,
    scannedRow: SCANNED_ROW,
    scanBudget: SCAN_BUDGET,
    textScanBudget: TEXT_SCAN_BUDGET,
    longScan: LONG_SCAN,
    memory: createPlanMemory(50),
  };
  const asked = { ...input, calculateTotalItemsCount: true, pageSize: 1 };
  await listPostIds({ ...reader, db }, 'listCommunityPostsFiltered', made.communityId, asked, { tuning });
  return texts;
}

/** Ids that do not exist, so that the same plan finds no posts. */
const ids = (count: number) => Array.from({ length: count }, (_, index) => 9_000_000 + index);
const field = (name: keyof GeneratedCommunity['fields'], typeId: FilterType, count: number): ListInput => ({
  postFieldFilters: [{ columnId: made.fields[name], typeId, parameters: ids(count) }],
});
const kinds = (count: number) => Array.from({ length: count }, (_, index) => (1 + (index % 5)) as MimeKind);

const filters: Record<string, (count: number) => ListInput> = {
  'hashtags, one of them': (count) => ({ hashtagIds: ids(count) }),
  'hashtags, all of them': (count) => ({ hashtagIds: ids(count), hashtagsLogicalAnd: true }),
  posts: (count) => ({ postIds: ids(count) }),
  creators: (count) => ({ createdByUserIds: ids(count) }),
  'groups of creators': (count) => ({ createdByGroupIds: ids(count) }),
  states: (count) => ({ currentWorkflowStatusIds: ids(count) }),
  'states or none': (count) => ({ currentWorkflowStatusIds: ids(count), includeStatelessPosts: true }),
  'values of an enumeration': (count) => field('enum', FilterType.IN, count),
  'values of an enumeration or none': (count) => field('enum', FilterType.IS_NULL_OR_IN, count),
  'values of a list': (count) => field('list', FilterType.IN, count),
  people: (count) => field('users', FilterType.IN, count),
  numbers: (count) => field('int', FilterType.IN, count),
  'hashtags of attachments, one of them': (count) => ({ communityAttachmentFilters: { hashtagIds: ids(count) } }),
  'hashtags of attachments, all of them': (count) => ({
    communityAttachmentFilters: { hashtagIds: ids(count), hashtagsLogicalAnd: true },
  }),
  'creators of attachments': (count) => ({ communityAttachmentFilters: { createdByUserIds: ids(count) } }),
  'groups of creators of attachments': (count) => ({ communityAttachmentFilters: { createdByGroupIds: ids(count) } }),
  'kinds of attachments': (count) => ({ communityAttachmentFilters: { mimeTypes: kinds(count) } }),
};

test.each(Object.entries(filters))('%s', async (_, filter) => {
  const few = await textsOf(filter(2));
  expect(few.length).toBeGreaterThan(1);
  expect(await textsOf(filter(200))).toEqual(few);
});
