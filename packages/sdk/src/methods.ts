/** Inputs and responses of methods by operation, and the parts of a request. */
import type { Domain, OperationId } from '@portico/contract';
import { pagingNames } from './api.ts';
import { ConfigurationError } from './errors.ts';
import type { MethodInputs, MethodOutputs } from './methods.generated.ts';
import { nearest } from './names.ts';

export type MethodDomain = Domain;

/**
 * Input of a method: path parameters, query parameters and the fields of the body in one plain
 * object.
 */
export type Input<K extends OperationId> = MethodInputs[K];

/** Result of a method: the body of the response; undefined if it is empty. */
export type Output<K extends OperationId> = MethodOutputs[K];

/** Input of an iterator: the input of the list, and the maximum number of items. */
export type IterateInput<K extends OperationId> = Omit<Input<K>, 'calculateTotalItemsCount'> & {
  limit?: number | undefined;
};

/** Name of the iterator of a list. */
export function iteratorName(method: string): string {
  if (method.startsWith('list')) return `iterate${method.slice('list'.length)}`;
  return `iterate${method.charAt(0).toUpperCase()}${method.slice(1)}`;
}

/** Name of the export of a list. */
export function exportName(method: string): string {
  return iteratorName(method).replace('iterate', 'export');
}

/** The parts of a request. */
interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** undefined for operations without a body. */
  body: Record<string, unknown> | undefined;
}

/**
 * Splits a plain input into path, query and body. Undefined values are omitted.
 * @param bodyNames names of the members of the body, if others are refused
 * @throws ConfigurationError for a name that is no input, with the nearest one
 */
export function splitInput(
  operation: { pathParams: object; query: object; bodyless: boolean },
  input: Readonly<Record<string, unknown>>,
  bodyNames?: readonly string[],
): Parts {
  const parts: Parts = { params: {}, query: {}, body: operation.bodyless ? undefined : {} };
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (Object.hasOwn(operation.pathParams, name)) parts.params[name] = value;
    else if (Object.hasOwn(operation.query, name) && !(parts.body && pagingNames.includes(name)))
      parts.query[name] = value;
    else if (parts.body && (bodyNames === undefined || bodyNames.includes(name))) parts.body[name] = value;
    else
      throw unknownInput(name, [
        ...Object.keys(operation.pathParams),
        ...Object.keys(operation.query),
        ...(bodyNames ?? []),
      ]);
  }
  return parts;
}

const LISTED = 12;

function unknownInput(name: string, known: readonly string[]): ConfigurationError {
  const near = nearest(
    [...new Set(known)].map((label) => ({ label })),
    name,
  );
  const quoted = (names: readonly string[]) => names.map((each) => `"${each}"`);
  let hint = 'it has none';
  if (near.length > 0) hint = `did you mean ${quoted(near).join(' or ')}?`;
  else if (known.length > 0)
    hint = `it has ${quoted(known.slice(0, LISTED)).join(', ')}${known.length > LISTED ? ' and others' : ''}`;
  return new ConfigurationError(`"${name}" is not an input of this operation; ${hint}`);
}
