import { CheckCheck } from 'lucide-react';
import { portal, queries } from '../portal.ts';
import { newPostsOf, useTree } from '../read.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { say } from '../write/notices.ts';
import { useListTexts } from './texts.ts';

/** The number of new posts of a community, which the sidebar shows too, with a button that marks all of them as seen. */
export function MarkSeen({ communityId }: { communityId: number }) {
  const texts = useTexts();
  const list = useListTexts();
  const formats = useFormats();
  const count = newPostsOf(useTree().data).get(communityId) ?? 0;
  if (count === 0) return null;
  const mark = async () => {
    await portal.communities.visit({ communityId }).catch(() => say(texts.failed));
    await queries.invalidateQueries({ queryKey: ['tree'] });
  };
  return (
    <button type="button" className="quiet mark-seen" title={list.markSeen} onClick={() => void mark()}>
      <CheckCheck size={14} aria-hidden /> {list.newPosts(formats.number(count))}
      <span className="unseen">: {list.markSeen}</span>
    </button>
  );
}
