/** State of an import: read again until it has ended. */
import type { Output } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { portal, queryClient } from '../../portal.ts';

/** An import as the server shows it. */
export type ShownImport = Output<'getImport'>;

/** Milliseconds between two reads of a running import. */
const AGAIN_MS = 1_000;

/** Reads an import, and again until it has ended. */
export function useImport(importId: number) {
  const query = useQuery({
    queryKey: ['import', importId],
    queryFn: ({ signal }) => portal.imports.get({ importId }, { signal }),
    refetchInterval: ({ state }) => (state.data && state.data.endTimestamp === undefined ? AGAIN_MS : false),
  });
  const ended = query.data?.endTimestamp !== undefined;
  // Other pages show posts, fields and states that the import may have changed.
  useEffect(() => {
    if (ended) void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'import' });
  }, [ended]);
  return query;
}

/** The refusals of an import that has ended. */
export function useRefusals(importId: number, ended: boolean) {
  return useQuery({
    queryKey: ['import', importId, 'refusals'],
    enabled: ended,
    queryFn: async ({ signal }) =>
      (await portal.imports.rejectedRows({ importId, pageSize: 100 }, { signal })).items ?? [],
  });
}
