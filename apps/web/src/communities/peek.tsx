import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Maximize2, X } from 'lucide-react';
import { PostView } from '../posts/post-page.tsx';
import { postQuery } from '../shared-queries.ts';
import { useKeys } from '../shell/keys.ts';
import { useTexts } from '../texts/index.ts';
import { useListTexts } from './texts.ts';

/** A post that is shown beside its list. */
export function Peek({ postId, close }: { postId: number; close: () => void }) {
  const texts = useTexts();
  const list = useListTexts();
  const post = useQuery(postQuery(postId));
  useKeys([{ key: 'Escape', label: texts.close, run: close }]);
  return (
    <aside className="peek" aria-label={post.data?.title || texts.untitled}>
      <header>
        <span className="muted" />
        <Link to="/post/$postId" params={{ postId: String(postId) }} className="quiet" title={list.openFull}>
          <Maximize2 size={14} aria-hidden /> {list.openFull}
        </Link>
        <button type="button" className="quiet" aria-label={texts.close} onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <PostView postId={postId} beside />
    </aside>
  );
}
