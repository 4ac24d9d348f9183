/**
 * The workers of a cluster (Citus): which answer the coordinator. A worker that is away takes its tenants along and nobody else, so
 * a node of the service stays ready.
 */
import pg from 'pg';
import { hasCitus } from './citus.ts';

/** A worker of a cluster. */
export interface Worker {
  /** `host:port`, as the coordinator knows it. */
  readonly name: string;
  /** Whether it answers the coordinator. */
  readonly answers: boolean;
}

/** How long the coordinator waits for a worker, and this side for the coordinator. Milliseconds. */
const WORKER_MS = 2_000;
const ANSWER_MS = 20_000;
/** Interval between two looks. Milliseconds. */
const EVERY_MS = 3_000;

/**
 * Asks the coordinator which workers it reaches.
 * @param client at the coordinator, in a database that has Citus
 */
export async function readWorkers(client: pg.ClientBase): Promise<Worker[]> {
  await client.query(`SET citus.node_connection_timeout = ${WORKER_MS}`);
  const { rows } = await client.query<Worker>(
    `SELECT nodename || ':' || nodeport AS name, citus_check_connection_to_node(nodename, nodeport) AS answers
       FROM pg_dist_node WHERE groupid > 0 AND isactive AND noderole = 'primary' ORDER BY nodename, nodeport`,
  );
  return rows;
}

/** Looks at intervals which workers answer, on a connection of its own. Without Citus it finds none and stops. */
export class WorkerMonitor {
  readonly #connection: pg.ClientConfig;
  readonly #tell: (worker: Worker) => void;
  #workers: readonly Worker[] = [];
  #client: pg.Client | undefined;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param tell called when a worker went away or came back */
  constructor(connection: pg.ClientConfig, tell: (worker: Worker) => void) {
    this.#connection = { ...connection, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
    this.#tell = tell;
  }

  /** As of the last look; while the coordinator does not answer, as before. */
  get workers(): readonly Worker[] {
    return this.#workers;
  }

  /** Names of the workers that do not answer. */
  get away(): string[] {
    return this.#workers.filter(({ answers }) => !answers).map(({ name }) => name);
  }

  /** Looks repeatedly until it is stopped. */
  start(): void {
    const turn = () => {
      this.#looking = this.#look().then((cluster) => {
        if (cluster && !this.#stopped) this.#timer = setTimeout(turn, EVERY_MS).unref();
      });
    };
    turn();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await this.#drop();
  }

  /** @returns false when there is nothing to look at */
  async #look(): Promise<boolean> {
    try {
      if (!this.#client) {
        this.#client = new pg.Client(this.#connection);
        this.#client.on('error', () => undefined);
        await this.#client.connect();
        if (!(await hasCitus(this.#client))) {
          await this.#drop();
          return false;
        }
      }
      const known = new Map(this.#workers.map(({ name, answers }) => [name, answers]));
      this.#workers = await readWorkers(this.#client);
      for (const worker of this.#workers) if (worker.answers !== (known.get(worker.name) ?? true)) this.#tell(worker);
    } catch {
      // The coordinator is away: the monitor of the database says so.
      await this.#drop();
    }
    return true;
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }
}
