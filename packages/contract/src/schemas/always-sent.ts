/**
 * Members of responses that are always sent, except with `fields` and `loadPostDetails=false`. The
 * client library types them as required. The tests check every response against the list; no
 * document for other clients shows it.
 */
import type { Operation } from '../operations/types.ts';
import table from './always-sent.json' with { type: 'json' };
import { type DeclaredName, declarations } from './declarations.ts';
import type { FieldSchema } from './fields.ts';

const members = new Map(Object.entries(table).map(([name, names]) => [name, new Set((names as string).split(' '))]));
const none: ReadonlySet<string> = new Set();

/** Returns the members of a type that every response of the type has. */
export function alwaysSent(name: DeclaredName): ReadonlySet<string> {
  return members.get(name) ?? none;
}

/** Receives an object of a declared type within a response, and its path such as `items.0.author`. */
type Visit = (name: DeclaredName, object: Readonly<Record<string, unknown>>, path: string) => void;

/** Visits all objects of declared types within a response of an operation. */
export function visitObjects({ responses, kind }: Operation, response: unknown, visit: Visit): void {
  const name = responses[200];
  if (name) visitObject(name as DeclaredName, response, '', visit);
  if (kind === 'write') visitObject('DryRun', (response as { dryRun?: unknown } | undefined)?.dryRun, 'dryRun', visit);
}

function visitObject(name: DeclaredName, value: unknown, path: string, visit: Visit): void {
  if (typeof value !== 'object' || value === null) return;
  const object = value as Readonly<Record<string, unknown>>;
  visit(name, object, path);
  for (const [field, schema] of Object.entries<FieldSchema>(declarations[name].fields))
    visitMember(schema, object[field], path === '' ? field : `${path}.${field}`, visit);
}

function visitMember(schema: FieldSchema, value: unknown, path: string, visit: Visit): void {
  if (typeof value !== 'object' || value === null) return;
  if (schema.$ref) {
    visitObject(schema.$ref.slice(0, -1) as DeclaredName, value, path, visit);
    return;
  }
  const inner = schema.type === 'array' ? schema.items : schema.additionalProperties;
  if (inner) for (const [key, element] of Object.entries(value)) visitMember(inner, element, `${path}.${key}`, visit);
}

/**
 * Finds members that a response lacks although they are always sent.
 * @param query the parameters of the request; with `fields` or `loadPostDetails=false` the response,
 *   or each item of the page, may lack any member
 * @returns sentences that name type, member and path
 */
export function absentMembers(operation: Operation, query: unknown, response: unknown): string[] {
  const { fields, loadPostDetails } = query as { fields?: unknown; loadPostDetails?: unknown };
  const selects = 'fields' in operation.query && (fields !== undefined || loadPostDetails === false);
  const selected = operation.paging === 'page' ? /^items\.\d+$/ : /^$/;
  const absent: string[] = [];
  visitObjects(operation, response, (name, object, path) => {
    if (selects && selected.test(path)) return;
    for (const member of alwaysSent(name))
      if (object[member] === undefined) absent.push(`${name}.${member}, which is always sent, is absent at "${path}"`);
  });
  return absent;
}
