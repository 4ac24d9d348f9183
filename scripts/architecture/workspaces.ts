/** The files behind the names by which the packages of this repository import each other. */
import manifest from '../../packages/platform/package.json' with { type: 'json' };

/** Entries by name: the file of the name itself, and of some longer names. */
export const ENTRIES: Readonly<Record<string, string>> = {
  '@portico/contract': 'packages/contract/src/index.ts',
  '@portico/contract/accent': 'packages/contract/src/accent.ts',
  '@portico/contract/audit-words': 'packages/contract/src/audit-words.ts',
  '@portico/contract/encodings': 'packages/contract/src/encodings.ts',
  '@portico/contract/schemas': 'packages/contract/src/schemas/index.ts',
  '@portico/contract/openapi': 'packages/contract/src/openapi/index.ts',
  '@portico/sdk': 'packages/sdk/src/node.ts',
  '@portico/server/operator': 'apps/server/src/process/operator.ts',
  '@portico/server/app': 'apps/server/src/process/app.ts',
  '@portico/server/testing': 'apps/server/test/support/index.ts',
  '@portico/server/testing/dataset': 'apps/server/test/support/dataset-parts.ts',
  '@portico/server/testing/process': 'apps/server/test/support/server-process.ts',
};

/** Packages that offer any file, and folders by their `index.ts`. */
const OPEN = /^@portico\/(platform|embedded-postgres)(?:\/(.+))?$/;
const FOLDERS: ReadonlySet<string> = new Set(Object.keys(manifest.exports).map((entry) => entry.slice(2)));

/** Returns the file of a package that offers its files; undefined for other packages. */
export function fileOfPackage(specifier: string): string | undefined {
  const [, name, path] = OPEN.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const inside = path === undefined || FOLDERS.has(path) ? [path, 'index'] : [path];
  return `packages/${name}/src/${inside.filter((part) => part !== undefined).join('/')}.ts`;
}
