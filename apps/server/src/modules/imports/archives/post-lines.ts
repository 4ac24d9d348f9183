/** Lines of a post: a post with many comments or a long history takes several. */
import { communityArchiveLimits as limits } from '@portico/contract';
import { Turns } from '@portico/platform/turns';
import { type LineFacts, readMore, readPost } from './check-lines.ts';
import type { ArchivedMore, ArchivedPost } from './format.ts';
import { ENTRIES } from './format.ts';
import { ArchiveFault, type CommunityArchive } from './open-archive.ts';

/** Length at which a line ends and another one begins. UTF-16 units. */
const LONG = 256 * 1024;
/** Comments and events of a line: each has several lists and objects. */
const MANY = 2_000;

/** Returns the lines of a post. */
export function* linesOf(post: ArchivedPost): Generator<string> {
  const { comments = [], history = [], ...head } = post;
  let line: Omit<ArchivedMore, 'comments' | 'history'> & { comments?: unknown[]; history?: unknown[] } = head;
  let length = JSON.stringify(head).length;
  let count = 0;
  for (const [name, parts] of [
    ['comments', comments],
    ['history', history],
  ] as const)
    for (const part of parts) {
      const partLength = JSON.stringify(part).length;
      if (count === MANY || (count > 0 && length + partLength > LONG)) {
        yield `${JSON.stringify(line)}\n`;
        line = { number: post.number };
        [length, count] = [0, 0];
      }
      const list = line[name] ?? [];
      list.push(part);
      line[name] = list;
      length += partLength;
      count += 1;
    }
  yield `${JSON.stringify(line)}\n`;
}

/** A post of an archive with the number of its first line. */
export interface PostLine {
  readonly line: number;
  readonly post: ArchivedPost;
}

/** Reads the posts of an archive, each from all of its lines. @throws ArchiveFault */
export async function* postsIn(archive: CommunityArchive, facts: LineFacts): AsyncGenerator<PostLine> {
  const turns = new Turns();
  let last: { line: number; post: ArchivedPost; bytes: number } | undefined;
  for await (const { line, value, bytes } of archive.lines('posts')) {
    if (turns.isOver) await turns.next();
    if (last && (value as ArchivedMore).number === last.post.number && !('by' in (value as object))) {
      last = {
        line: last.line,
        post: readMore(last.post, value, line, facts),
        bytes: last.bytes + bytes,
      };
      if (last.bytes > limits.postBytes)
        throw new ArchiveFault(ENTRIES.posts, `the post has more than ${limits.postBytes} bytes`, line);
      continue;
    }
    if (last) yield last;
    last = { line, post: readPost(value, line, facts), bytes };
  }
  if (last) yield last;
}
