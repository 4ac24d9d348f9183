import type { HTMLAttributes } from 'react';

/**
 * A cell of a table of posts, for those who hear it. Cells stand in the tracks of a grid, which
 * elements of tables cannot.
 * @param index number of its column, from 1
 */
export function GridCell({
  role = 'gridcell',
  index,
  ...rest
}: HTMLAttributes<HTMLElement> & { role?: 'columnheader' | 'gridcell' | 'rowheader'; index: number }) {
  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: each of the roles has columns
  return <span role={role} aria-colindex={index} {...rest} />;
}
