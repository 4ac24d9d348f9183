import type { PagedListPostsResponse } from '@portico/sdk';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { StateLabel } from '../post/state-label.tsx';
import { nameOf } from '../post/user-name.ts';
import { useFormats, useTexts } from '../texts/index.ts';

type ListedPost = NonNullable<PagedListPostsResponse['items']>[number];

const ROW = 36;
/** Rows before the end at which the next page is read. */
const AHEAD = 30;

/** Rows of posts; only those in sight are in the document. @param more reads the next page; absent at the end */
export function PostTable({ posts, more }: { posts: readonly ListedPost[]; more: (() => void) | undefined }) {
  const texts = useTexts();
  const formats = useFormats();
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = window.matchMedia('(max-width: 768px)').matches;
  const rows = useVirtualizer({
    count: posts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (narrow ? 60 : ROW),
    overscan: 12,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= posts.length - AHEAD) more();
  }, [more, last, posts.length]);
  return (
    <>
      <div className="row head" aria-hidden>
        <span>{texts.columnPost}</span>
        <span>{texts.state}</span>
        <span>{texts.columnAuthor}</span>
        <span>{texts.columnChanged}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="rows" ref={scroller} tabIndex={0} aria-label={texts.columnPost}>
        <ul style={{ position: 'relative', height: rows.getTotalSize(), margin: 0, padding: 0, listStyle: 'none' }}>
          {shown.map(({ index, start, size, key }) => {
            const post = posts[index]!;
            return (
              <li key={key} style={{ position: 'absolute', insetInline: 0, top: start, height: size }}>
                <Link className="row" to="/post/$postId" params={{ postId: String(post.id) }}>
                  <span>
                    {post.customId && <span className="muted">{post.customId} </span>}
                    {post.title || texts.untitled}
                  </span>
                  <StateLabel state={post.currentWorkflowState} />
                  <span className="muted">{nameOf(post.creatorUser)}</span>
                  <span className="muted">
                    {post.lastModifyTimestamp !== undefined && formats.day(post.lastModifyTimestamp)}
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      </section>
      <footer className="toolbar muted" aria-live="polite">
        {texts.loaded(formats.number(posts.length))}
      </footer>
    </>
  );
}
