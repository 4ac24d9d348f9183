/**
 * The cell cursor: the arrow keys move it within the focused row, and its cell can be edited,
 * copied and pasted into.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { useKeys } from '../shell/keys.ts';
import type { Column } from './columns.ts';
import { useListTexts } from './texts.ts';
import type { ListedPost } from './use-posts.ts';

const PasteCell = part(() => import('./paste-cell.tsx'), 'PasteCell');

interface CellCursor {
  readonly postId: number;
  /** Key of the column. */
  readonly key: string;
}

export function useCellCursor({
  columns,
  focusedPost,
  go,
  edit,
}: {
  columns: readonly Column[];
  focusedPost: () => ListedPost | undefined;
  /** Focuses another row. @returns its post */
  go: (by: 1 | -1) => ListedPost | undefined;
  edit: (post: ListedPost, column: Column) => void;
}): {
  cursor: CellCursor | undefined;
  /** Elements that the cursor adds to the page. */
  shown: ReactNode;
} {
  const list = useListTexts();
  const [cursor, setCursor] = useState<CellCursor>();
  const [pasted, setPasted] = useState<{ post: ListedPost; column: Column; text: string; key: number }>();
  /** The cell with the cursor, while its row has the focus. */
  const chosen = () => {
    const post = focusedPost();
    const column = post && cursor?.postId === post.id ? columns.find(({ key }) => key === cursor?.key) : undefined;
    return post && column && { post, column };
  };
  const moveInRow = (event: KeyboardEvent) => {
    const post = focusedPost();
    if (!post || !(event.target instanceof HTMLElement)) return false;
    const back = (event.key === 'ArrowLeft') !== (getComputedStyle(event.target).direction === 'rtl');
    const at = columns.findIndex(({ key }) => cursor?.postId === post.id && key === cursor?.key);
    const column = columns[Math.min(columns.length - 1, at + (back ? -1 : 1))];
    // Before the first cell is the row as a whole.
    return setCursor(column && at + (back ? -1 : 1) >= 0 ? { postId: post.id!, key: column.key } : undefined);
  };
  const moveToRow = (by: 1 | -1) => {
    if (!focusedPost()) return false;
    const key = chosen()?.column.key;
    const post = go(by);
    return setCursor(post && key !== undefined ? { postId: post.id!, key } : undefined);
  };
  useKeys([
    { key: 'ArrowDown', label: list.rowBelow, run: () => moveToRow(1) },
    { key: 'ArrowUp', label: list.rowAbove, run: () => moveToRow(-1) },
    { key: 'ArrowRight', label: list.nextCell, run: moveInRow },
    { key: 'ArrowLeft', label: list.previousCell, run: moveInRow },
    {
      key: 'Enter',
      label: list.editCell,
      overrides: true,
      run: () => {
        const cell = chosen();
        return cell?.column.field !== undefined && edit(cell.post, cell.column);
      },
    },
    { key: 'Escape', label: list.leaveCell, run: () => chosen() !== undefined && setCursor(undefined) },
  ]);
  const latest = useRef(chosen);
  latest.current = chosen;
  useEffect(() => {
    if (!cursor) return;
    const onCopy = (event: ClipboardEvent) => {
      const cell = latest.current();
      if (!cell || document.getSelection()?.isCollapsed === false) return;
      event.clipboardData?.setData('text/plain', textOfCell(cell.column.key));
      event.preventDefault();
    };
    const onPaste = (event: ClipboardEvent) => {
      const cell = latest.current();
      const text = event.clipboardData?.getData('text/plain').replace(/\r?\n$/, '');
      if (!cell || text === undefined) return;
      event.preventDefault();
      // Each paste has its own component, so that a slow write does not delay the next paste.
      setPasted({ ...cell, text, key: event.timeStamp });
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [cursor]);
  const column = columns.find(({ key }) => key === cursor?.key);
  return {
    cursor,
    shown: (
      <>
        <span className="visually-hidden" role="status">
          {column && list.cellAt(column.label, textOfCell(column.key))}
        </span>
        {pasted && (
          <Panel close={() => setPasted(undefined)}>
            <PasteCell
              key={pasted.key}
              post={pasted.post}
              column={pasted.column}
              text={pasted.text}
              onEnd={() => setPasted((now) => (now === pasted ? undefined : now))}
            />
          </Panel>
        )}
      </>
    ),
  };
}

/** The text of the cell in the focused row. */
const textOfCell = (key: string): string =>
  document.activeElement?.closest('.row')?.querySelector(`[data-cell="${CSS.escape(key)}"]`)?.textContent ?? '';
