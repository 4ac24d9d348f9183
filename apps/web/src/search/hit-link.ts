/** Where a result opens. */
import type { SearchHit } from './use-search.ts';

/** Returns the target of a link to a result: its post at the place that matched, a community, or a person. */
export function hitTarget({ kind, id, postId, communityId }: SearchHit) {
  if (kind === 'community')
    return { to: '/community/$communityId', params: { communityId: String(communityId) } } as const;
  if (kind === 'person') return { to: '/people/$personId', params: { personId: String(id) } } as const;
  const hash = anchorOf(kind, id);
  return { to: '/post/$postId', params: { postId: String(postId) }, ...(hash && { hash }) } as const;
}

/** Returns the place of a result on the page of its post. */
function anchorOf(kind: SearchHit['kind'], id: number | undefined): string | undefined {
  if (kind === 'file') return 'attachments';
  return kind === 'comment' || kind === 'task' ? `${kind}-${id}` : undefined;
}
