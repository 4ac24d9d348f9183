/**
 * The figures of a node with several processes. Each process counts for itself, and a scrape adds them up; the counters of a process
 * stay in the sum when it ends, since a counter that falls looks like a restart of the node.
 */
import { AggregatorRegistry, type MetricObject, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Metrics } from '../metrics.ts';

/** Figures of one process. */
export type Figures = readonly MetricObject[];

/** The type as text: the enumeration of prom-client exists in its declarations only. */
const GROWING: readonly string[] = ['counter', 'histogram'];
/** Aggregators where the sum, or the choice of prom-client, would say little. */
const AGGREGATORS: readonly (readonly [name: RegExp, aggregator: 'first' | 'max'])[] = [
  // The start of the primary is that of the node.
  [/^process_start_time_seconds$/, 'first'],
  // A mean with idle processes would hide a busy one.
  [/^nodejs_eventloop_lag_(?!min)/, 'max'],
];

export class NodeMetrics {
  readonly #own: Metrics;
  /** Sums of processes that have ended. */
  #ended: Figures = [];

  /** @param own figures of the primary process */
  constructor(own: Metrics) {
    this.#own = own;
  }

  /** Keeps the counters of a process that ended. @param last its figures as they were last known */
  keep(last: Figures): void {
    this.#ended = add([this.#ended, last.filter(({ type }) => GROWING.includes(String(type)))]);
  }

  /** @param processes the figures of the processes that run */
  async text(processes: readonly Figures[]): Promise<string> {
    // The first of several figures names their aggregator.
    const own = (await this.#own.registry.getMetricsAsJSON()).map((metric) => {
      const [, aggregator = metric.aggregator] = AGGREGATORS.find(([name]) => name.test(metric.name)) ?? [];
      return { ...metric, aggregator };
    });
    return AggregatorRegistry.aggregate(copies([own, this.#ended, ...processes])).metrics();
  }

  get contentType(): string {
    return this.#own.registry.contentType;
  }
}

function add(all: readonly Figures[]): Figures {
  const sum = AggregatorRegistry.aggregate(copies(all)).getMetricsAsArray();
  return sum.map((metric) => ({ ...(metric as MetricObjectWithValues<MetricValue<string>>) }));
}

const copies = (all: readonly Figures[]) => all.map((figures) => [...figures]);
