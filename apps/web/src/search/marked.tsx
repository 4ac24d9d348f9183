import type { SearchMark } from '@portico/sdk';
import type { ReactNode } from 'react';

/** A text with the parts that matched. */
export function Marked({ text, marks = [] }: { text: string; marks?: readonly SearchMark[] | undefined }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start = 0, end = 0 } of marks) {
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>);
    at = end;
  }
  parts.push(text.slice(at));
  return parts;
}
