import type { PostComment } from '@portico/sdk';
import { useEffect, useState } from 'react';
import { RichText } from '../content/rich-text.tsx';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { LoadMore } from '../load-more.tsx';
import { Failed } from '../placeholders.tsx';
import { failureOf, portal } from '../portal.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { usePages } from '../use-pages.ts';
import { FileList } from './file-list.tsx';
import { useAnchor, useWantedId } from './use-anchor.ts';
import { nameOf } from './user-name.ts';

const editing = () => import('./editing/index.ts');
const NewComment = part(editing, 'NewComment');
const CommentTools = part(editing, 'CommentTools');

/** A comment with the answers to it. */
interface Thread {
  readonly head: PostComment;
  readonly answers: PostComment[];
}

/** Comments of a post, newest first, in pages. */
export const useComments = (postId: number) =>
  usePages(['comments', postId], (page) => portal.comments.list({ postId, pageSize: 50, ...page }));

/** Comments up to which pages are loaded for the one that the address names. */
const MOST_LOADED = 1_000;

/** Loads pages of comments until they have the one that the address names. */
function useWantedComment(comments: ReturnType<typeof useComments>): void {
  const wanted = useWantedId('comment');
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = comments;
  const missing =
    wanted !== undefined &&
    data !== undefined &&
    data.length < MOST_LOADED &&
    !data.some(({ id }) => id === wanted) &&
    hasNextPage &&
    !isFetching &&
    !isFetchNextPageError;
  useEffect(() => {
    if (missing) void fetchNextPage();
  }, [missing, fetchNextPage]);
}

interface OfPost {
  postId: number;
  communityId: number;
}

/** The box for a new comment, which is loaded when it is shown. */
export function CommentOpener({ postId, communityId }: OfPost) {
  return (
    <Panel fallback={<div className="comment-opener" />}>
      <NewComment postId={postId} communityId={communityId} />
    </Panel>
  );
}

/** Comments of a post, the latest thread first. Where the caller may not see them, there are none to show. */
export function Comments({ postId, communityId }: OfPost) {
  const texts = useTexts();
  const comments = useComments(postId);
  useWantedComment(comments);
  if (comments.isPending) return null;
  if (comments.isError) return failureOf(comments.error) === 'forbidden' ? null : <Failed query={comments} />;
  return (
    <section>
      {comments.data.length === 0 && <p className="muted">{texts.noComments}</p>}
      {threadsOf(comments.data).map((thread) => (
        <ThreadView key={thread.head.id} thread={thread} postId={postId} communityId={communityId} />
      ))}
      <LoadMore query={comments} />
    </section>
  );
}

export function ThreadView({ thread: { head, answers }, postId, communityId }: OfPost & { thread: Thread }) {
  return (
    <div className="thread">
      {[head, ...answers].map((comment) => (
        <Comment key={comment.id} comment={comment} root={head.id!} postId={postId} communityId={communityId} />
      ))}
    </div>
  );
}

/** Answers stand below what they answer, the earliest first; an answer whose head is not loaded is a thread of its own. */
export function threadsOf(items: readonly PostComment[]): Thread[] {
  const known = new Map<number | undefined, PostComment>(items.map((comment) => [comment.id, comment]));
  const rootOf = (comment: PostComment): number => {
    let root = comment;
    for (let parent = known.get(root.parentComment?.id); parent; parent = known.get(root.parentComment?.id))
      root = parent;
    return root.id!;
  };
  const threads = new Map<number, Thread>();
  for (const comment of items)
    if (rootOf(comment) === comment.id) threads.set(comment.id!, { head: comment, answers: [] });
  for (const comment of items.toReversed()) {
    const root = rootOf(comment);
    if (root !== comment.id) threads.get(root)?.answers.push(comment);
  }
  return [...threads.values()];
}

function Comment({ comment, root, postId, communityId }: OfPost & { comment: PostComment; root: number }) {
  const texts = useTexts();
  const formats = useFormats();
  const [edited, setEdited] = useState(false);
  const anchor = useAnchor(`comment-${comment.id}`);
  const {
    id,
    creatorUser,
    creationTimestamp,
    lastModifyTimestamp,
    commentDelta,
    commentPlainText,
    deleted,
    capabilities = {},
  } = comment;
  const tools = !deleted && (Object.values(capabilities).includes(true) || comment.showLikeSection);
  const wasEdited =
    lastModifyTimestamp !== undefined && creationTimestamp !== undefined && lastModifyTimestamp > creationTimestamp;
  return (
    <article className="comment" {...anchor} {...(root !== id && { 'data-answer': '' })}>
      <p>
        <strong>{nameOf(creatorUser)}</strong>{' '}
        <span className="muted">
          {creationTimestamp !== undefined && formats.moment(creationTimestamp)}
          {wasEdited && !deleted && ` · ${texts.edited}`}
          {comment.imported && ` · ${texts.imported}`}
        </span>
      </p>
      {deleted && <p className="muted">{texts.deletedComment}</p>}
      {!deleted && !edited && <RichText delta={commentDelta} plain={commentPlainText} />}
      {!deleted && <FileList files={comment.attachments ?? []} />}
      {tools && (
        <Panel fallback={<div className="comment-tools" />} instead={null}>
          <CommentTools
            comment={comment}
            root={root}
            postId={postId}
            communityId={communityId}
            editing={edited}
            setEditing={setEdited}
          />
        </Panel>
      )}
    </article>
  );
}
