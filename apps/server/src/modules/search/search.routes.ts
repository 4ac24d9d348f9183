/** The operation of the search. */
import type { Handlers } from '../../kernel/operations.ts';
import { search } from './search.ts';

export const searchHandlers = {
  searchEverything: ({ scope, body }) => search(scope, body ?? {}),
} satisfies Handlers;
