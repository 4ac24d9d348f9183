/** Sends comments; without a network they are kept in the outbox. */
import { plainTextOf } from '../../content/delta.ts';
import { sendOrKeep } from '../../offline/outbox.ts';
import { queryClient } from '../../portal.ts';
import { lastLanguage } from '../../texts/index.ts';
import { showNotice } from '../../write/notices.ts';

export interface WrittenComment {
  readonly text: string;
  readonly files: readonly { name: string; contentRef: string }[];
  /** The same for each attempt to send the same comment. */
  readonly key: string;
}

/** Characters of a comment that name it. */
const LABEL_LENGTH = 80;

/**
 * Sends a new comment.
 * @returns whether it is sent; false where it waits for the network
 */
export async function sendComment(
  place: { postId: number; parentCommentId?: number },
  { text, files, key }: WrittenComment,
): Promise<boolean> {
  const { postId } = place;
  const words = text === '' ? files.map(({ name }) => name).join(', ') : plainTextOf(text).trim();
  const answer = await sendOrKeep({
    key,
    operation: 'createPostComment',
    input: { ...place, ...(text !== '' && { comment: text }), attachments: [...files] },
    label: words.slice(0, LABEL_LENGTH),
    postId,
  });
  if (answer === undefined) {
    showNotice(lastLanguage().texts.writingKept);
    return false;
  }
  await queryClient.invalidateQueries({ queryKey: ['comments', postId] });
  return true;
}
