/** The operation table: all 76 operations of the interface, the exchange of a Google token, and those that only Portico has. */

import { administrationOperations } from './administration.ts';
import { auditOperations } from './audit.ts';
import { authOperations } from './auth.ts';
import { communityOperations } from './communities.ts';
import { communityFormOperations, workspaceOperations } from './community-forms.ts';
import { definitionFormOperations } from './definition-forms.ts';
import { eventOperations } from './events.ts';
import { identityProviderOperations } from './identity-providers.ts';
import { peopleOperations } from './people.ts';
import { personalTokenOperations } from './personal-tokens.ts';
import { postChangeOperations } from './post-changes.ts';
import { postReadOperations } from './posts-read.ts';
import { postWriteOperations } from './posts-write.ts';
import { serviceAccountOperations } from './service-accounts.ts';
import { tenantSettingsOperations } from './tenant-settings.ts';
import type { Domain, Operation } from './types.ts';
import { workflowTaskOperations } from './workflow-tasks.ts';

export { dryRunMediaType, dryRunQuery, idempotencyKeyHeader, queryPaging } from './query.ts';
export type { CommandSpec, Domain, HttpMethod, Operation, OperationSpec, PathParam, QueryParam } from './types.ts';

/** Every operation by its id, with literal types: what servers and clients are typed by. */
export const operations = {
  ...authOperations,
  ...personalTokenOperations,
  ...peopleOperations,
  ...serviceAccountOperations,
  ...identityProviderOperations,
  ...tenantSettingsOperations,
  ...administrationOperations,
  ...workspaceOperations,
  ...communityOperations,
  ...communityFormOperations,
  ...definitionFormOperations,
  ...postReadOperations,
  ...postWriteOperations,
  ...eventOperations,
  ...postChangeOperations,
  ...workflowTaskOperations,
  ...auditOperations,
} as const;

/** Id of an operation. */
export type OperationId = keyof typeof operations;

/** Every operation, with widened types: what loops over the table use. */
export const operationList: readonly Operation[] = Object.values(operations);

/** One operation by id, with widened types. */
export function operationById(id: OperationId): Operation {
  return operations[id];
}

/** Ids of the operations by domain and method of the client library. */
export type MethodTable = {
  readonly [D in Domain]: {
    readonly [K in OperationId as (typeof operations)[K]['domain'] extends D
      ? (typeof operations)[K]['clientMethod']
      : never]: K;
  };
};

/**
 * Ids of the operations by domain and method of the client library. Lists have an iterator beside them: `posts.list` has
 * `posts.iterate`, `posts.history` has `posts.iterateHistory`.
 */
export const methodTable = tableOfMethods() as MethodTable;

function tableOfMethods(): Record<string, Record<string, string>> {
  const table: Record<string, Record<string, string>> = {};
  for (const { id, domain, clientMethod } of operationList) table[domain] = { ...table[domain], [clientMethod]: id };
  return table;
}
