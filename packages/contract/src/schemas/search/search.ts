/** The search over everything that the caller sees. */
import { searchLimits } from '../../limits.ts';
import * as t from '../fields.ts';

/** Kinds of found objects. */
const kinds = ['post', 'comment', 'task', 'file', 'person', 'community'] as const;

export const searchTypes = {
  SearchRequest: t.type('Words to search for, and restrictions.', {
    text: t.text(
      'Words that a result must have: inflected, with other accents or case, the last word also as a beginning. ' +
        '`"a phrase"`; `-word` excludes; `a or b`; `in:community`, `by:person`, `state:name`, ' +
        '`before:2026-03-01`, `after:2025`, `has:file` (`image`, `comment`, `task`), `label:value` ' +
        'of a field. Names with spaces are in quotes: `state:"In progress"`.',
      { maxLength: searchLimits.text },
    ),
    kinds: t.wordList(kinds, 'Only results of these kinds.'),
    communityIds: t.filterIds('Only results of these communities.'),
    stateNames: t.texts('Only results whose post is in a state with one of these names.'),
    from: t.time('Only results of this time or later.'),
    to: t.time('Only results before this time.'),
    pageSize: t.int32(`Maximum number of results: at least 1, at most ${searchLimits.page}. Default 20.`, {
      default: 20,
      minimum: 1,
      maximum: searchLimits.page,
    }),
    skip: t.int32('Number of best results to leave out, for the next page.', {
      default: 0,
      minimum: 0,
      maximum: searchLimits.candidates,
    }),
  }),
  SearchResponse: t.type('Results, the best first.', {
    items: t.list('SearchResult', 'The results of this page.'),
    more: t.flag('Whether a further page has results.'),
    counts: t.ref('SearchCounts', 'Results by kind, community, state and year.'),
    corrected: t.text('The words that were found in place of misspelt ones; absent if none were misspelt.'),
    someWords: t.flag('True: nothing has all words; the results have some of them.'),
    suggestions: t.texts('Words of the results that continue the last word.'),
    ignored: t.texts('Parts of `text` that name nothing known, such as `in:` with an unknown community.'),
    indexing: t.flag(
      'True while the index is built after an upgrade: posts that are not in it yet are found by their texts alone.',
    ),
  }),
  SearchResult: t.type('A found object.', {
    kind: t.word(kinds, 'Kind of the object.'),
    id: t.int64('Id of the post, comment, task, attachment, user or community.'),
    postId: t.int64('The post that it is or belongs to.'),
    communityId: t.int64('The community that it is or is in.'),
    communityName: t.text('Name of that community.'),
    title: t.text(
      'Title of the post or task, name of the file, person or community; of a comment the title of its post.',
    ),
    titleMarks: t.list('SearchMark', 'Parts of `title` that matched.'),
    excerpt: t.text('The part of the text around the match; absent if only the title matched and there is no text.'),
    excerptMarks: t.list('SearchMark', 'Parts of `excerpt` that matched.'),
    fieldLabel: t.text('The field whose text `excerpt` is; absent for other texts.'),
    postTitle: t.text('Title of the post that a comment, task or file belongs to.'),
    stateName: t.text('Workflow state of the post.'),
    authorUser: t.ref('User', 'Author of the object; of a person the person.'),
    timestamp: t.time('Last modification of a post or task; creation of a comment or file.'),
  }),
  SearchMark: t.type('A part of a text.', {
    start: t.count('Index of its first UTF-16 unit.'),
    end: t.count('Index of the first UTF-16 unit after it.'),
  }),
  SearchCounts: t.type(
    `Numbers of results among the best candidates: the newest ${searchLimits.candidates} that match.`,
    {
      kinds: t.list('SearchCount', 'By kind.'),
      communities: t.list('SearchCount', 'By community.'),
      states: t.list('SearchCount', 'By name of the state of the post.'),
      years: t.list('SearchCount', 'By year, UTC.'),
      total: t.count('All counted results.'),
      more: t.flag('True: there may be further results, which are not counted.'),
    },
  ),
  SearchCount: t.type('Number of results with one value.', {
    value: t.text('The kind, the name of the state, the year, or the id of the community, as text.'),
    name: t.text('Name of the community.'),
    count: t.count('Number of results.'),
  }),
} as const;
