import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '../shell/avatar.tsx';
import { useFormats, useTexts } from '../texts/index.ts';

/** One line of Home: why it is here, the post, where, who and when; what can be done in the row at its end. */
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
  /** Whether it was not seen yet. */
  fresh?: boolean;
  /** One line instead of two. */
  compact?: boolean;
  /** Whether it is off the list and only keeps its place. */
  gone?: boolean;
  /** Of what the reader has finished: takes it back. Its row stays. */
  undo?: (() => void) | undefined;
  onOpen?: () => void;
  /** What opens below the line. */
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
