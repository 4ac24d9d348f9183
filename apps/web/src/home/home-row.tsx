import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '../shell/avatar.tsx';
import { useFormats, useTexts } from '../texts/index.ts';

/** A row of Home: the reason, the post, its community, person and time, with actions at its end. */
export function HomeRow({
  item,
  icon,
  reason,
  title,
  detail,
  postId,
  communityName,
  user,
  timestamp,
  fresh = false,
  compact = false,
  gone = false,
  undo,
  onOpen,
  below,
  children,
}: {
  /** Name of the item for keys. */
  item: string;
  icon: ReactNode;
  reason?: string;
  title: string | undefined;
  detail?: ReactNode;
  postId: number;
  communityName: string | undefined;
  user?: Parameters<typeof Avatar>[0]['user'];
  timestamp: number | undefined;
  /** Whether it is unseen. */
  fresh?: boolean;
  /** Whether the row has a single line instead of two. */
  compact?: boolean;
  /** Whether the item has left the list and the row only keeps its place. */
  gone?: boolean;
  /** Undoes the reader's action on a finished item. Its row stays. */
  undo?: (() => void) | undefined;
  onOpen?: () => void;
  /** Content that opens below the line. */
  below?: ReactNode;
  children?: ReactNode;
}) {
  const texts = useTexts();
  const formats = useFormats();
  const finished = gone && undo !== undefined;
  const actions = finished ? (
    <button type="button" className="small" aria-label={`${texts.undo}: ${title || texts.untitled}`} onClick={undo}>
      <Undo2 size={14} aria-hidden /> {texts.undo}
    </button>
  ) : (
    children
  );
  return (
    <li
      className={compact ? 'list-row compact' : 'list-row'}
      inert={gone && !finished}
      {...(fresh && !gone && { 'data-fresh': '' })}
      {...(finished && { 'data-finished': '' })}
    >
      <span className="list-row-icon">{icon}</span>
      <div className="list-row-text">
        <Link
          to="/post/$postId"
          params={{ postId: String(postId) }}
          className="list-row-title"
          {...(!gone && { 'data-item': item })}
          {...(onOpen && { onClick: onOpen })}
        >
          {title || texts.untitled}
        </Link>
        <span className="list-row-details">
          {[reason, detail, communityName].filter(Boolean).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their places
            <span key={index}>{part}</span>
          ))}
        </span>
      </div>
      {actions && <span className="list-row-actions">{actions}</span>}
      {user && <Avatar user={user} />}
      <time className="list-row-time">{timestamp !== undefined && formats.age(timestamp)}</time>
      {below}
    </li>
  );
}
