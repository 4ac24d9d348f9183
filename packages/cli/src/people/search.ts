/** `portico search`: everything with some words that the caller sees. */
import { type SearchRequest, type SearchResponse, type SearchResult, searchLimits } from '@portico/contract';
import type { Command } from 'commander';
import { commaList, parsePositive } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { shownMoment } from '../output.ts';
import { openSession, type Session } from '../session.ts';
import { reads } from '../words.ts';
import { openPage } from './browser.ts';
import { addShownOptions, asksForData, type ListFlags, printData } from './flags.ts';
import { nameOf } from './labels.ts';
import { communityNamed, communityPage, postPage } from './names.ts';
import { printRows } from './posts.ts';

interface SearchFlags extends ListFlags {
  kind?: string[];
  community?: string;
  state?: string;
  web?: boolean;
}

type Kind = NonNullable<SearchResult['kind']>;
const KINDS: readonly Kind[] = ['post', 'comment', 'task', 'file', 'person', 'community'];

/** A result as people read it. */
interface FoundRow {
  kind?: Kind;
  id?: number;
  title?: string;
  /** The text around the match. */
  match?: string;
  /** Label of the field whose text matched. */
  field?: string;
  post?: string;
  postId?: number;
  community?: string;
  state?: string;
  author?: string;
  modified?: string;
  url: string;
}

const COLUMNS = [
  'kind',
  'id',
  'title',
  'match',
  'field',
  'post',
  'postId',
  'community',
  'state',
  'author',
  'modified',
  'url',
] as const satisfies readonly (keyof FoundRow)[];
/** Columns of a table without `--columns`; the last one continues on further lines. */
const SHOWN_COLUMNS = ['kind', 'id', 'title', 'community', 'state', 'match'] as const;
const SHOWN = 20;

/** Adds `portico search`. */
export function searchCommand(program: Command): void {
  const search = reads(program.command('search'))
    .summary('Search posts, comments, tasks, files, people and communities')
    .description(
      'Search posts, comments, tasks, files, people and communities, the best results first. Words match with ' +
        'their inflections; the last word also as a beginning. Narrow with in:COMMUNITY, by:PERSON, ' +
        'state:NAME, before:2026-03, after:2025, has:file, LABEL:VALUE, \'"a phrase"\', "a or b"; ' +
        'a -word after "--" is excluded',
    )
    .argument('<words...>', 'the words')
    .option('--kind <kinds>', `only these kinds, separated by commas: ${KINDS.join(', ')}`, commaList)
    .option('--community <name>', 'only in this community, by name or number')
    .option('--state <name>', 'only posts in this state, with their comments, tasks and files')
    .option('--columns <names>', `columns, separated by commas: ${COLUMNS.join(', ')}`, commaList)
    .option('--limit <number>', `at most this many (default: ${SHOWN})`, parsePositive)
    .option('--all', `all of them, at most ${searchLimits.candidates}`)
    .option('--csv', 'print CSV')
    .option('--web', 'open the page of the search in the browser');
  addShownOptions(search)
    .addHelpText(
      'after',
      `
Examples:
  $ portico search projector by:grace
  $ portico search --kind task,comment invoice state:open --json title,url
  $ portico search -- '"meeting room"' -broken`,
    )
    .action((words: string[]) => runSearch(words.join(' '), search.opts<SearchFlags>()));
}

async function runSearch(text: string, flags: SearchFlags): Promise<void> {
  const names = flags.columns ?? (Array.isArray(flags.json) ? flags.json : undefined);
  const columns = (names ?? SHOWN_COLUMNS).map(columnOf);
  const kinds = (flags.kind ?? []).map(kindOf);
  const session = await openSession(flags);
  const community = flags.community === undefined ? undefined : await communityNamed(session, flags.community);
  const request: SearchRequest = {
    text,
    ...(kinds.length > 0 && { kinds }),
    ...(community && { communityIds: [community.id] }),
    ...(flags.state !== undefined && { stateNames: [flags.state] }),
  };
  const { baseUrl } = session.client;
  if (flags.web) return openPage(`${baseUrl}/portal/search?${searchAddress(request)}`);
  const limit = Math.min(flags.limit ?? (flags.all ? Number.POSITIVE_INFINITY : SHOWN), searchLimits.candidates);
  const { items, first, more } = await results(session, request, limit);
  const shown = items.map((item) => foundRow(item, session));
  if (asksForData(flags)) {
    const chosen = names
      ? shown.map((row) => Object.fromEntries(columns.map(({ label, value }) => [label, value(row)])))
      : shown;
    await printData(chosen, flags);
  } else printRows(shown, columns, flags.csv === true);
  for (const note of notesOf(first, items.length)) process.stderr.write(`${note}\n`);
  if (more) process.stderr.write(`The first ${items.length}; --limit lists more.\n`);
}

/** Reads results up to a limit. */
async function results(
  { client, options }: Session,
  request: SearchRequest,
  limit: number,
): Promise<{ items: SearchResult[]; first: SearchResponse; more: boolean }> {
  const items: SearchResult[] = [];
  let first: SearchResponse | undefined;
  for (let skip = 0; ; skip += searchLimits.page) {
    const pageSize = Math.min(searchLimits.page, limit - skip);
    const page = await client.search.find({ ...request, pageSize, skip }, options);
    first ??= page;
    items.push(...(page.items ?? []));
    const more = page.more === true;
    if (!more || skip + pageSize >= limit) return { items, first, more };
  }
}

/** Returns sentences that say how the results differ from the request. */
function notesOf({ corrected, someWords, ignored = [], indexing }: SearchResponse, count: number): string[] {
  return [
    ...(count === 0 ? ['Nothing has these words.'] : []),
    ...(corrected === undefined ? [] : [`Results for "${corrected}".`]),
    ...(someWords && count > 0 ? ['Nothing has all of these words; these results have some of them.'] : []),
    ...(ignored.length > 0 ? [`Not known, therefore ignored: ${ignored.join(' ')}.`] : []),
    ...(indexing ? ['The index is being built: some comments, tasks and files are not found yet.'] : []),
  ];
}

/** @throws UsageError for an unknown kind */
function kindOf(name: string): Kind {
  const kind = KINDS.find((each) => each === name.toLowerCase());
  if (!kind) throw new UsageError(`There is no kind "${name}"; the kinds are ${KINDS.join(', ')}.`);
  return kind;
}

/** @throws UsageError for an unknown name */
function columnOf(name: string): { label: string; value(row: FoundRow): unknown } {
  const label = COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase());
  if (!label) throw new UsageError(`There is no column "${name}"; the columns are ${COLUMNS.join(', ')}.`);
  return { label, value: (row) => row[label] };
}

function foundRow(found: SearchResult, { client }: Session): FoundRow {
  const { kind, id, title, excerpt, fieldLabel, postTitle, postId, communityName, stateName } = found;
  const row: FoundRow = {
    kind,
    id,
    title,
    match: excerpt,
    field: fieldLabel,
    post: postTitle,
    postId,
    community: communityName,
    state: stateName,
    author: kind === 'person' ? undefined : nameOf(found.authorUser),
    modified: found.timestamp === undefined ? undefined : shownMoment(found.timestamp),
    url: pageOf(found, client),
  };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as unknown as FoundRow;
}

/** Returns the address of the page of a result, at the place that matched. */
function pageOf({ kind, id, postId }: SearchResult, client: Session['client']): string {
  if (kind === 'person') return `${client.baseUrl}/portal/people/${id}`;
  if (kind === 'community') return communityPage(client, id as number);
  const page = postPage(client, postId as number);
  if (kind === 'file') return `${page}#attachments`;
  return kind === 'post' ? page : `${page}#${kind}-${id}`;
}

/** Returns the address of a search on the page, whose members are JSON. */
function searchAddress({ text, kinds, communityIds, stateNames }: SearchRequest): URLSearchParams {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries({ text, kinds, communities: communityIds, states: stateNames }))
    if (value !== undefined) address.set(name, JSON.stringify(value));
  return address;
}
