/** `portico posts`: list, view, create, edit, move, comment and open posts by the names that people know. */
import type { Command } from 'commander';
import { addWhereOptions, commaList, conditions, parsePositive } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { csvCell, csvLine, printCells, shownText } from '../output.ts';
import { ProgressBar } from '../progress-bar.ts';
import { openSession, type Session } from '../session.ts';
import { reads } from '../words.ts';
import { openPage } from './browser.ts';
import { addShownOptions, asksForData, type ListFlags, printData, type ShownFlags } from './flags.ts';
import { communityNamed, communityPage, parsePost, personNamed, postPage, withPeople } from './names.ts';
import { columnsOf, type PostColumn, type PostRow, rowOf } from './post-rows.ts';
import { addWritingCommands } from './post-writes.ts';
import { viewPost } from './view-post.ts';

/** Posts of a list without `--limit` or `--all`. */
const SHOWN = 30;
/** Posts of one request. */
const PAGE = 100;

interface PostListFlags extends ListFlags {
  where?: string[];
  state?: string[];
  hashtag?: string[];
  search?: string;
  author?: string;
  sort?: string;
  desc?: boolean;
  count?: boolean;
  web?: boolean;
}

/** Adds `portico posts`. */
export function postsCommand(program: Command): void {
  const posts = program
    .command('posts')
    .description('List, view, create, edit, move and comment posts; "portico api posts" has every operation');
  addList(posts);
  addView(posts);
  addWritingCommands(posts);
  const open = reads(posts.command('open'))
    .description('Open the page of a post in the browser')
    .argument('<post>', 'the post, by number or address', parsePost);
  addShownOptions(open)
    .addHelpText('after', '\nExamples:\n  $ portico posts open 4711\n  $ BROWSER=firefox portico posts open 4711')
    .action(async (postId: number) => {
      const { client } = await openSession(open.opts<ShownFlags>());
      await openPage(postPage(client, postId));
    });
}

function addList(posts: Command): void {
  const list = reads(posts.command('list'))
    .description('List posts of a community, the last changed first')
    .argument('<community>', 'the community, by name or number');
  addWhereOptions(list);
  list
    .option('--search <words>', 'with these words in any text')
    .option('--author <person>', 'by this person: name, e-mail address, number, or "me"')
    .option('--sort <column>', 'order by "modified", "created", "title", "author", or a field by label')
    .option('--desc', 'the highest first')
    .option('--columns <names>', 'columns by name, separated by commas; fields by label', commaList)
    .option('--limit <number>', `at most this many (default: ${SHOWN})`, parsePositive)
    .option('--all', 'all of them')
    .option('--count', 'only how many there are')
    .option('--csv', 'print CSV')
    .option('--web', 'open the community in the browser');
  addShownOptions(list)
    .addHelpText(
      'after',
      `
Columns: id, title, state, author, created, modified, modifiedBy, visibility, comments, community, text, url, and
fields by label. Times are in UTC.

Examples:
  $ portico posts list "IT Service Desk" --state "In progress" --where "Severity=High"
  $ portico posts list Purchasing --author me --columns id,title,Amount --csv
  $ portico posts list 2 --all --json --jq '.[] | select(.fields.Severity == "High") | .url'`,
    )
    .action((community: string) => runList(community, list.opts<PostListFlags>()));
}

/** Orders by the names of columns. */
const ORDERS: Readonly<Record<string, string>> = {
  modified: 'postLastModifyTimestamp',
  created: 'postCreationTimestamp',
  title: 'postTitle',
  author: 'postCreatorUser',
};

async function runList(given: string, flags: PostListFlags): Promise<void> {
  const session = await openSession(flags);
  const { client, options } = session;
  const community = await communityNamed(session, given);
  if (flags.web) return openPage(communityPage(client, community.id));
  const definition = await client.definition(community.id, options);
  const names = flags.columns ?? (Array.isArray(flags.json) ? flags.json : undefined);
  const columns = await columnsOf(definition, names);
  const input = await filtersOf(session, community.id, flags);
  if (flags.count) {
    const { totalItemsCount } = await client.posts.list(
      { ...input, pageSize: 1, calculateTotalItemsCount: true },
      options,
    );
    process.stdout.write(`${totalItemsCount}\n`);
    return;
  }
  const limit = flags.all ? (flags.limit ?? Number.POSITIVE_INFINITY) : (flags.limit ?? SHOWN);
  const { rows, more } = await rowsUpTo(
    limit,
    client.posts.iterate({ ...input, pageSize: Math.min(PAGE, limit + 1) }, options),
  );
  const shown = rows.map((post) => rowOf(post, postPage(client, post.id as number), community.name, definition));
  await printPosts(shown, columns, flags, names !== undefined);
  if (more) process.stderr.write(`The first ${limit}; --all lists all of them, --limit more.\n`);
}

/** Conditions of the list in the form of the client library. */
async function filtersOf(session: Session, communityId: number, flags: PostListFlags) {
  const where = await withPeople(session, communityId, conditions(flags.where ?? []));
  return {
    communityId,
    ...(flags.where && { where: where as Record<string, string> }),
    ...(flags.state && { state: flags.state }),
    ...(flags.hashtag && { hashtags: flags.hashtag }),
    ...(flags.search !== undefined && { containsText: flags.search }),
    ...(flags.author !== undefined && { createdByUserId: await personNamed(session, flags.author) }),
    ...(flags.sort !== undefined && { orderBy: ORDERS[flags.sort] ?? flags.sort, orderDesc: flags.desc ?? false }),
    ...(flags.sort === undefined && flags.desc && { orderDesc: true }),
  };
}

/** Reads items up to a limit, with a bar on a terminal. */
export async function rowsUpTo<T>(limit: number, items: AsyncIterable<T>): Promise<{ rows: T[]; more: boolean }> {
  const bar = new ProgressBar(process.stderr);
  const rows: T[] = [];
  try {
    for await (const item of items) {
      if (rows.length >= limit) return { rows, more: true };
      rows.push(item);
      if (rows.length % PAGE === 0)
        bar.show(`${rows.length} so far`, Number.isFinite(limit) ? rows.length / limit : undefined);
    }
    return { rows, more: false };
  } finally {
    bar.clear();
  }
}

async function printPosts(
  rows: readonly PostRow[],
  columns: readonly PostColumn[],
  flags: PostListFlags,
  named: boolean,
): Promise<void> {
  if (asksForData(flags)) {
    const chosen = rows.map((row) =>
      named ? Object.fromEntries(columns.map(({ label, value }) => [label, value(row)])) : row,
    );
    return printData(chosen, flags);
  }
  printRows(rows, columns, flags.csv === true);
}

/** Prints rows as a table or as CSV. */
export function printRows<T>(
  rows: readonly T[],
  columns: readonly { label: string; value(row: T): unknown }[],
  csv: boolean,
): void {
  const labels = columns.map(({ label }) => label);
  if (csv) {
    process.stdout.write(csvLine(labels));
    for (const row of rows) process.stdout.write(csvLine(columns.map(({ value }) => csvCell(value(row)))));
    return;
  }
  if (rows.length === 0) process.stderr.write('Nothing found.\n');
  else printCells([labels, ...rows.map((row) => columns.map(({ value }) => oneLine(shownText('', value(row)))))]);
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

interface ViewFlags extends ShownFlags {
  comments?: boolean;
  web?: boolean;
}

function addView(posts: Command): void {
  const view = reads(posts.command('view'))
    .description('Show a post: its fields by label, its text, and its comments on request')
    .argument('<post>', 'the post, by number or address', parsePost)
    .option('--comments', 'also the comments')
    .option('--web', 'open its page in the browser');
  addShownOptions(view)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico posts view 4711 --comments\n  $ portico posts view 4711 --jq ".fields.Severity"',
    )
    .action(async (postId: number) => {
      const flags = view.opts<ViewFlags>();
      if (Array.isArray(flags.json)) throw new UsageError('--json takes no names here; use --jq.');
      const session = await openSession(flags);
      if (flags.web) return openPage(postPage(session.client, postId));
      return viewPost(session, postId, flags);
    });
}
