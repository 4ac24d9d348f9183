/** The variables of the configuration, as docs/operating/configure.md lists them. */
import { editDistance } from '@portico/platform/text';
import { backupVariables } from './backup.ts';
import { encryptionVariables } from './encryption.ts';
import { mailVariables } from './mail.ts';
import { s3Variables } from './s3.ts';
import type { Variable } from './variable.ts';

/** Every variable that the service reads. */
export const variables: readonly Variable[] = [
  { name: 'PORT', default: '8080', description: 'Port to listen on.' },
  {
    name: 'HOST',
    default: '127.0.0.1 and ::1',
    description: 'Address to listen on; `0.0.0.0` or `::` for all interfaces.',
  },
  { name: 'PORTICO_DATA_DIR', default: '.portico', description: 'Directory of the embedded database and of files.' },
  {
    name: 'PORTICO_START_COPY',
    default: 'false',
    description: 'Starts an embedded database whose files were copied while it ran; for one start.',
  },
  {
    name: 'DATABASE_URL',
    default: '',
    description: 'Owner’s connection string of an external PostgreSQL (15 or newer); unset uses the embedded one.',
    secret: true,
  },
  ...encryptionVariables,
  {
    name: 'PORTICO_DATABASE_ROLE',
    default: '<database>_service',
    description: 'Name of the role that queries run as; it is created at start.',
  },
  {
    name: 'PORTICO_DATABASE_WAIT_SECONDS',
    default: '60',
    description:
      'Time that a start waits for an external database that cannot be reached, is starting or takes no writes.',
  },
  {
    name: 'PORTICO_PROCESSES',
    default: 'by the cores',
    description:
      'Number of serving processes, 1 to 32. Default: one for each core, with the embedded ' +
      'database for every second one; at most 4, and 1 where memory is below 1 GiB.',
  },
  {
    name: 'PORTICO_DATABASE_POOL',
    default: '10',
    description:
      'Largest number of database connections of this node, divided among its processes; from 3 processes on the default is 4 for each.',
  },
  {
    name: 'PORTICO_DATABASE_SCOPE',
    default: 'connection',
    description: '`connection` for plain PostgreSQL, `transaction` for Citus and behind transaction poolers.',
  },
  {
    name: 'PORTICO_ACCESS_TOKEN_SECONDS',
    default: '3600',
    description: 'Lifetime of access tokens where the tenant sets none; a day at most.',
  },
  {
    name: 'PORTICO_PROVIDER_TOKENINFO_URL',
    default: 'Google’s',
    description:
      'Endpoint that describes access tokens of the identity provider (tokeninfo or RFC 7662 introspection).',
  },
  { name: 'PORTICO_PROVIDER_TIMEOUT_MS', default: '5000', description: 'Time limit of the identity provider.' },
  {
    name: 'PORTICO_PROVIDER_CLIENT_ID',
    default: '',
    description: 'Client id for an introspection endpoint that asks for one.',
  },
  { name: 'PORTICO_PROVIDER_CLIENT_SECRET', default: '', description: 'Its secret.', secret: true },
  {
    name: 'PORTICO_INTERNAL_PROVIDERS',
    default: '',
    description:
      'Comma-separated hosts (`name` or `name:port`, as in their addresses) of OpenID Connect ' +
      'providers that may have a private address; hosts on loopback may use http.',
  },
  {
    name: 'PORTICO_INTERNAL_WEBHOOKS',
    default: '',
    description:
      'Comma-separated receivers of webhooks, and push services of browsers, that may have a private address, each for one tenant: ' +
      '`tenant=name` or `tenant=name:port`; receivers on loopback may use http. `PORTICO_INTERNAL_PROVIDERS` does not count.',
  },
  {
    name: 'PORTICO_SIGN_IN_FAILURES',
    default: '600',
    description:
      'Failed sign-ins of one client address, or of one revoked key, within a minute before further ones get 429; 0 is no limit.',
  },
  {
    name: 'PORTICO_ANONYMOUS_REQUESTS',
    default: '3000',
    description:
      'Requests without a sign-in (sign-ins, documents, unknown paths, refused upload forms) of one client address within a minute before further ones get 429; 0 is no limit.',
  },
  {
    name: 'PORTICO_ACCOUNT_REQUESTS_AT_ONCE',
    default: '256',
    description: 'Requests of operations that one account may have in progress before further ones get 429.',
  },
  {
    name: 'PORTICO_TRUSTED_PROXIES',
    default: '',
    description:
      'Comma-separated addresses or networks of proxies with trusted X-Forwarded-For, -Proto and -Host headers.',
  },
  {
    name: 'PORTICO_TLS_CERT_FILE',
    default: '',
    description: 'Certificate chain (PEM); with the key file, the server speaks HTTPS. Reloaded when it changes.',
  },
  { name: 'PORTICO_TLS_KEY_FILE', default: '', description: 'Private key (PEM) of the certificate.' },
  { name: 'PORTICO_METRICS_PORT', default: '', description: 'Port of /metrics (Prometheus); unset is off.' },
  { name: 'PORTICO_METRICS_HOST', default: '127.0.0.1', description: 'Address of /metrics.' },
  { name: 'PORTICO_LOG_LEVEL', default: 'info', description: '`debug`, `info`, `warn`, `error` or `silent`.' },
  {
    name: 'PORTICO_LOG_FORMAT',
    default: 'auto',
    description: 'Form of the log: `text` for people, `json` for programs, `auto`: text on a terminal, else JSON.',
  },
  {
    name: 'PORTICO_FILES_DIR',
    default: '<data dir>/files',
    description: 'Directory of uploaded files; several nodes must share it.',
  },
  ...s3Variables,
  {
    name: 'PORTICO_LINK_SECONDS',
    default: '900',
    description:
      'Validity of signed links to files. Links that the server serves end earlier when the ' +
      'post is deleted; links into a store do not.',
  },
  {
    name: 'PORTICO_FILES_ORIGIN',
    default: '',
    description: 'Separate address for files, such as `https://files.example.org`; unset serves them at the portal’s.',
  },
  { name: 'PORTICO_MAX_UPLOAD_BYTES', default: '2147483648', description: 'Largest upload.' },
  {
    name: 'PORTICO_MIN_FREE_BYTES',
    default: '536870912',
    description: 'Room that is kept free where the directory of files is; with less, uploads get 507.',
  },
  {
    name: 'PORTICO_PENDING_UPLOADS',
    default: '1000',
    description: 'Maximum number of unattached uploads of one user.',
  },
  {
    name: 'PORTICO_PENDING_UPLOAD_BYTES',
    default: '8589934592',
    description: 'Their maximum total size (8 GiB); at least the largest upload.',
  },
  {
    name: 'PORTICO_TENANT_FILE_QUOTA',
    default: '53687091200',
    description:
      'Maximum total size of the files of a newly created tenant (50 GiB), or `none`; `portico ' +
      'tenant settings --file-quota` changes it for one tenant.',
  },
  {
    name: 'PORTICO_CLAMAV_HOST',
    default: '',
    description: 'Host of a ClamAV daemon that scans uploads before they are accepted; unset is off.',
  },
  { name: 'PORTICO_CLAMAV_PORT', default: '3310', description: 'Its TCP port.' },
  ...mailVariables,
  ...backupVariables,
  {
    name: 'PORTICO_ERASE_AFTER_DAYS',
    default: '30',
    description: 'Days after which a post marked as erasable is physically removed.',
  },
  {
    name: 'PORTICO_DEMO',
    default: 'true',
    description: 'Whether an installation without tenants gets the demo tenant (embedded database only, unless set).',
  },
  {
    name: 'PORTICO_STOP_TIMEOUT_MS',
    default: '30000',
    description: 'Time limit of requests in flight when the server stops; longer ones are cut off.',
  },
  {
    name: 'PORTICO_DRAIN_MS',
    default: '5000',
    description:
      'Time in which the server still answers after SIGTERM, with `/readyz` at 503, so that ' +
      'load balancers turn away from it first.',
  },
  {
    name: 'PORTICO_CHECK_ANSWERS',
    default: 'false',
    description: 'Compares every response with the contract before sending it.',
  },
];

/** Prefix of variables of Portico's own tests. */
const TEST_PREFIX = 'PORTICO_TEST_';

/**
 * Unknown variables with a name like Portico's: a misspelt one would otherwise be ignored.
 * @returns their names, and the known one that each resembles
 */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
): { name: string; meant: string | undefined }[] {
  const known = variables.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
  return Object.keys(env)
    .filter((name) => name.startsWith('PORTICO_') && !name.startsWith(TEST_PREFIX) && !known.includes(name))
    .sort()
    .map((name) => {
      const [nearest] = known
        .map((candidate) => ({ candidate, steps: editDistance(name, candidate) }))
        .sort((one, other) => one.steps - other.steps);
      // A short name is near to every other short one.
      const most = Math.min(5, Math.max(2, Math.ceil((name.length - 'PORTICO_'.length) / 3)));
      return { name, meant: nearest && nearest.steps <= most ? nearest.candidate : undefined };
    });
}
