/** Calls operations by their id and keeps what each answered: the walk over the demo tenant goes through here. */
import { type Operation, type OperationId, operations } from '@portico/contract';
import type { Answer, Json, PortalClient } from './client.ts';
import { faultsOf, noteFilled } from './responses.ts';

export interface CallInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  body?: Json;
}

export class Walk {
  readonly client: PortalClient;
  /** Statuses by operation. */
  readonly statuses = new Map<string, Map<number, number>>();
  /** Breaches of the contract. */
  readonly faults: string[] = [];
  /** Answers that are neither 200 nor expected, in sentences. */
  readonly surprises: string[] = [];

  constructor(client: PortalClient) {
    this.client = client;
  }

  /** Calls an operation; a 200 is judged and noted. */
  async call(id: OperationId, input: CallInput = {}): Promise<Answer> {
    const operation: Operation = operations[id];
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = input.params?.[name];
      if (value === undefined) throw new Error(`${id} needs ${name}`);
      return encodeURIComponent(String(value));
    });
    const answer = await this.client.call(operation.method, path, {
      ...(input.query && { query: input.query }),
      ...(operation.body && { body: input.body ?? {} }),
    });
    const seen = this.statuses.get(id) ?? new Map<number, number>();
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    this.statuses.set(id, seen);
    if (answer.status === 200 && answer.body) {
      this.faults.push(...faultsOf(operation, answer.body));
      noteFilled(operation, answer.body);
    }
    return answer;
  }

  /** Calls an operation that must answer 200 (or is not built yet). @returns its body, empty otherwise */
  async read(id: OperationId, input: CallInput = {}): Promise<Json> {
    const answer = await this.call(id, input);
    if (answer.status !== 200 && answer.status !== 501) {
      this.surprises.push(
        `${id} ${JSON.stringify(input).slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 400)}`,
      );
    }
    return answer.status === 200 ? (answer.body ?? {}) : {};
  }

  /** A write that is undone: `dryRun=true`. */
  async write(id: OperationId, input: CallInput = {}): Promise<Json> {
    return this.read(id, { ...input, query: { ...input.query, dryRun: true } });
  }

  /** Items of a paged operation. The pages are small, so that there are several. */
  async items(id: OperationId, input: CallInput = {}, pages = 50): Promise<Json[]> {
    const items: Json[] = [];
    let pageToken: string | undefined;
    for (let page = 0; page < pages; page++) {
      const body = { calculateTotalItemsCount: true, pageSize: 5, ...input.body, ...(pageToken && { pageToken }) };
      const answer = await this.read(id, { ...input, body });
      items.push(...((answer.items as Json[] | undefined) ?? []));
      pageToken = answer.nextPageToken as string | undefined;
      if (!pageToken) break;
    }
    return items;
  }
}

/** Distinct numbers of a list, undefined left out. */
export function idsOf(items: readonly (Json | undefined)[], field = 'id'): number[] {
  return [...new Set(items.flatMap((item) => (typeof item?.[field] === 'number' ? [item[field] as number] : [])))];
}
