/**
 * The allowed imports between folders. An unlisted folder or edge is a breach. The lists are read
 * from the bottom up: `platform/` knows nothing of the product, `kernel/` knows scopes, rights and
 * transactions, `modules/` are the features, and `process/` puts everything together.
 */

export interface Zone {
  /** Path prefixes, relative to the root; the longest prefix of all zones wins. */
  paths: readonly string[];
  /** Names of zones that this one may import, besides itself. */
  mayImport: readonly string[];
  /** Packages that this zone may import; Node's own modules are always allowed unless listed in `without`. */
  packages: readonly string[] | 'any';
  /** Node modules that this zone must not import. */
  without?: readonly string[];
  /** Others reach this zone only through these files of it. Default: any file. */
  entry?: RegExp;
}

const S = 'apps/server/src';
const MODULE_ENTRY = /\/(index|[a-z-]+-types)\.ts$/;

/** Zones of the platform: what Portico is built on. */
const platform: Record<string, Zone> = {};
const PLATFORM: Record<string, { to?: string[]; packages?: string[] }> = {
  db: { packages: ['pg', 'pg-protocol', 'lru-cache'] },
  'embedded-postgres': { packages: ['pg'] },
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
  mail: { packages: ['nodemailer'] },
  outgoing: {},
  richtext: { to: ['text'], packages: ['markdown-it'] },
  text: { packages: ['re2js', 'unhomoglyph'] },
  time: { packages: ['temporal-polyfill'] },
  sealing: {},
  totp: { packages: ['otpauth'] },
  webauthn: { packages: ['@simplewebauthn/server'] },
  tokens: { packages: ['jose'] },
};
for (const [name, { to = [], packages = [] }] of Object.entries(PLATFORM)) {
  platform[`platform/${name}`] = {
    paths: [`${S}/platform/${name}/`],
    mayImport: ['platform', ...to.map((other) => `platform/${other}`)],
    packages,
  };
}
const ALL_PLATFORM = ['platform', ...Object.keys(platform)];

/**
 * Features and the other features that each may import. `kernel` and `platform` are open to all of
 * them.
 */
const MODULES: Record<string, string[]> = {
  exports: ['communities', 'fields'],
  audit: [],
  auth: [],
  fields: [],
  files: [],
  mail: [],
  people: ['auth', 'files', 'mail'],
  roles: [],
  'posts/events': [],
  'posts/rows': ['fields'],
  'service-accounts': ['auth', 'communities', 'people', 'roles'],
  'identity-providers': ['auth', 'people'],
  tenants: ['auth', 'people', 'posts/events'],
  catalogs: [],
  attachments: ['files', 'posts/events', 'posts/rows'],
  communities: ['catalogs', 'fields', 'files', 'people', 'posts/rows', 'roles'],
  workspaces: ['files', 'people', 'roles'],
  'community-files': ['catalogs', 'communities', 'definition-changes', 'fields', 'people', 'roles', 'workspaces'],
  'posts/policy': ['communities', 'fields'],
  'posts/common': ['communities', 'people', 'posts/policy'],
  'posts/values': ['communities', 'fields', 'posts/rows'],
  'posts/documents': ['attachments', 'posts/values'],
  'posts/comment-and-task-attachments': ['attachments', 'posts/common'],
  comments: [
    'attachments',
    'communities',
    'fields',
    'posts/comment-and-task-attachments',
    'posts/common',
    'posts/events',
    'posts/policy',
    'posts/rows',
  ],
  tasks: [
    'attachments',
    'communities',
    'posts/comment-and-task-attachments',
    'posts/events',
    'posts/common',
    'posts/policy',
    'posts/rows',
  ],
  'posts/reading': [
    'attachments',
    'catalogs',
    'communities',
    'fields',
    'people',
    'posts/common',
    'posts/policy',
    'posts/rows',
    'posts/values',
  ],
  'posts/attachments': ['attachments', 'communities', 'posts/common', 'posts/policy', 'posts/reading'],
  'posts/writing': [
    'attachments',
    'comments',
    'communities',
    'fields',
    'files',
    'posts/common',
    'posts/events',
    'posts/policy',
    'posts/reading',
    'posts/rows',
    'posts/values',
  ],
  'posts/templates': ['communities', 'posts/common', 'posts/values', 'posts/writing'],
  'posts/moving': [
    'attachments',
    'communities',
    'fields',
    'notifications',
    'posts/events',
    'posts/policy',
    'posts/rows',
    'posts/values',
    'posts/writing',
  ],
  'posts/versions': ['communities', 'fields', 'posts/common', 'posts/reading', 'posts/rows', 'posts/writing'],
  workflow: [
    'comments',
    'communities',
    'fields',
    'posts/common',
    'posts/events',
    'posts/policy',
    'posts/reading',
    'posts/rows',
    'posts/values',
  ],
  notifications: ['posts/common', 'posts/events', 'posts/policy', 'tasks'],
  'own-work': ['communities', 'notifications', 'posts/common', 'posts/policy'],
  explain: ['comments', 'communities', 'fields', 'imports', 'posts/common', 'posts/policy', 'roles', 'tasks', 'views'],
  leaving: ['communities', 'people', 'posts/events', 'posts/writing', 'tasks', 'workspaces'],
  'personal-data': ['people'],
  'definition-changes': ['communities', 'fields', 'posts/events', 'posts/writing'],
  imports: [
    'catalogs',
    'comments',
    'communities',
    'fields',
    'files',
    'people',
    'posts/common',
    'posts/events',
    'posts/writing',
    'workspaces',
  ],
  views: ['communities', 'posts/common', 'posts/reading'],
  live: ['notifications', 'posts/events'],
  calendars: ['posts/common'],
  stream: ['posts/events', 'posts/reading'],
  history: [
    'attachments',
    'comments',
    'communities',
    'posts/events',
    'posts/common',
    'posts/policy',
    'posts/reading',
    'tasks',
    'workspaces',
  ],
};
/** Packages of single modules. */
const MODULE_PACKAGES: Record<string, string[]> = {
  exports: ['yazl'],
  audit: ['pg'],
  auth: [
    'jose',
    'jose/decode/protected_header',
    'jose/jwt/sign',
    'jose/jwt/verify',
    'jose/key/export',
    'jose/key/generate/keypair',
    'jose/key/import',
    'lru-cache',
  ],
  communities: ['lru-cache'],
  files: ['@fastify/busboy'],
  'identity-providers': ['lru-cache', 'openid-client'],
  people: ['@zxcvbn-ts/language-common', 'csv-parse/sync', 'p-limit'],
  'personal-data': ['yazl'],
  'posts/reading': ['lru-cache'],
  'posts/versions': ['diff'],
  calendars: ['ical-generator'],
  imports: ['@portico/contract/encodings', 'chardet', 'luxon', 'numfmt', 'p-limit', 'read-excel-file/node', 'yaml'],
  tenants: ['pg'],
};
/**
 * Descriptions of tables: they are in their owners' folders and import no code of them, so that one
 * file can combine all.
 */
const tables: Zone = {
  paths: [
    `${S}/modules/tables.ts`,
    ...Object.keys(MODULES).map((name) => `${S}/modules/${name.split('/')[0]}/tables.ts`),
  ],
  mayImport: [...ALL_PLATFORM, 'kernel'],
  packages: [],
};
const modules: Record<string, Zone> = {};
for (const [name, uses] of Object.entries(MODULES)) {
  modules[`modules/${name}`] = {
    paths: [`${S}/modules/${name}/`],
    mayImport: [...ALL_PLATFORM, 'kernel', 'tables', ...uses.map((other) => `modules/${other}`)],
    packages: ['@portico/contract', ...(MODULE_PACKAGES[name] ?? [])],
    without: ['node:http', 'node:https'],
    entry: MODULE_ENTRY,
  };
}
const ALL_MODULES = Object.keys(modules);

const SERVER_LIBRARIES = ['@portico/contract', '@portico/contract/schemas', '@portico/contract/openapi'];

/** Every folder of the repository that holds code of the product. Tests have rules of their own, in check.ts. */
/** The files of Quill in the editor of the page. */
const QUILL = [
  'quill/core.js',
  ...['block', 'embed'].map((blot) => `quill/blots/${blot}.js`),
  ...'blockquote bold code header indent italic link list script strike underline'
    .split(' ')
    .map((format) => `quill/formats/${format}.js`),
];

export const zones: Readonly<Record<string, Zone>> = {
  contract: { paths: ['packages/contract/src/'], mayImport: [], packages: [] },
  sdk: { paths: ['packages/sdk/src/'], mayImport: [], packages: ['@portico/contract'] },
  cli: {
    paths: ['packages/cli/src/', 'packages/cli/bin/'],
    mayImport: [],
    packages: [
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
    mayImport: [],
    packages: [
      '@fontsource-variable/inter/index.css',
      '@mantine/core',
      '@mantine/hooks',
      '@portico/sdk',
      '@tanstack/react-query',
      '@tanstack/react-router',
      'idb-keyval',
      'lucide-react',
      ...QUILL,
      'react',
      'react-dom/client',
    ],
  },
  'web build': {
    paths: ['apps/web/'],
    mayImport: ['scripts'],
    packages: ['vite', '@vitejs/plugin-react'],
  },
  scripts: { paths: ['scripts/slim-contract.ts'], mayImport: [], packages: ['@portico/contract'] },
  platform: { paths: [`${S}/platform/`], mayImport: ['platform/db'], packages: ['lru-cache'] },
  ...platform,
  kernel: { paths: [`${S}/kernel/`], mayImport: ALL_PLATFORM, packages: ['@portico/contract', 'lru-cache'] },
  tables,
  ...modules,
  http: {
    paths: [`${S}/http/`],
    mayImport: [
      ...ALL_PLATFORM,
      'kernel',
      'modules/auth',
      'modules/calendars',
      'modules/files',
      'modules/identity-providers',
      'modules/exports',
      'modules/live',
      'modules/people',
      'modules/personal-data',
      'modules/tenants',
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
    mayImport: [...ALL_PLATFORM, 'kernel', 'tables', ...ALL_MODULES],
    packages: ['@portico/contract'],
  },
  operator: {
    paths: [`${S}/operator/`],
    mayImport: [...ALL_PLATFORM, 'kernel', 'tables', ...ALL_MODULES, 'jobs'],
    packages: ['@portico/contract', 'pg', 'pg-copy-streams'],
  },
  demo: {
    paths: [`${S}/demo/`],
    mayImport: [...ALL_PLATFORM, 'kernel', 'tables', ...ALL_MODULES],
    packages: ['@portico/contract', 'yaml'],
  },
  process: {
    paths: [`${S}/process/`, `${S}/main.ts`, 'apps/server/start.mjs'],
    mayImport: [
      ...ALL_PLATFORM,
      ...['kernel', 'tables', ...ALL_MODULES, 'http', 'jobs', 'operator', 'demo', 'web build'],
    ],
    packages: [...SERVER_LIBRARIES, 'fastify', '@fastify/compress', 'pg', 'pino', 'pino-pretty', 'prom-client'],
  },
};
