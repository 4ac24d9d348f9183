/**
 * The allowed imports between folders. An unlisted folder or edge is a breach. The lists are read
 * from the bottom up: `packages/platform` knows nothing of the product, `kernel/` knows scopes, rights and
 * transactions, `modules/` are the domains, and `process/` puts everything together.
 */

export interface Zone {
  /** Path prefixes, relative to the root; the longest prefix of all zones wins. */
  paths: readonly string[];
  /** Further files of the zone, which belong to no other. */
  pattern?: RegExp;
  /** Names of zones that this one may import, besides itself. */
  mayImport: readonly string[];
  /** Packages that this zone may import; Node's own modules are always allowed unless listed in `without`. */
  packages: readonly string[] | 'any';
  /** Node modules that this zone must not import. */
  without?: readonly string[];
  /** Others reach this zone only through these files of it. Default: any file. */
  entry?: RegExp;
  /** Its folders must not import each other in a circle. */
  parts?: true;
}

const S = 'apps/server/src';

/** Zones of the platform: what Portico is built on. */
const platform: Record<string, Zone> = {};
const PLATFORM: Record<string, { to?: string[]; packages?: string[] }> = {
  db: { packages: ['pg', 'pg-protocol', 'lru-cache'] },
  log: { to: ['db', 'files'], packages: ['pino', 'pino-pretty'] },
  files: {
    to: ['text'],
    packages: [
      '@aws-sdk/client-s3',
      '@aws-sdk/s3-presigned-post',
      '@aws-sdk/s3-request-presigner',
      '@napi-rs/canvas',
      'cfb',
      'entities',
      'numfmt',
      'pdfjs-dist',
      'pdfjs-dist/legacy/build/pdf.mjs',
      'pdfjs-dist/types/src/display/api.js',
      'postal-mime',
      'sharp',
      'yauzl',
    ],
  },
  mail: { to: ['files'], packages: ['nodemailer', 'email-reply-parser', 'imapflow', 'mailauth', 'postal-mime'] },
  outgoing: {},
  richtext: { to: ['text'], packages: ['markdown-it'] },
  text: { packages: ['re2js', 'unhomoglyph'] },
  time: { packages: ['temporal-polyfill'] },
  sealing: {},
  totp: { packages: ['otpauth'] },
  webauthn: { packages: ['@simplewebauthn/server', '@simplewebauthn/server/helpers'] },
  tokens: { packages: ['jose'] },
};
for (const [name, { to = [], packages = [] }] of Object.entries(PLATFORM)) {
  platform[`platform/${name}`] = {
    paths: [`packages/platform/src/${name}/`],
    mayImport: ['platform', ...to.map((other) => `platform/${other}`)],
    packages,
  };
}
const ALL_PLATFORM = ['platform', ...Object.keys(platform)];

/**
 * The domains of the server with their packages. Their order is the architecture: a domain may
 * import those before it, through their `index.ts`, and `kernel` and `platform`.
 */
const DOMAINS: Readonly<Record<string, readonly string[]>> = {
  fields: [],
  records: [],
  files: ['@fastify/busboy'],
  people: [
    'jose',
    'jose/decode/protected_header',
    'jose/jwt/sign',
    'jose/jwt/verify',
    'jose/key/export',
    'jose/key/generate/keypair',
    'jose/key/import',
    'lru-cache',
    'openid-client',
    '@zxcvbn-ts/language-common',
    'p-limit',
    'yazl',
  ],
  tenants: ['pg'],
  communities: ['lru-cache'],
  'post-parts': [],
  posts: ['diff', 'ical-generator', 'lru-cache'],
  definitions: [],
  imports: [
    '@portico/contract/encodings',
    'chardet',
    'luxon',
    'numfmt',
    'p-limit',
    'read-excel-file/node',
    'yaml',
    'yauzl',
    'yazl',
  ],
  notifications: ['web-push'],
  webhooks: [],
  search: ['lru-cache'],
  administration: [],
};

/**
 * Descriptions of tables: they are beside the code of their owners and import none of it, so that
 * one file can combine all.
 */
const tables: Zone = {
  paths: [],
  pattern: new RegExp(`^${S}/modules/.+/tables\\.ts$`),
  mayImport: [...ALL_PLATFORM, 'kernel'],
  packages: [],
};
const registry: Zone = { paths: [`${S}/modules/tables.ts`], mayImport: [...tables.mayImport, 'tables'], packages: [] };
/** Names of columns, for statements that read tables of other domains. */
const columns: Zone = { paths: [`${S}/modules/columns.ts`], mayImport: registry.mayImport, packages: [] };
const modules: Record<string, Zone> = {};
for (const [name, packages] of Object.entries(DOMAINS)) {
  modules[`modules/${name}`] = {
    paths: [`${S}/modules/${name}/`],
    mayImport: [...ALL_PLATFORM, 'kernel', 'tables', 'columns', ...Object.keys(modules)],
    packages: ['@portico/contract', ...packages],
    without: ['node:http', 'node:https'],
    entry: /\/index\.ts$/,
    parts: true,
  };
}
const ALL_MODULES = Object.keys(modules);

const SERVER_LIBRARIES = ['@portico/contract', '@portico/contract/schemas', '@portico/contract/openapi'];

/** The files of Quill in the editor of the page. */
const QUILL = [
  'quill/core.js',
  ...['block', 'embed'].map((blot) => `quill/blots/${blot}.js`),
  ...'blockquote bold code header indent italic link list script strike underline'
    .split(' ')
    .map((format) => `quill/formats/${format}.js`),
];

/** Every folder that holds code of the product. Tests have rules of their own, in check.ts. */
export const zones: Readonly<Record<string, Zone>> = {
  contract: { paths: ['packages/contract/src/'], mayImport: [], packages: [] },
  sdk: { paths: ['packages/sdk/src/'], mayImport: [], packages: ['@portico/contract'] },
  cli: {
    paths: ['packages/cli/src/', 'packages/cli/bin/'],
    mayImport: [],
    packages: [
      '@michaelhomer/jqjs',
      '@napi-rs/keyring',
      'mustache',
      '@portico/contract',
      '@portico/contract/encodings',
      '@portico/contract/schemas',
      '@portico/sdk',
      '@portico/server/operator',
      'chardet',
      'commander',
      'yaml',
    ],
  },
  web: {
    paths: ['apps/web/src/'],
    mayImport: ['web addresses'],
    packages: [
      '@fontsource-variable/inter/index.css',
      '@mantine/core',
      '@mantine/hooks',
      '@portico/contract/accent',
      '@portico/contract/audit-words',
      '@portico/sdk',
      '@tanstack/react-query',
      '@tanstack/react-router',
      'idb-keyval',
      'lucide-react',
      'node-diff3',
      ...QUILL,
      'react',
      'react-dom/client',
      'yaml',
    ],
  },
  'web addresses': { paths: ['apps/web/src/addresses.ts'], mayImport: [], packages: [] },
  'web build': {
    paths: ['apps/web/'],
    mayImport: ['scripts'],
    packages: ['vite', '@vitejs/plugin-react'],
  },
  scripts: { paths: ['scripts/slim-contract.ts'], mayImport: [], packages: ['@portico/contract'] },
  platform: { paths: ['packages/platform/src/'], mayImport: ['platform/db'], packages: [] },
  ...platform,
  'embedded-postgres': { paths: ['packages/embedded-postgres/src/'], mayImport: [], packages: ['pg'] },
  schema: { paths: [`${S}/schema/`], mayImport: ['platform/db'], packages: ['pg'] },
  kernel: {
    // The manifest tells the version.
    paths: [`${S}/kernel/`, 'apps/server/package.json'],
    mayImport: ALL_PLATFORM,
    packages: ['@portico/contract', '@portico/contract/schemas', 'lru-cache'],
  },
  tables,
  registry,
  columns,
  ...modules,
  http: {
    paths: [`${S}/http/`],
    mayImport: [
      ...ALL_PLATFORM,
      'kernel',
      ...['files', 'people', 'tenants', 'posts', 'imports', 'notifications'].map((name) => `modules/${name}`),
      'web addresses',
    ],
    packages: [
      ...SERVER_LIBRARIES,
      'ajv',
      'fast-json-stringify',
      'fastify',
      '@fastify/accept-negotiator',
      '@fastify/compress',
      '@fastify/rate-limit',
    ],
  },
  jobs: {
    paths: [`${S}/jobs/`],
    mayImport: [...ALL_PLATFORM, 'kernel', 'registry', ...ALL_MODULES],
    packages: ['@portico/contract'],
  },
  operator: {
    paths: [`${S}/operator/`],
    mayImport: [...ALL_PLATFORM, 'schema', 'kernel', 'registry', ...ALL_MODULES, 'jobs'],
    packages: ['@portico/contract', 'age-encryption', 'pg', 'pg-copy-streams', 'yauzl', 'yazl'],
  },
  demo: {
    paths: [`${S}/demo/`],
    mayImport: [...ALL_PLATFORM, 'kernel', 'registry', ...ALL_MODULES],
    packages: ['@portico/contract', 'yaml'],
  },
  process: {
    paths: [`${S}/process/`, `${S}/main.ts`, 'apps/server/start.mjs'],
    mayImport: [
      ...ALL_PLATFORM,
      ...[
        'embedded-postgres',
        'schema',
        'kernel',
        'registry',
        ...ALL_MODULES,
        'http',
        'jobs',
        'operator',
        'demo',
        'web build',
      ],
    ],
    packages: [
      ...SERVER_LIBRARIES,
      'fastify',
      '@fastify/compress',
      'pg',
      'pino',
      'pino-pretty',
      'prom-client',
      '@opentelemetry/api',
      '@opentelemetry/exporter-metrics-otlp-http',
      '@opentelemetry/exporter-metrics-otlp-proto',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace-base',
    ],
  },
};
