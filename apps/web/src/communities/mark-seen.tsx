import { CheckCheck } from 'lucide-react';
import { useAttempt } from '../failures/attempt.ts';
import { portal, queryClient } from '../portal.ts';
import { newPostsOf, useTree } from '../shared-queries.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { showNotice } from '../write/notices.ts';
import { useListTexts } from './texts.ts';

/** The number of new posts of a community, which the sidebar shows too, with a button that marks all of them as seen. */
export function MarkSeen({ communityId }: { communityId: number }) {
  const texts = useTexts();
  const list = useListTexts();
  const formats = useFormats();
  const attempt = useAttempt();
  const tree = useTree().data;
  const count = newPostsOf(tree).get(communityId) ?? 0;
  if (count === 0) return null;
  const visit = (change: { untilTimestamp?: number; takeBack?: boolean }, done?: () => void): Promise<boolean> =>
    attempt(async () => {
      await portal.communities.visit({ communityId, ...change });
      done?.();
      await queryClient.invalidateQueries({ queryKey: ['tree'] });
    });
  const before = tree?.workspaces
    ?.flatMap(({ communities = [] }) => communities)
    .find((one) => one.communityId === communityId)?.visitTimestamp;
  const takeBack = async () => {
    await visit({ takeBack: true, ...(before !== undefined && { untilTimestamp: before }) });
  };
  const mark = () => visit({}, () => showNotice(list.markedSeen, { label: texts.undo, run: takeBack }));
  return (
    <button type="button" className="quiet mark-seen" title={list.markSeen} onClick={() => void mark()}>
      <CheckCheck size={14} aria-hidden /> {list.newPosts(formats.count(count))}
      <span className="visually-hidden">: {list.markSeen}</span>
    </button>
  );
}
