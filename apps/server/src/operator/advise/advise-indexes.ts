/**
 * The index adviser: slow shapes of lists from real use, an index that would help each, and advised
 * indexes without use.
 */
import { FieldType, FilterType } from '@portico/contract';
import type pg from 'pg';
import { readShapes, type ShapeReport } from '../../modules/posts/list-shapes/index.ts';
import type { TenantDb } from '../../platform/db/tenant-db.ts';
import { type IndexCatalog, type IndexUse, readIndexCatalog } from './index-catalog.ts';
import { asKnown, type IndexSpec, type KnownIndex, mergeable, merged, nameOf, serves } from './index-spec.ts';
import { type Advice, adviceFor, type Gain, type Recommendation, readFieldFilter } from './recommend.ts';

const DAY_MS = 86_400_000;
/** Smaller tables are fast without an index. */
const FEW_ROWS = 2_000;
/** An advised index that was not used for this long is unused. */
const UNUSED_DAYS = 7;
const MAX_SHAPES_PER_TENANT = 100;
/** Bytes that an entry of an index takes beside its columns. */
const ENTRY_BYTES = 16;

interface AdviseOptions {
  /** Least mean time of a list to be told, in milliseconds. */
  readonly minMs: number;
  /** How many days back lists count. */
  readonly days: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Slow lists of one shape. */
interface SlowShape {
  readonly tenant: string;
  readonly communityId: number;
  readonly community: string;
  readonly use: 'page' | 'total';
  readonly order: string;
  /** Kinds of filters; fields by their labels. */
  readonly filters: string;
  readonly lists: number;
  readonly meanMs: number;
  readonly slowestMs: number;
  readonly totalSeconds: number;
  readonly failures: number;
  /** How pages were found: `index scan`, `candidate set`, or both. */
  readonly plan: string;
  readonly why: string;
  /** Names of recommended indexes. */
  readonly build: readonly string[];
  /** Names of indexes that are there and serve the shape as well as one can. */
  readonly served: readonly string[];
}

export interface RecommendedIndex {
  readonly name: string;
  readonly gain: Gain;
  /** Time of all lists it would help. Seconds. */
  readonly seconds: number;
  /** About. */
  readonly bytes: number;
  readonly spec: IndexSpec;
}

interface AdvisedIndex {
  readonly name: string;
  readonly definition: string;
  readonly bytes: number;
  readonly scans: number;
  /** Epoch milliseconds. */
  readonly builtAt: number | null;
  readonly lastScan: number | null;
  /** `invalid`: left by an interrupted build; `superseded`: another one serves all that it does. */
  readonly state: 'used' | 'unused' | 'young' | 'superseded' | 'invalid' | 'unknown';
}

export interface IndexAdvice {
  readonly shapes: readonly SlowShape[];
  readonly recommended: readonly RecommendedIndex[];
  readonly advised: readonly AdvisedIndex[];
}

/** A tenant whose lists are analysed. */
interface AdvisedTenant {
  readonly name: string;
  readonly db: TenantDb;
}

interface TenantAdvice {
  readonly tenant: string;
  readonly report: ShapeReport;
  readonly names: Names;
  readonly advice: Advice;
}

interface Names {
  readonly communities: ReadonlyMap<number, string>;
  readonly fields: ReadonlyMap<number, { label: string; type: FieldType }>;
}

/** @param owner connection of the tables' owner */
export async function adviseIndexes(
  owner: pg.ClientBase,
  tenants: readonly AdvisedTenant[],
  { minMs, days, now }: AdviseOptions,
): Promise<IndexAdvice> {
  const catalog = await readIndexCatalog(owner);
  const advised: TenantAdvice[] = [];
  for (const { name: tenant, db } of tenants) {
    const since = now - (days - 1) * DAY_MS;
    const reports = await readShapes(db, { since, minMs, limit: MAX_SHAPES_PER_TENANT });
    const names = await readNames(db, reports);
    const types = new Map([...names.fields].map(([id, { type }]) => [id, type]));
    for (const report of reports)
      advised.push({ tenant, report, names, advice: adviceFor(report.shape, report, types) });
  }
  const specs = specsOf(
    advised.flatMap(({ advice }) => advice.wanted),
    catalog,
  );
  const shapes = advised.map((one) => slowShape(one, specs, catalog));
  return {
    shapes: shapes.sort((one, other) => other.totalSeconds - one.totalSeconds),
    recommended: specs.map((spec) => recommended(spec, advised, shapes, catalog)).sort((a, b) => b.seconds - a.seconds),
    advised: catalog.indexes.filter((index) => index.advised).map((index) => assessIndex(index, catalog, now)),
  };
}

async function readNames(db: TenantDb, reports: readonly ShapeReport[]): Promise<Names> {
  const communityIds = [...new Set(reports.map((report) => report.communityId))];
  const fieldIds = reports.flatMap(({ shape }) =>
    [...shape.filters.map((filter) => readFieldFilter(filter)?.fieldId), fieldOfOrder(shape.order)].filter(
      (id) => id !== undefined,
    ),
  );
  const communities = await db.query<{ id: number; name: string }>(
    'SELECT id, name FROM communities WHERE tenant_id = $1 AND id = ANY ($2::bigint[])',
    [db.tenantId, communityIds],
  );
  const fields = await db.query<{ id: number; label: string; type: FieldType }>(
    'SELECT id, label, type FROM fields WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND type = ANY ($3::smallint[])',
    [db.tenantId, [...new Set(fieldIds)], Object.values(FieldType)],
  );
  return {
    communities: new Map(communities.map(({ id, name }) => [id, name])),
    fields: new Map(fields.map(({ id, ...field }) => [id, field])),
  };
}

/** Names of the operators of field filters. */
const operators = new Map<number, string>(Object.entries(FilterType).map(([name, code]) => [code, name]));

function fieldOfOrder(order: string): number | undefined {
  const [, id] = /^field (\d+)$/.exec(order) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The index that is there and serves the recommendation. */
function servedBy({ spec }: Recommendation, indexes: readonly KnownIndex[]): KnownIndex | undefined {
  return indexes.find((index) => serves(index, spec));
}

/**
 * The indexes to build: one index for all recommendations that differ only in the columns they
 * hold, with the columns of the advised index that it will replace.
 */
function specsOf(wanted: readonly Recommendation[], { indexes, tables }: IndexCatalog): IndexSpec[] {
  const specs: IndexSpec[] = [];
  const add = (spec: IndexSpec) => {
    const at = specs.findIndex((other) => mergeable(other, spec));
    if (at >= 0) specs[at] = merged(specs[at] as IndexSpec, spec);
    else {
      const older = indexes.filter((index) => index.advised && index.valid && mergeable(asSpec(index), spec));
      specs.push(older.reduce((all, index) => merged(all, asSpec(index)), spec));
    }
  };
  for (const one of wanted)
    if ((tables.get(one.spec.table)?.rows ?? 0) >= FEW_ROWS && !servedBy(one, indexes)) add(one.spec);
  return specs;
}

function asSpec(index: IndexUse): IndexSpec {
  const where = index.where?.replaceAll(/[()]/g, '') as IndexSpec['where'];
  return {
    table: index.table as IndexSpec['table'],
    keys: index.keys.map(String),
    include: index.include,
    ...(where && { where }),
  };
}

function slowShape(
  { tenant, report, names, advice }: TenantAdvice,
  specs: readonly IndexSpec[],
  catalog: IndexCatalog,
): SlowShape {
  const { shape, lists, totalMs, communityId } = report;
  const build = new Set<string>();
  const served = new Set<string>();
  let few = false;
  for (const one of advice.wanted) {
    const index = servedBy(one, catalog.indexes);
    const spec = specs.find((candidate) => serves(asKnown(candidate), one.spec));
    if (index) served.add(index.name);
    else if (spec) build.add(nameOf(spec));
    else few = true;
  }
  const field = (id: number) => names.fields.get(id)?.label ?? `field ${id}`;
  const ordered = fieldOfOrder(shape.order);
  return {
    tenant,
    communityId,
    community: names.communities.get(communityId) ?? String(communityId),
    use: shape.use,
    order: ordered === undefined ? shape.order : field(ordered),
    filters: shape.filters
      .map((filter) => {
        const read = readFieldFilter(filter);
        return read ? `${field(read.fieldId)} ${operators.get(read.operator)}${read.short ? ', short' : ''}` : filter;
      })
      .join('; '),
    lists,
    meanMs: totalMs / lists,
    slowestMs: report.slowestMs,
    totalSeconds: totalMs / 1000,
    failures: report.failures,
    plan: [...(report.walks > 0 ? ['index scan'] : []), ...(report.drives > 0 ? ['candidate set'] : [])].join(', '),
    why: few ? `The table has fewer than ${FEW_ROWS} rows: an index makes no difference yet.` : advice.why,
    build: [...build],
    served: [...served],
  };
}

function recommended(
  spec: IndexSpec,
  advised: readonly TenantAdvice[],
  shapes: readonly SlowShape[],
  { tables }: IndexCatalog,
): RecommendedIndex {
  const name = nameOf(spec);
  const large = advised.some(({ advice }) =>
    advice.wanted.some((one) => one.gain === 'large' && serves(asKnown(spec), one.spec)),
  );
  const table = tables.get(spec.table);
  const width = [...spec.keys, ...spec.include].reduce(
    (sum, column) => sum + (table?.width.get(column) ?? 8),
    ENTRY_BYTES,
  );
  return {
    name,
    gain: large ? 'large' : 'some',
    seconds: shapes.filter((shape) => shape.build.includes(name)).reduce((sum, shape) => sum + shape.totalSeconds, 0),
    bytes: Math.round((table?.rows ?? 0) * width),
    spec,
  };
}

function assessIndex(index: IndexUse, { indexes, countedSince, scansKnown }: IndexCatalog, now: number): AdvisedIndex {
  const { name, definition, bytes, scans, builtAt, lastScan } = index;
  const watchedSince = Math.max(builtAt ?? 0, countedSince ?? 0);
  const longAgo = now - UNUSED_DAYS * DAY_MS;
  const state = () => {
    if (!index.valid) return 'invalid';
    if (indexes.some((other) => other.name !== name && better(other, index))) return 'superseded';
    if (!scansKnown) return 'unknown';
    if (scans > 0 && (lastScan === null || lastScan > longAgo)) return 'used';
    return watchedSince > longAgo ? 'young' : 'unused';
  };
  return { name, definition, bytes, scans, builtAt, lastScan, state: state() };
}

/** Whether another index holds more and serves the same. */
function better(other: IndexUse, index: IndexUse): boolean {
  const columns = (one: IndexUse) => one.keys.length + one.include.length;
  return columns(other) > columns(index) && serves(other, asSpec(index));
}
