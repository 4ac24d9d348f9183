import { useComments } from '../post/comments.tsx';

/** Characters of a comment that are shown in its row. */
const MOST = 120;

/** The first words of the comment that a mention is in; nothing where it is not among the newest of the post. */
export function MentionWords({ postId, commentId }: { postId: number; commentId: number }) {
  const { data } = useComments(postId);
  const comment = data?.pages.flatMap(({ items = [] }) => items).find(({ id }) => id === commentId);
  const words = comment?.commentPlainText?.trim().replaceAll(/\s+/g, ' ') ?? '';
  if (words === '') return null;
  return <q dir="auto">{words.length > MOST ? `${words.slice(0, MOST)}…` : words}</q>;
}
