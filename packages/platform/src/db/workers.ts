/**
 * Checks which workers of a cluster (Citus) answer the coordinator. A worker that does not answer
 * affects its own tenants only, so a node of the service stays ready.
 */
import pg from 'pg';
import { hasCitus } from './citus.ts';

/** A worker of a cluster. */
interface Worker {
  /** `host:port`, as the coordinator knows it. */
  readonly name: string;
  /** Whether it answers the coordinator. */
  readonly answers: boolean;
}

/** How long the coordinator waits for a worker, and the service for the coordinator. Milliseconds. */
const WORKER_MS = 2_000;
const ANSWER_MS = 20_000;
/** Interval between two checks while all answer, and while one does not. Milliseconds. */
const CHECK_INTERVAL_MS = 3_000;
const AWAY_INTERVAL_MS = 1_000;
/** Table whose shards stand for the shards of all tables of a tenant. */
const ANCHOR = 'tenant_versions';

/**
 * Asks the coordinator which workers it reaches.
 * @param client at the coordinator, in a database that has Citus
 */
export async function readWorkers(client: pg.ClientBase): Promise<Worker[]> {
  // On a connection that is kept, Citus waits for an answer without a limit: each check makes a new one.
  await client.query(`SET citus.max_cached_conns_per_worker = 0; SET citus.node_connection_timeout = ${WORKER_MS}`);
  const { rows } = await client.query<Worker>(
    `SELECT nodename || ':' || nodeport AS name, citus_check_connection_to_node(nodename, nodeport) AS answers
       FROM pg_dist_node WHERE groupid > 0 AND isactive AND noderole = 'primary' ORDER BY nodename, nodeport`,
  );
  return rows;
}

/** The tenants on some workers. The coordinator knows without asking them. */
async function readTenantsOn(client: pg.ClientBase, workers: readonly string[]): Promise<Set<number>> {
  if (workers.length === 0) return new Set();
  const shards = await client.query<{ id: string }>(
    `SELECT s.shardid::text AS id FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid
       JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
      WHERE s.logicalrelid = $1::regclass AND n.nodename || ':' || n.nodeport = ANY ($2::text[])`,
    [ANCHOR, workers],
  );
  const { rows } = await client.query<{ id: string; shard: string }>(
    'SELECT id::text AS id, get_shard_id_for_distribution_column($1::regclass, id)::text AS shard FROM tenants',
    [ANCHOR],
  );
  const away = new Set(shards.rows.map(({ id }) => id));
  return new Set(rows.filter(({ shard }) => away.has(shard)).map(({ id }) => Number(id)));
}

/** Events of workers. */
interface WorkerEvents {
  /** A worker stops answering or answers again. */
  changed(worker: Worker): void;
  /** The tenants on workers that did not answer twice in a row. They need not be tried. */
  away(tenants: ReadonlySet<number>): void;
}

/** Checks at intervals which workers answer, on a connection of its own. Stops where the database has no Citus. */
export class WorkerMonitor {
  readonly #connection: pg.ClientConfig;
  readonly #events: WorkerEvents;
  #workers: readonly Worker[] = [];
  #client: pg.Client | undefined;
  #checking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(connection: pg.ClientConfig, events: WorkerEvents) {
    this.#connection = { ...connection, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
    this.#events = events;
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
        const interval = this.away.length > 0 ? AWAY_INTERVAL_MS : CHECK_INTERVAL_MS;
        if (cluster && !this.#stopped) this.#timer = setTimeout(turn, interval).unref();
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
      for (const worker of this.#workers)
        if (worker.answers !== (known.get(worker.name) ?? true)) this.#events.changed(worker);
      const twice = this.away.filter((name) => known.get(name) === false);
      this.#events.away(await readTenantsOn(this.#client, twice));
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
