/** Calls an operation's handler as the route does, without HTTP, and checks the answer against the contract. */
import { type Operation, type OperationId, type OperationIo, operations } from '@portico/contract';
import { absentMembers, type DeclaredName, strictResponse } from '@portico/contract/schemas';
import { SchemaChecks } from '../../src/http/validation.ts';
import { missingFields } from '../../src/kernel/missing-fields.ts';
import type { Handler, Handlers } from '../../src/kernel/operations.ts';
import type { Scope, TenantScope } from '../../src/kernel/scope.ts';

const checks = new SchemaChecks();

/** Inputs of an operation; omitted inputs are empty. */
export interface CallInput<K extends OperationId> {
  params?: OperationIo[K]['params'];
  query?: OperationIo[K]['query'];
  body?: OperationIo[K]['body'];
}

/** Returns the scope of a request: with the errors of required fields that its body lacks. */
export function askedScope<S extends TenantScope>(operation: OperationId, scope: S, body: unknown): S {
  const { body: type } = operations[operation] as Operation;
  const missing = type ? missingFields(type as DeclaredName, body ?? {}) : [];
  return missing.length > 0 ? { ...scope, missing } : scope;
}

/**
 * @returns the answer of the handler
 * @throws the errors of the handler; Error when the answer is not as the contract declares
 */
export async function callOperation<K extends OperationId>(
  handlers: Handlers,
  operation: K,
  scope: Scope,
  input: CallInput<K> = {},
): Promise<OperationIo[K]['response']> {
  const handler = handlers[operation] as Handler<K> | undefined;
  if (!handler) throw new Error(`no handler answers ${operation}`);
  const request = {
    scope: askedScope(operation, scope, input.body),
    params: input.params ?? {},
    query: input.query ?? {},
    body: input.body ?? {},
    afterAnswer: () => undefined,
  };
  const answer = await handler(request as unknown as Parameters<Handler<K>>[0]);
  const schema = strictResponse(operation);
  const problems = schema && answer !== undefined ? checks.answer(schema)(answer) : [];
  if (answer !== undefined)
    problems.push(...absentMembers(operations[operation] as Operation, input.query ?? {}, answer));
  if (problems.length > 0)
    throw new Error(`${operation} answers what the contract does not declare: ${problems.join('; ')}`);
  // The response is undefined when its object was deleted: tests of deletion compare with
  // undefined.
  return answer as OperationIo[K]['response'];
}
