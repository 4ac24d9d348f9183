/** Widths of columns that somebody chose, kept in their browser by community. */
import { useCallback, useState } from 'react';

export type ColumnWidths = Readonly<Record<string, number>>;

/** Pixels. */
const MIN_WIDTH = 64;
const MAX_WIDTH = 640;

const storageKeyOf = (communityId: number) => `portico-widths-${communityId}`;

function read(communityId: number): ColumnWidths {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKeyOf(communityId)) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, width]) => Number.isFinite(width)));
  } catch {
    return {};
  }
}

/** The widths of the columns of a list, and what changes one. */
export function useColumnWidths(communityId: number): [ColumnWidths, (key: string, width: number) => void] {
  const [widths, setWidths] = useState<ColumnWidths>(() => read(communityId));
  const setWidth = useCallback(
    (key: string, width: number) =>
      setWidths((before) => {
        const next = { ...before, [key]: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width))) };
        try {
          localStorage.setItem(storageKeyOf(communityId), JSON.stringify(next));
        } catch {
          // A browser that keeps nothing has the width until the page is left.
        }
        return next;
      }),
    [communityId],
  );
  return [widths, setWidth];
}
