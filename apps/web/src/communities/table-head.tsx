/** The head of a table of posts: what chooses all, names of columns, by which it is ordered, and their widths. */
import { memo } from 'react';
import { useTexts } from '../texts/index.ts';
import type { ColumnWidths } from './column-widths.ts';
import { type Column, isNumber, widthOf } from './columns.ts';
import { GridCell as Cell } from './grid-cell.tsx';
import type { Order } from './list-search.ts';
import { useListTexts } from './texts.ts';

/** By which an arrow key widens a column. Pixels. */
const STEP = 16;

/** It is not drawn again while the table is scrolled. */
export const TableHead = memo(function TableHead({
  columns,
  widths,
  setWidth,
  sorted,
  sort,
  selected,
  of,
  selectAll,
}: {
  columns: readonly Column[];
  widths: ColumnWidths;
  setWidth: (key: string, width: number) => void;
  sorted: { by: Order; desc: boolean };
  /** @param desc left out: as the order begins */
  sort: (order: Order, desc?: boolean) => void;
  /** How many posts are selected, of how many. */
  selected: number;
  of: number;
  selectAll: (chosen: boolean) => void;
}) {
  const texts = useTexts();
  const list = useListTexts();
  return (
    // biome-ignore lint/a11y/useSemanticElements: its columns and the columns of rows are the tracks of grids
    // biome-ignore lint/a11y/useFocusableInteractive: its content has the focus
    <div className="row head" role="row" aria-rowindex={1}>
      <Cell role="columnheader" index={1} className="head-select">
        <input
          type="checkbox"
          className="row-select"
          aria-label={list.selectAll}
          title={list.selectAll}
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && selected < of;
          }}
          checked={selected > 0 && selected >= of}
          onChange={({ currentTarget: { checked } }) => selectAll(checked)}
        />
      </Cell>
      <Cell role="columnheader" index={2} {...sortOf('title', sorted)}>
        <Head label={texts.columnPost} order="title" sorted={sorted} sort={sort} />
      </Cell>
      {columns.map((column, index) => (
        <Cell
          key={column.key}
          role="columnheader"
          index={index + 3}
          className="head-cell"
          aria-label={column.label}
          data-number={isNumber(column) || undefined}
          {...sortOf(column.order, sorted)}
        >
          <Head label={column.label} order={column.order} sorted={sorted} sort={sort} />
          <Grip
            label={list.widthOf(column.label)}
            width={widthOf(column, widths)}
            change={(width) => setWidth(column.key, width)}
          />
        </Cell>
      ))}
    </div>
  );
});

/** By which column the rows are ordered, for those who do not see the arrow. */
const sortOf = (order: Order | undefined, { by, desc }: { by: Order; desc: boolean }) =>
  order === by && { 'aria-sort': desc ? ('descending' as const) : ('ascending' as const) };

/** The width that a column has, which a narrow table makes less than it was given. Pixels. */
const widthAt = (grip: HTMLElement): number => grip.parentElement!.offsetWidth;

/** The end of a column: it is drawn with the mouse, and moved by the arrow keys. */
function Grip({ label, width, change }: { label: string; width: number; change: (width: number) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line between columns that can be moved
    <span
      role="separator"
      tabIndex={0}
      className="grip"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      onKeyDown={({ key, currentTarget }) => {
        const sign = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1;
        if (key === 'ArrowRight') change(widthAt(currentTarget) + sign * STEP);
        else if (key === 'ArrowLeft') change(widthAt(currentTarget) - sign * STEP);
      }}
      onPointerDown={(event) => {
        const { currentTarget, pointerId, clientX: from } = event;
        const sign = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1;
        const width = widthAt(currentTarget);
        event.preventDefault();
        currentTarget.setPointerCapture(pointerId);
        currentTarget.onpointermove = ({ clientX }) => change(width + sign * (clientX - from));
        currentTarget.onlostpointercapture = () => {
          currentTarget.onpointermove = null;
        };
      }}
    />
  );
}

/** The name of a column, by which the list can be ordered; again, the other way round. */
function Head({
  label,
  order,
  sorted,
  sort,
}: {
  label: string;
  order: Order | undefined;
  sorted: { by: Order; desc: boolean };
  sort: (order: Order, desc?: boolean) => void;
}) {
  const texts = useTexts();
  if (order === undefined) return <span>{label}</span>;
  const current = sorted.by === order;
  return (
    <button
      type="button"
      className="quiet"
      title={texts.orderBy(label)}
      onClick={() => (current ? sort(order, !sorted.desc) : sort(order))}
    >
      {label}
      {current && <span aria-hidden> {sorted.desc ? '↓' : '↑'}</span>}
    </button>
  );
}
