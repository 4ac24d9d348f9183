/** The command line of the bench. */
import { parseArgs } from 'node:util';

/** Options of the bench. */
export interface Options {
  /** Posts of the big community; undefined uses the existing data. */
  readonly posts: number | undefined;
  /** Directory of a persistent embedded database. */
  readonly data: string | undefined;
  /** Connection string of a database's owner. */
  readonly database: string | undefined;
  /** Shapes and operations by name. */
  readonly only: RegExp | undefined;
  readonly seconds: number;
  readonly rounds: number;
  readonly compare: boolean;
  /** Directory of another checkout to compare the operations with. */
  readonly against: string | undefined;
  /** Measures only the operations: enough for a comparison. */
  readonly brief: boolean;
  readonly smoke: boolean;
  /** Compares with a small community, to measure how cost grows. */
  readonly growth: boolean;
  /** Writes docs/performance.md and bench/generated/performance.json. */
  readonly write: boolean;
}

/** Up to this many posts, a run checks that answers are right, unless it is told to measure. */
const SMOKE_POSTS = 10_000;

export const HELP = `npm run bench -- [options]        builds a tenant of that size and measures Portico beside the limit
npm run bench -- isolation | files | memory | neighbours | hostile | live | page | bulk | definitions | several   small measurements that need no such tenant

  --posts N          posts of the big community; at most ${SMOKE_POSTS} checks answers instead of times (as --smoke)
  --data DIR         keep the database in DIR; with what was built there before, nothing is built
  --database URL     a database of your own, as its owner (a superuser); built once, then taken as it is
  --only REGEX       operations, lists and groups of lists whose name fits
  --seconds S        length of one load of an operation (default 1.5)
  --rounds R         rounds, Portico and the limit by turns (default 3)
  --smoke            check answers, measure nothing
  --measure          measure, however few posts
  --brief            measure the operations only, and keep their figures to compare with
  --compare          measure the operations and compare their ratios with bench/generated/performance.json; exit 1 where one fell
  --against DIR      measure the operations beside those of another checkout in DIR, by turns on data built for each; exit 1 where
                     one takes a tenth longer
  --no-growth        leave out the comparison with a small community
  --no-write         leave docs/performance*.md and bench/generated/performance.json as they are
`;

/**
 * Reads the command line.
 * @throws Error with a sentence for the user
 */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      posts: { type: 'string' },
      data: { type: 'string' },
      database: { type: 'string' },
      only: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      compare: { type: 'boolean' },
      against: { type: 'string' },
      smoke: { type: 'boolean' },
      measure: { type: 'boolean' },
      brief: { type: 'boolean' },
      'no-growth': { type: 'boolean' },
      'no-write': { type: 'boolean' },
    },
  });
  const number = (name: 'posts' | 'seconds' | 'rounds', least: number): number | undefined => {
    const text = values[name];
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!Number.isFinite(value) || value < least)
      throw new Error(`--${name} takes a number from ${least}, not "${text}".`);
    return value;
  };
  const posts = number('posts', 1_000);
  if (posts === undefined && values.data === undefined && values.database === undefined)
    throw new Error('Say how many posts (--posts) or where the data is (--data, --database).');
  if (values.data !== undefined && values.database !== undefined)
    throw new Error('--data and --database exclude each other.');
  if (values.against !== undefined && posts === undefined)
    throw new Error('--against builds its data: say how many posts (--posts).');
  const measure = [values.measure, values.compare, values.brief].includes(true);
  const only = values.only === undefined ? undefined : new RegExp(values.only);
  return {
    posts,
    data: values.data,
    database: values.database,
    only,
    seconds: number('seconds', 0.1) ?? 1.5,
    rounds: number('rounds', 1) ?? 3,
    compare: values.compare === true,
    against: values.against,
    brief: values.brief === true || values.compare === true,
    smoke: values.smoke === true || (!measure && posts !== undefined && posts <= SMOKE_POSTS),
    growth: values['no-growth'] !== true,
    // A part of a run says nothing about the rest.
    write: values['no-write'] !== true && only === undefined && values.compare !== true,
  };
}
