import type { ReactNode } from 'react';
import { addressOf, FieldValue } from '../content/field-value.tsx';
import { StateLabel } from '../posts/state-label.tsx';
import { nameOf } from '../posts/user-name.ts';
import { useFormats } from '../texts/index.ts';
import { type Column, isNumber } from './columns.ts';
import { GridCell } from './grid-cell.tsx';
import type { ListedPost } from './use-posts.ts';

/** The content of a column for a post. */
export function Cell({
  column,
  post,
  chosen,
  index,
}: {
  column: Column;
  post: ListedPost;
  /** Whether the cell cursor is on this cell. */
  chosen: boolean;
  /** Number of the column, from 1. */
  index: number;
}) {
  const { key, field } = column;
  const formats = useFormats();
  const day = (ms: number | undefined) => ms !== undefined && formats.dayOf(ms);
  const shown = (): ReactNode => {
    if (field) {
      const value = post.customData?.[String(field.id)];
      const address = addressOf(field, value);
      const text = <FieldValue field={field} value={value} unlinked />;
      // The row opens the address, as it opens its post.
      return address === undefined ? text : <span data-href={address}>{text}</span>;
    }
    switch (key) {
      case 'state':
        return <StateLabel state={post.currentWorkflowState} />;
      case 'author':
        return nameOf(post.creatorUser);
      case 'created':
        return day(post.creationTimestamp);
      case 'active':
        return post.lastOperationTimestamp !== undefined && formats.age(post.lastOperationTimestamp);
      case 'comments':
        return formats.number(post.commentsCount ?? 0);
      case 'attachments':
        return formats.number(post.attachmentsCount ?? 0);
      default:
        return day(post.lastModifyTimestamp);
    }
  };
  return (
    <GridCell
      index={index}
      data-cell={key}
      data-chosen={chosen || undefined}
      data-number={isNumber(column) || undefined}
      {...(key !== 'state' && { className: 'muted' })}
    >
      {shown()}
    </GridCell>
  );
}
