/**
 * Which workers of a cluster (Citus) answer the coordinator. A worker that does not answer affects its own tenants only, so a
 * node of the service stays ready.
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

/** How long the coordinator waits for a worker, and the service for the coordinator. Milliseconds. */
const WORKER_MS = 2_000;
const ANSWER_MS = 20_000;
/** Interval between two checks. Milliseconds. */
const CHECK_INTERVAL_MS = 3_000;

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

/** Checks at intervals which workers answer, on a connection of its own. Stops where the database has no Citus. */
export class WorkerMonitor {
  readonly #connection: pg.ClientConfig;
  readonly #tell: (worker: Worker) => void;
  #workers: readonly Worker[] = [];
  #client: pg.Client | undefined;
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param tell called when a worker stops answering or answers again */
  constructor(connection: pg.ClientConfig, tell: (worker: Worker) => void) {
    this.#connection = { ...connection, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
    this.#tell = tell;
  }

  /** As of the last check that the coordinator answered. */
  get workers(): readonly Worker[] {
    return this.#workers;
  }

  /** Names of the workers that do not answer. */
  get away(): string[] {
    return this.#workers.filter(({ answers }) => !answers).map(({ name }) => name);
  }

  /** Checks repeatedly until it is stopped. */
  start(): void {
    const turn = () => {
      this.#checking = this.#check().then((cluster) => {
        if (cluster && !this.#stopped) this.#timer = setTimeout(turn, CHECK_INTERVAL_MS).unref();
      });
    };
    turn();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#checking;
    await this.#drop();
  }

  /** @returns false when the database has no Citus */
  async #check(): Promise<boolean> {
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
      // The coordinator does not answer: the monitor of the database says so.
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
