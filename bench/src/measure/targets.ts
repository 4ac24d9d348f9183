/** Promised targets, and their assessment by a run. */
import type { ListResult, Results } from './results.ts';

/** An assessed target. */
interface TargetResult {
  readonly target: string;
  /** Undefined: this run did not measure it. */
  readonly met: boolean | undefined;
  /** The deciding figures. */
  readonly found: string;
}

export function ms(value: number): string {
  if (value >= 100) return `${Math.round(value)} ms`;
  return `${value.toFixed(value >= 10 ? 1 : 2)} ms`;
}
export const percent = (value: number) =>
  value === 0 || value >= 0.1 ? `${Math.round(value * 100)}%` : `${Number((value * 100).toPrecision(2))}%`;
export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** Share up to which a filter counts as rare. */
const RARE = 0.01;
/** Share from which a value counts as common. */
const COMMON = 0.05;

const hasText = ({ name }: ListResult) =>
  /containsText|title|LIKE|(STRING|TEXT_AREA|DELTA_AREA|LINK) CONTAINS/.test(name);

/**
 * Returns the target class for a list's p95: one filter (or none), a text, a combination with few
 * matching posts, or with many.
 */
export function classOf(list: ListResult): 'one filter' | 'text' | 'selective' | 'adversarial' {
  if (list.group === 'combination') {
    if (list.rarest > RARE && list.share > RARE) return 'adversarial';
    return hasText(list) ? 'text' : 'selective';
  }
  return list.group === 'text' ? 'text' : 'one filter';
}

/** Maximum p95 of a class at eight connections. Milliseconds. */
export const BOUNDS = { 'one filter': 25, selective: 25, text: 100, adversarial: 250 } as const;

function worst<T>(items: readonly T[], of: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (most, item) => (most === undefined || of(item) > of(most) ? item : most),
    undefined,
  );
}

const TITLES = {
  'one filter': 'p95 ≤ 25 ms at 8 connections: no filter or one, any order',
  selective: 'p95 ≤ 25 ms at 8 connections: combinations whose rarest filter or intersection is ≤ 1%',
  text: 'p95 ≤ 100 ms at 8 connections: texts',
  adversarial: 'p95 ≤ 250 ms at 8 connections: combinations of filters that many posts fit',
} as const;

function* lists(results: Results): Generator<TargetResult> {
  for (const [name, target] of Object.entries(TITLES) as [keyof typeof TITLES, string][]) {
    const some = results.lists.filter((list) => classOf(list) === name);
    const slowest = worst(some, (list) => list.portico.p95);
    if (!slowest) {
      yield { target, met: undefined, found: '' };
      continue;
    }
    const over = some.filter((list) => list.portico.p95 > BOUNDS[name]);
    const bare = over.filter((list) => list.limit.p95 > BOUNDS[name]).length;
    const figures = `${some.length - over.length} of ${some.length}${over.length > 0 ? `; of the rest the limit, too, is over it in ${bare} of ${over.length}` : ''}; slowest ${ms(slowest.portico.p95)} (${slowest.name})`;
    yield { target, met: over.length === 0, found: figures };
  }
}

/** Assesses every target. */
export function assess(results: Results): readonly TargetResult[] {
  const { operations, pages, totals, growth, memory, apart } = results;
  const levelsOf = (names: readonly string[]) =>
    operations
      .filter(({ name }) => names.includes(name))
      .flatMap(({ name, levels }) => levels.map((level) => ({ name, ...level })));
  const assessed = <T>(
    target: string,
    items: readonly T[],
    of: (item: T) => number,
    bound: number,
    say: (item: T) => string,
  ): TargetResult => {
    const decides = worst(items, of);
    return decides === undefined
      ? { target, met: undefined, found: '' }
      : { target, met: of(decides) <= bound, found: say(decides) };
  };
  const reads = levelsOf(['detail', 'list']);
  const changes = levelsOf(['create', 'edit', 'comment', 'execute workflow']);
  const at = (level: { name: string; connections: number }) => `${level.name} at ${level.connections} connections`;
  const least = (levels: typeof reads, share: number, target: string) =>
    assessed(
      target,
      levels,
      (level) => -level.ratio,
      -share,
      (level) => `lowest ${percent(level.ratio)} (${at(level)})`,
    );
  const many = operations.flatMap(({ name, levels }) =>
    levels.filter(({ connections }) => connections === 128).map((level) => ({ name, ...level })),
  );
  const common = totals.filter(({ name, share }) => {
    const list = results.lists.find((candidate) => candidate.name === name);
    return share >= COMMON && list !== undefined && list.group !== 'text';
  });
  const small = [
    ...memory.filter(({ name }) => name === 'page of 20').map(({ connections, server }) => ({ connections, server })),
    ...reads.map(({ connections, porticoUsed }) => ({ connections, server: porticoUsed.serverMemory })),
  ];
  const scans = [
    ...results.lists.filter(({ touched }) => touched.sequential.length > 0).map(({ name }) => name),
    ...operations.filter(({ touched }) => (touched?.sequential.length ?? 0) > 0).map(({ name }) => name),
  ];
  return [
    least(reads, 0.7, 'Reads ≥ 70% of the limit’s requests per second (list, detail)'),
    assessed(
      'Reads: p99 ≤ 2.5 × the limit’s',
      reads,
      (level) => level.p99Ratio,
      2.5,
      (level) => `highest ${level.p99Ratio.toFixed(2)} × (${at(level)})`,
    ),
    ...lists(results),
    assessed(
      'Totals of common values ≤ 150 ms at 1 connection',
      common,
      (total) => total.p50,
      150,
      (total) => `${common.length} filters of ≥ 5%; slowest ${ms(total.p50)} (${total.name})`,
    ),
    assessed(
      'Page 1,000 ≤ 1.5 × page 1',
      pages,
      ({ first, later }) => later.p50 / first.p50,
      1.5,
      ({ name, page, first, later }) =>
        `highest ${(later.p50 / first.p50).toFixed(2)} × (page ${page} ${name}: ${ms(first.p50)} → ${ms(later.p50)})`,
    ),
    assessed(
      `No list’s p50 grows more than 1.5 × from 10,000 posts to ${results.posts.toLocaleString('en')}`,
      growth?.lists ?? [],
      (list) => list.large / list.small,
      1.5,
      (list) => {
        const over = growth!.lists.filter(({ small: before, large }) => large / before > 1.5).length;
        return `${growth!.lists.length - over} of ${growth!.lists.length} lists; highest ${(list.large / list.small).toFixed(2)} × (${list.name}: ${ms(list.small)} → ${ms(list.large)})`;
      },
    ),
    {
      target: 'No shape reads a large table from end to end',
      met: results.lists.length === 0 ? undefined : scans.length === 0,
      found: scans.length === 0 ? `${results.lists.length} lists` : scans.slice(0, 5).join(', '),
    },
    least(changes, 0.6, 'Writes ≥ 60% of the limit (create, edit, comment, execute workflow)'),
    assessed(
      'Server memory ≤ 300 MB under load at page size 20',
      small,
      ({ server }) => server,
      300e6,
      ({ server, connections }) => `most ${megabytes(server)} (${connections} connections)`,
    ),
    assessed(
      '128 connections lose no request',
      many,
      ({ portico }) => portico.failed,
      0,
      () => `${many.reduce((sum, { portico }) => sum + portico.failed, 0)} failed in ${many.length} operations`,
    ),
    {
      target: 'Authentication, tenant scoping and permission ≤ 15% of a list request',
      met: apart && aroundShare(apart) <= 0.15,
      found: apart ? percent(aroundShare(apart)) : '',
    },
  ];
}

/** Share of a list request that sign-in, isolation and visibility cost together. */
export function aroundShare({ verified, managed, portico }: NonNullable<Results['apart']>): number {
  return Math.max(0, verified - managed) / portico;
}
