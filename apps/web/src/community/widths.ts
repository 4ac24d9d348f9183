/** Widths of columns that somebody chose, kept in their browser by community. */
import { useCallback, useState } from 'react';

export type Widths = Readonly<Record<string, number>>;

/** Pixels. */
const LEAST = 64;
const MOST = 640;

const nameOf = (communityId: number) => `portico-widths-${communityId}`;

function read(communityId: number): Widths {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(communityId)) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, width]) => Number.isFinite(width)));
  } catch {
    return {};
  }
}

/** The widths of the columns of a list, and what changes one. */
export function useWidths(communityId: number): [Widths, (key: string, width: number) => void] {
  const [widths, setWidths] = useState<Widths>(() => read(communityId));
  const setWidth = useCallback(
    (key: string, width: number) =>
      setWidths((before) => {
        const next = { ...before, [key]: Math.round(Math.min(MOST, Math.max(LEAST, width))) };
        try {
          localStorage.setItem(nameOf(communityId), JSON.stringify(next));
        } catch {
          // A browser that keeps nothing has the width until the page is left.
        }
        return next;
      }),
    [communityId],
  );
  return [widths, setWidth];
}
