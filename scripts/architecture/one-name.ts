/**
 * Each operation has one noun: the part of the client library and the tag of the OpenAPI document.
 * In kebab case it is the command, the folder of the contract that declares the operation, and in
 * the server the name of a folder or of the `*.routes.ts` that handles it. Folders of the schemas
 * and of the page that hold what belongs to one noun have its name.
 */
import { operationList, parts } from '../../packages/contract/src/index.ts';
import { type Node, parseSource, visit } from './imports.ts';

const OPERATIONS = 'packages/contract/src/operations/';
const MODULES = 'apps/server/src/modules/';
const SCHEMAS = 'packages/contract/src/schemas/';
const PAGE = 'apps/web/src/';
/** Folders of the page for several nouns or none. */
const PAGE_PARTS: ReadonlySet<string> = new Set(
  'account admin content failures home live offline palette search session shell sign-in texts write'.split(' '),
);

/** Returns the noun of a part: `identity-providers` of `identityProviders`. */
const nounOf = (part: string): string => part.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const NOUNS: ReadonlySet<string> = new Set(Object.keys(parts).map(nounOf));
const IDS: ReadonlySet<string> = new Set(operationList.map(({ id }) => id));

/** Returns the noun of a file: the name of a `*.routes.ts`, else the deepest folder that is a noun. */
function nounOfFile(path: string): string | undefined {
  const folders = path.slice(MODULES.length).split('/');
  const name = folders.pop()?.replace(/\.routes\.ts$/, '') ?? '';
  return NOUNS.has(name) ? name : folders.findLast((folder) => NOUNS.has(folder));
}

/** Returns the operations that the objects of handlers in a file name. */
function handledIn(path: string, text: string): string[] {
  const found: string[] = [];
  visit(parseSource(path, text), (node) => {
    if (node.type !== 'TSSatisfiesExpression') return;
    const { typeName } = node['typeAnnotation'] as { typeName?: { name?: string } };
    if (typeName?.name !== 'Handlers') return;
    for (const property of ((node['expression'] as Node)['properties'] ?? []) as Node[]) {
      const key = property['key'] as { name?: string } | undefined;
      if (key?.name !== undefined && IDS.has(key.name)) found.push(key.name);
    }
  });
  return found;
}

/** Finds operations that are declared in the folder of another noun. */
function checkDeclarations(files: readonly { path: string; text: string }[]): string[] {
  return files.flatMap(({ path, text }) => {
    const [folder = '', file] = path.slice(OPERATIONS.length).split('/');
    if (!path.startsWith(OPERATIONS) || file === undefined) return [];
    return [...text.matchAll(/defineOperations\('(\w+)'|^ {4}domain: '(\w+)'/gm)]
      .map(([, part, other]) => nounOf(part ?? other ?? ''))
      .filter((noun) => noun !== folder)
      .map((noun) => `${path} declares operations of ${noun}; move them to ${OPERATIONS}${noun}/`);
  });
}

/** Finds folders of the schemas and of the page that no noun names. */
function checkFolders(files: readonly { path: string }[]): string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    const place = [SCHEMAS, PAGE].find((prefix) => path.startsWith(prefix));
    if (place === undefined) continue;
    const [folder = '', file] = path.slice(place.length).split('/');
    const named = NOUNS.has(folder) || (place === PAGE && PAGE_PARTS.has(folder));
    if (file !== undefined && !named) folders.add(`${place}${folder}`);
  }
  return [...folders].map(
    (folder) => `${folder}/ has the name of no noun; name it like the part of the client library`,
  );
}

/**
 * Finds operations that are declared or handled under another noun than their own.
 * @param files sources without tests
 * @returns one sentence per operation
 */
export function checkNames(files: readonly { path: string; text: string }[]): string[] {
  const places = new Map<string, string>();
  for (const { path, text } of files) {
    if (!path.startsWith(MODULES) || !text.includes('satisfies Handlers')) continue;
    for (const id of handledIn(path, text)) places.set(id, path);
  }
  const handled = operationList.flatMap(({ id, domain }) => {
    const path = places.get(id);
    if (path === undefined) return [`${id} is handled in no \`satisfies Handlers\` of ${MODULES}`];
    const noun = nounOf(domain);
    if (nounOfFile(path) === noun) return [];
    return [`${path} handles ${id}; move it to a folder ${noun} or to ${noun}.routes.ts, for client.${domain}`];
  });
  return [...checkDeclarations(files), ...checkFolders(files), ...handled];
}
