/** Saves one part of a post, and finds out whether somebody else changed the same part meanwhile. */
import { ConflictError, type Input } from '@portico/sdk';
import type { ShownField } from '../../content/shown-field.ts';
import { portal, queryClient } from '../../portal.ts';
import type { Merged, MergeKind } from '../../write/merge/merge-values.ts';
import { nameOf } from '../user-name.ts';

export type Post = Awaited<ReturnType<typeof portal.posts.get>>;
export type Capabilities = Partial<Awaited<ReturnType<typeof portal.posts.capabilities>>>;
type Content = NonNullable<Awaited<ReturnType<typeof portal.posts.editForm>>['contentData']>;
type Body = Omit<Input<'patchPost'>, 'postId' | 'occToken'>;

/** A part of a post: how it is read from the form and written. */
export interface Part<T> {
  /** By which what is written is kept in the browser until it is saved; one for each part of a post. */
  readonly key: string;
  /** Name that is shown. */
  readonly name: string;
  /** The custom field that it is. */
  readonly field?: ShownField;
  read(content: Content): T;
  /** @throws RangeError for a value that cannot be written */
  write(value: T): Body;
  same(a: T, b: T): boolean;
  /** How two changes of it are merged. */
  readonly merge: MergeKind;
}

/** The part as somebody began to edit it. */
export interface EditBase<T> {
  readonly base: T;
  readonly token: number;
}

export interface Conflict<T> {
  readonly kind: 'conflict';
  readonly theirs: EditBase<T>;
  readonly merged: Merged<T>;
  readonly by: string;
}

interface Saved<T> {
  readonly kind: 'saved';
  /** The value before, and the one that is written now, with the changes of both. */
  readonly before: T;
  readonly written: T;
  /** Whether another person's change of the same part was merged with it. */
  readonly both: boolean;
}

/** How often saving is tried again when others save at the same time. */
const MOST_ATTEMPTS = 5;

const formKey = ({ id, lastModifyTimestamp }: Post) => ['edit-form', id, lastModifyTimestamp];

/** The form of the post, read ahead so that editing begins at once. */
export const formQuery = (post: Post) => ({
  queryKey: formKey(post),
  queryFn: () => portal.posts.readForEdit({ postId: post.id!, loadAttachments: false }),
  staleTime: Number.POSITIVE_INFINITY,
});

export async function beginEdit<T>(post: Post, part: Part<T>): Promise<EditBase<T>> {
  const { contentData, occToken } = await queryClient.ensureQueryData(formQuery(post));
  return { base: part.read(contentData), token: occToken! };
}

/**
 * Writes a part. A change that somebody else made meanwhile is merged; where a person must look at
 * the merged value, it is returned and nothing is written.
 * @throws whatever the client library throws, but for conflicts
 */
export async function savePart<T>(
  post: Post,
  part: Part<T>,
  begun: EditBase<T>,
  mine: T,
): Promise<Saved<T> | Conflict<T>> {
  const postId = post.id!;
  let { token, base: before } = begun;
  let written = mine;
  let both = false;
  for (let attempt = 1; ; attempt++) {
    try {
      const { postData } = await portal.posts.update(postId, {
        version: token,
        loadPost: true,
        ...part.write(written),
      });
      if (postData) queryClient.setQueryData<Post>(['post', postId], (before) => before && { ...before, ...postData });
      await refetchPost(postId);
      return { kind: 'saved', before, written, both };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === MOST_ATTEMPTS) throw error;
      const form = await portal.posts.readForEdit({ postId, loadAttachments: false });
      const { contentData, occToken, lastModifyUser } = form;
      const theirs = part.read(contentData);
      token = occToken!;
      if (!part.same(theirs, before) && !part.same(theirs, written)) {
        const { mergeValues } = await import('../../write/merge/index.ts');
        const merged = mergeValues(part.merge, { base: before, mine: written, theirs }, part.same);
        if (!merged.settled)
          return { kind: 'conflict', theirs: { base: theirs, token }, merged, by: nameOf(lastModifyUser) };
        written = merged.value;
        both = true;
      }
      before = theirs;
    }
  }
}

/** Reads again what a write of the post may have changed. */
export async function refetchPost(postId: number): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind, id] }) =>
      kind === 'posts' ||
      kind === 'waiting' ||
      (['post', 'capabilities', 'history', 'attachments'].includes(String(kind)) && id === postId),
  });
}

/** Shows what a write of the caller changed in the post. A read in flight may be older and is repeated. */
export async function showWritten(postId: number, change: (post: Post) => Post): Promise<void> {
  const queryKey = ['post', postId];
  queryClient.setQueryData<Post>(queryKey, (before) => before && change(before));
  if (queryClient.isFetching({ queryKey, exact: true }) > 0)
    await queryClient.invalidateQueries({ queryKey, exact: true });
}
