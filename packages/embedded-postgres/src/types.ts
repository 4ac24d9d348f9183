/** A line for the caller's log; `msg` is a sentence, further keys are details. */
export type EmbeddedPostgresLogLine = {
  level: 'debug' | 'info' | 'warn' | 'error';
  msg: string;
  [detail: string]: unknown;
};

export type EmbeddedPostgresLog = (line: EmbeddedPostgresLogLine) => void;

/**
 * Settings with which `pg` connects as the owner (superuser) of the cluster; `host` is the
 * directory of the unix socket.
 */
export type EmbeddedPostgresConnection = {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
};

export type EmbeddedPostgresOptions = {
  /** The directory Portico may fill, for instance `<repo>/.portico`; made when absent. The cluster is `<dataDir>/postgres`. */
  dataDir: string;
  log: EmbeddedPostgresLog;
  /** Server settings by name (`{ max_connections: '50' }`); they win over the defaults and hold until the next start. */
  settings?: Record<string, string>;
  /** Ends a start that is under way; has no effect afterwards. */
  signal?: AbortSignal;
  /** How long a fast shutdown may take before an immediate one follows, in milliseconds. Default 15,000. */
  stopTimeoutMs?: number;
  /** Brings a server back that ends unasked (default true for servers). The address and the password stay the same. */
  restart?: boolean;
  /** Called once when the server ended unasked and was not brought back. */
  onLost?: (error: Error) => void;
  /** A server that ended on a disk with less room, in bytes, and does not start, is tried until it does. Default 32 MiB. */
  startRoomBytes?: number;
  /** Makes the cluster without waiting for the disk: for clusters that may be lost. Default false. */
  skipInitialSync?: boolean;
  /** Puts finished files of the write-ahead log into {@link ClusterFiles.logArchive}, at least one a minute with writes. */
  archiveLog?: boolean;
  /** How long a start may take, in milliseconds. Default five minutes. */
  startTimeoutMs?: number;
  /** Starts a cluster also when it was copied while its server ran. Default false. */
  startCopy?: boolean;
  /** Where root keeps the files when they cannot stay below the data directory. Default `/var/lib/portico`. */
  relocationRoot?: string;
};

/** Where a data directory has its cluster. */
export type ClusterFiles = {
  readonly clusterDir: string;
  /** The finished files of the log. The archiver removes a file once it is stored elsewhere. */
  readonly logArchive: string;
  /** The owner's password. */
  readonly passwordFile: string;
};

export type EmbeddedPostgres = {
  /** Connection string of the owner over the unix socket, for `pg`; holds the password. */
  readonly adminUrl: string;
  readonly connection: EmbeddedPostgresConnection;
  /** Process id of the postmaster; changes when the server was brought back. */
  readonly pid: number;
  /** True when the postmaster was running already and was taken over. */
  readonly adopted: boolean;
  /** Version of the running server, for instance `18.4`. */
  readonly version: string;
  /** Directory of the cluster: `<dataDir>/postgres`, or its place below the relocation root. */
  readonly clusterDir: string;
  /** The server's own log file. */
  readonly logFile: string;
  /** Stops the server (fast shutdown, immediate after a bounded wait) and frees the data directory. Safe to repeat. */
  stop(): Promise<void>;
};
