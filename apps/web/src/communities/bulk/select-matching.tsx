import { useEffect, useRef, useState } from 'react';
import { isQuantity } from '../../content/field-number.ts';
import { useAttempt } from '../../failures/attempt.ts';
import { useFormats } from '../../texts/index.ts';
import { showNotice } from '../../write/notices.ts';
import type { Column } from '../columns.ts';
import type { ListedPost, ListQuery } from '../use-posts.ts';
import { MOST_POSTS, readPosts } from './read-posts.ts';
import { useBulkTexts } from './texts.ts';

/** Selects all posts of the list, loaded or not. */
export function SelectMatching({
  query,
  total,
  columns,
  onFound,
}: {
  query: ListQuery;
  total: number;
  columns: readonly Column[];
  onFound: (posts: readonly ListedPost[]) => void;
}) {
  const bulk = useBulkTexts();
  const formats = useFormats();
  const attempt = useAttempt();
  const [read, setRead] = useState<number>();
  const stopped = useRef<AbortController>(undefined);
  useEffect(() => () => stopped.current?.abort(), []);
  const most = formats.number(MOST_POSTS);
  const all = formats.count(total);
  const readAll = async () => {
    const stop = new AbortController();
    stopped.current = stop;
    const { signal } = stop;
    const numbers = columns.flatMap(({ field }) => (field && isQuantity(field) ? [`customData.${field.id}`] : []));
    const fields = ['id', 'title', 'currentWorkflowState', ...numbers].join(',');
    setRead(0);
    const select = async () => {
      try {
        const { posts, more } = await readPosts({ ...query, fields }, MOST_POSTS, { signal, onProgress: setRead });
        onFound(posts);
        if (more) showNotice(bulk.onlyFirst(most));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    };
    await attempt(select, bulk.notSelected);
    setRead(undefined);
  };
  if (read === undefined)
    return (
      <button type="button" className="quiet" onClick={() => void readAll()}>
        {total > MOST_POSTS ? bulk.selectFirst(most, all) : bulk.selectAll(all)}
      </button>
    );
  return (
    <span className="muted">
      {bulk.reading(formats.number(read), formats.number(Math.min(total, MOST_POSTS)))}{' '}
      <button type="button" className="quiet" onClick={() => stopped.current?.abort()}>
        {bulk.stop}
      </button>
    </span>
  );
}
