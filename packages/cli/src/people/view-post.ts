/** Shows one post to people. */
import { bold, shownMoment, shownText } from '../output.ts';
import type { Session } from '../session.ts';
import { asksForData, printData, type ShownFlags } from './flags.ts';
import { nameOf } from './labels.ts';
import { postPage } from './names.ts';
import { type PostRow, rowOf } from './post-rows.ts';

/** A comment as people read it. */
interface ShownComment {
  id: number;
  author?: string;
  created?: string;
  text: string;
}

/** Reads a post with the names of its community and fields. */
async function readRow({ client, options }: Session, postId: number): Promise<PostRow> {
  const post = await client.posts.get({ postId }, options);
  const communityId = post.communityId as number;
  const [{ community }, definition] = await Promise.all([
    client.communities.get({ communityId }, options),
    client.definition(communityId, options),
  ]);
  return rowOf(post, postPage(client, postId), community?.name ?? String(communityId), definition);
}

/** Prints a post as text, or as data where the flags ask for it. */
export async function viewPost(
  session: Session,
  postId: number,
  flags: ShownFlags & { comments?: boolean },
): Promise<void> {
  const row = await readRow(session, postId);
  const comments = flags.comments ? await commentsOf(session, postId) : undefined;
  if (asksForData(flags)) return printData({ ...row, ...(comments && { commentList: comments }) }, flags);
  process.stdout.write(`${textOf(row)}${comments ? commentText(comments) : ''}`);
}

async function commentsOf({ client, options }: Session, postId: number): Promise<ShownComment[]> {
  const comments: ShownComment[] = [];
  for await (const comment of client.comments.iterate({ postId, pageSize: 100 }, options)) {
    if (comment.deleted) continue;
    const { id, creatorUser, creationTimestamp, commentPlainText = '' } = comment;
    comments.push({
      id: id as number,
      ...(creatorUser && { author: nameOf(creatorUser) }),
      ...(creationTimestamp !== undefined && { created: shownMoment(creationTimestamp) }),
      text: commentPlainText.trimEnd(),
    });
  }
  return comments;
}

function textOf({ id, title, text, fields, screen, ...members }: PostRow): string {
  const facts: [string, unknown][] = [
    ['community', members.community],
    ['state', members.state],
    ['author', members.author],
    ['created', members.created],
    ['modified', [members.modified, members.modifiedBy && `by ${members.modifiedBy}`].filter(Boolean).join(' ')],
    ['visibility', members.visibility],
    ['comments', members.comments],
    ...Object.entries(fields),
    ...Object.entries(screen ?? {}),
    ['page', members.url],
  ];
  const shown = facts.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  const lines = shown.map(([name, value]) => {
    const indented = clean(value).replaceAll('\n', `\n${' '.repeat(width + 2)}`);
    return `${bold(name.padEnd(width))}  ${indented}\n`;
  });
  return `${bold(`${clean(title ?? '')} #${id}`.trim())}\n${lines.join('')}${text ? `\n${clean(text)}\n` : ''}`;
}

function commentText(comments: readonly ShownComment[]): string {
  return comments
    .map(({ author, created, text }) => `\n${bold([author, created].filter(Boolean).join(', '))}\n${clean(text)}\n`)
    .join('');
}

/** A value without control sequences for the terminal. */
const clean = (value: unknown): string => shownText('', value);
