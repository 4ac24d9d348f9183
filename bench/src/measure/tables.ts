/** The tables of docs/performance.md and its appendix. */
import type { ListResult, Results } from './results.ts';
import { aroundShare, BOUNDS, classOf, megabytes, ms, percent } from './targets.ts';

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map((_, index) => (index === 0 ? '---' : '--:')).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}

const count = (value: number) => Math.round(value).toLocaleString('en');
const cores = (value: number) => value.toFixed(2);

/** Operations that represent the others, at eight connections. */
const SUMMARY = [
  'detail',
  'list',
  'list, one filter',
  'list, text',
  'totals',
  'stream, recent token',
  'create',
  'edit',
  'comment',
  'execute workflow',
];

/** Ten rows for the choice of machines. */
export function summaryTable({ operations }: Results): string {
  return table(
    ['operation', 'requests/s', 'of the limit', 'p50', 'p95', 'p99'],
    SUMMARY.flatMap((wanted) => {
      const found = operations.find(({ name }) => name === wanted);
      const level = found?.levels.find(({ connections }) => connections === 8) ?? found?.levels[0];
      if (!level) return [];
      const { portico, ratio } = level;
      return [[wanted, count(portico.perSecond), percent(ratio), ms(portico.p50), ms(portico.p95), ms(portico.p99)]];
    }),
  );
}

/** Operations by number of connections. */
export function operationTable({ operations }: Results): string {
  return table(
    [
      'operation',
      'connections',
      'requests/s',
      'of the limit',
      'p50',
      'p95',
      'p99',
      'p99 of the limit’s',
      'cores: server',
      'database',
      'load',
      'server memory',
      'failed',
    ],
    operations.flatMap(({ name, levels }) =>
      levels.map(({ connections, portico, ratio, p99Ratio, porticoUsed }) => [
        name,
        connections,
        count(portico.perSecond),
        `**${percent(ratio)}**`,
        ms(portico.p50),
        ms(portico.p95),
        ms(portico.p99),
        `${p99Ratio.toFixed(2)} ×`,
        cores(porticoUsed.serverCores),
        cores(porticoUsed.databaseCores),
        cores(porticoUsed.loadCores),
        megabytes(porticoUsed.serverMemory),
        portico.failed,
      ]),
    ),
  );
}

/** Reads of the statements of operations. */
export function touchedTable({ operations }: Results): string {
  return table(
    ['operation', 'statements', 'rows', 'pages in memory', 'pages read', 'answer'],
    operations.map(({ name, statements, touched, bytes }) => [
      name,
      statements,
      touched ? count(touched.rows) : '',
      touched ? count(touched.hit) : '',
      touched ? count(touched.read) : '',
      `${(bytes / 1024).toFixed(1)} KiB`,
    ]),
  );
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** All lists by the target that applies to them. */
export function groupsOfLists({ lists }: Results): string {
  const classes = Object.keys(BOUNDS) as (keyof typeof BOUNDS)[];
  return table(
    [
      'lists',
      'number',
      'bound of p95',
      'p50: median',
      'p95: median',
      'p95: nine in ten below',
      'p95: highest',
      'over the bound',
      'the limit over it',
      'requests/s of the limit’s: median',
    ],
    classes.map((name) => {
      const some = lists.filter((list) => classOf(list) === name);
      const p95 = some.map(({ portico }) => portico.p95);
      return [
        name,
        some.length,
        ms(BOUNDS[name]),
        ms(
          quantile(
            some.map(({ portico }) => portico.p50),
            0.5,
          ),
        ),
        ms(quantile(p95, 0.5)),
        ms(quantile(p95, 0.9)),
        ms(Math.max(0, ...p95)),
        some.filter(({ portico }) => portico.p95 > BOUNDS[name]).length,
        some.filter(({ limit }) => limit.p95 > BOUNDS[name]).length,
        percent(
          quantile(
            some.map(({ portico, limit }) => portico.perSecond / limit.perSecond),
            0.5,
          ),
        ),
      ];
    }),
  );
}

/** The part of a name before the order. */
const filtersOf = ({ name }: ListResult) => name.replace(/ ?by (?:post\w+|field \w+)( ascending)?$/, '');
const orderOf = ({ name }: ListResult) =>
  /by ((?:post\w+|field \w+)(?: ascending)?)$/.exec(name)?.[1] ?? 'the usual order';

const LIST_HEAD = ['p50', 'p95', 'the limit’s p50', 'rows', 'pages'];
const listCells = ({ portico, limit, touched }: ListResult) => [
  ms(portico.p50),
  ms(portico.p95),
  ms(limit.p50),
  count(touched.rows),
  count(touched.hit + touched.read),
];

/**
 * Orders; then filters and combinations, each in the default order and in its most expensive one.
 */
export function listTables({ lists }: Results): string {
  const orders = lists.filter(({ group }) => group === 'order');
  const filtered = Map.groupBy(
    lists.filter(({ group }) => group !== 'order'),
    (list) => `${list.group === 'combination'} ${filtersOf(list)}`,
  );
  const rows = (combination: boolean) =>
    [...filtered.values()].flatMap((same) => {
      const usual = same.find((list) => orderOf(list) === 'the usual order');
      if (!usual || (usual.group === 'combination') !== combination) return [];
      const slowest = same.reduce((most, list) => (list.portico.p95 > most.portico.p95 ? list : most));
      return [
        [
          filtersOf(usual),
          ...(combination ? [classOf(usual)] : []),
          percent(usual.share),
          ...listCells(usual),
          `${ms(slowest.portico.p95)} (${orderOf(slowest)})`,
        ],
      ];
    });
  return [
    '### Orders, first page',
    table(
      ['order', ...LIST_HEAD],
      orders.map((list) => [orderOf(list), ...listCells(list)]),
    ),
    '### One filter',
    'The last column is the slowest p95 among the orders that were tried.',
    table(['filter', 'fits', ...LIST_HEAD, 'slowest p95'], rows(false)),
    '### Three filters',
    table(['filters', 'held against', 'fits', ...LIST_HEAD, 'slowest p95'], rows(true)),
  ].join('\n\n');
}

export function pageTable({ pages }: Results): string {
  return table(
    ['order', 'page', 'p50 of page 1', 'p50 of that page', 'ratio'],
    pages.map(({ name, page, first, later }) => [
      name.replace(/^by /, ''),
      count(page),
      ms(first.p50),
      ms(later.p50),
      `${(later.p50 / first.p50).toFixed(2)} ×`,
    ]),
  );
}

export function totalTable({ totals }: Results): string {
  return table(
    ['filter', 'total', 'of the community', 'p50', 'p95'],
    totals.map(({ name, total, share, p50, p95 }) => [name, count(total), percent(share), ms(p50), ms(p95)]),
  );
}

/** A list request, from the whole to the bare statements. */
export function apartTable({ apart }: Results): string {
  if (!apart) return 'Not measured in this run.';
  const steps: [string, number][] = [
    ['Portico', apart.portico],
    ['the limit, after verifying the token and checking the caller in the database', apart.verified],
    ['the limit, after checking the caller in the database', apart.signed],
    ['the limit', apart.limit],
    ['the limit without row security', apart.bypass],
    ['the same for a manager: no rule about private posts', apart.managed],
  ];
  return [
    table(
      ['what runs', 'time per request', 'of Portico’s'],
      steps.map(([name, value]) => [name, ms(value), percent(value / apart.portico)]),
    ),
    `Verifying the token takes ${percent(Math.max(0, apart.verified - apart.signed) / apart.portico)} of a request, checking the caller ${percent(Math.max(0, apart.signed - apart.limit) / apart.portico)}, row security ${percent(Math.max(0, apart.limit - apart.bypass) / apart.portico)}, the rule about private posts ${percent(Math.max(0, apart.bypass - apart.managed) / apart.portico)}: together **${percent(aroundShare(apart))}**. Time per request is the inverse of the requests per second at eight connections: what both cores spend on one.`,
  ].join('\n\n');
}

export function memoryTable({ memory }: Results): string {
  return table(
    ['answers', 'connections', 'server', 'database, without shared buffers', 'requests/s', 'answer'],
    memory.map(({ name, connections, server, database, perSecond, bytesPerAnswer }) => [
      name,
      connections,
      megabytes(server),
      megabytes(database),
      count(perSecond),
      `${count(bytesPerAnswer / 1024)} KiB`,
    ]),
  );
}

/** How p50 grew, the lists that grew most first. */
export function growthTable({ growth, posts }: Results): string {
  if (!growth) return 'Not measured in this run.';
  const ratio = ({ small, large }: { small: number; large: number }) => large / small;
  const sorted = growth.lists.toSorted((a, b) => ratio(b) - ratio(a));
  const ratios = growth.lists.map(ratio);
  return [
    `From ${count(growth.posts)} posts to ${count(posts)}, the p50 of half of ${growth.lists.length} lists grew by no more than ${quantile(ratios, 0.5).toFixed(2)} ×, of nine in ten by no more than ${quantile(ratios, 0.9).toFixed(2)} ×. The ones that grew most:`,
    table(
      ['list', `${count(growth.posts)} posts`, `${count(posts)} posts`, 'ratio'],
      sorted.slice(0, 15).map((list) => [list.name, ms(list.small), ms(list.large), `${ratio(list).toFixed(2)} ×`]),
    ),
  ].join('\n\n');
}
