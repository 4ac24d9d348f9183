/** Calls operations by their id and keeps what each answered: the walk over the demo tenant goes through here. */
import { type Operation, type OperationId, operations } from '@portico/contract';
import { absentMembers } from '@portico/contract/schemas';
import { type Input, type PorticoClient, ResponseError } from '@portico/sdk';
import type { Json, KeyFile } from './client.ts';
import { faultsOf, noteFilled } from './responses.ts';

interface CallInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  body?: Json;
}

/** An answer; a refusal is an answer too. */
interface Answer {
  status: number;
  body: Json | undefined;
  text: string;
}

export class Walk {
  readonly client: PorticoClient;
  readonly key: KeyFile;
  /** Statuses by operation. */
  readonly statuses = new Map<string, Map<number, number>>();
  /** Breaches of the contract. */
  readonly faults: string[] = [];
  /** Answers that are neither 200 nor expected, in sentences. */
  readonly surprises: string[] = [];

  constructor(client: PorticoClient, key: KeyFile) {
    this.client = client;
    this.key = key;
  }

  /** Calls an operation through the client library; checks and records a 200. */
  async call(id: OperationId, input: CallInput = {}): Promise<Answer> {
    const operation: Operation = operations[id];
    const answer = await this.#send(id, { ...input.params, ...input.query, ...input.body });
    const seen = this.statuses.get(id) ?? new Map<number, number>();
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    this.statuses.set(id, seen);
    if (answer.status === 200 && answer.body) {
      this.faults.push(...faultsOf(operation, answer.body), ...absentFrom(operation, input, answer.body));
      noteFilled(operation, answer.body);
    }
    return answer;
  }

  async #send(id: OperationId, input: Json): Promise<Answer> {
    try {
      // The values from the walk are untyped; the server validates them.
      const body = (await this.client.call(id, input as Input<typeof id>)) as Json | undefined;
      return { status: 200, body, text: '' };
    } catch (error) {
      if (!(error instanceof ResponseError)) throw error;
      return { status: error.status, body: error.body as Json | undefined, text: error.message };
    }
  }

  /**
   * Calls an operation that must return 200.
   * @returns its body; empty, and the answer recorded as a surprise, otherwise
   */
  async read(id: OperationId, input: CallInput = {}): Promise<Json> {
    const answer = await this.call(id, input);
    if (answer.status !== 200) {
      this.surprises.push(
        `${id} ${JSON.stringify(input).slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 400)}`,
      );
    }
    return answer.status === 200 ? (answer.body ?? {}) : {};
  }

  /** Runs a write that is undone: `dryRun=true`. */
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

function absentFrom(operation: Operation, { query = {} }: CallInput, body: Json): string[] {
  return absentMembers(operation, query, body).map((fault) => `${operation.id}: ${fault}`);
}

/** Distinct numbers of a list, undefined left out. */
export function idsOf(items: readonly (Json | undefined)[], field = 'id'): number[] {
  return [...new Set(items.flatMap((item) => (typeof item?.[field] === 'number' ? [item[field] as number] : [])))];
}
