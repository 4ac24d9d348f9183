/** State of an import: read again until it has ended. */
import type { Output } from '@portico/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
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
  // Other pages show posts, fields and states that the import may have changed; an undo changes its import.
  useEffect(() => {
    const isOther = ({ queryKey: [kind, id] }: { queryKey: readonly unknown[] }) =>
      kind !== 'import' || id !== importId;
    if (ended) void queryClient.invalidateQueries({ predicate: isOther });
  }, [ended, importId]);
  return query;
}

/** The refusals of an import that has ended, page by page. */
export function useRefusals(importId: number) {
  return useInfiniteQuery({
    queryKey: ['import', importId, 'refusals'],
    queryFn: ({ pageParam, signal }) =>
      portal.imports.rejectedRows({ importId, pageSize: 100, ...(pageParam && { pageToken: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    select: ({ pages }) => pages.flatMap(({ items = [] }) => items),
  });
}

/** Reads all refusals of an import as a file of rows. @param heads of its columns */
export async function refusalsFile(importId: number, heads: readonly string[]): Promise<Blob> {
  const lines = [heads.map(csvCell).join(',')];
  let pageToken: string | undefined;
  do {
    const page = await portal.imports.rejectedRows({ importId, pageSize: 500, ...(pageToken && { pageToken }) });
    for (const { line = 0, column, value, reason, lost } of page.items ?? [])
      lines.push([line > 0 ? String(line) : '', column, value, reason, lost].map(csvCell).join(','));
    pageToken = page.nextPageToken;
  } while (pageToken);
  // Spreadsheets take a file for UTF-8 by its first character.
  return new Blob([`\uFEFF${lines.join('\r\n')}\r\n`], { type: 'text/csv' });
}

/** A cell that a spreadsheet does not take for a formula. */
function csvCell(text = ''): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
