/** The search over everything that the caller sees. */
import { searchLimits } from '../../limits.ts';
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const searchOperations = defineOperations('search', {
  searchEverything: {
    method: 'POST',
    path: '/communication/search/data/search',
    body: 'SearchRequest',
    responses: { 200: 'SearchResponse', 400: 'ValidationErrorResponse' },
    permission: 'authenticated',
    extension: true,
    summary: 'Search posts, comments, tasks, files, people and communities',
    description:
      'Returns what the caller sees and what has the words of `text`, the best first: words of titles and ' +
      'names before words of texts, newer before older. People are found by names and captions. Words match in ' +
      'English, Italian, German, French and Spanish inflections; articles need not match. If few results have all ' +
      'words, parts of words and words with one wrong letter (from six letters, inflected ones too) match too, ' +
      `then results with some of the words, rare ones first. At most ${searchLimits.terms} ` +
      'words and as many restrictions count. Texts of fields that only some roles see are not in the index; `label:value` searches ' +
      'them for callers who see them. A change is found some seconds later.',
    requestExamples: examples<'SearchRequest'>({
      words: { summary: 'Words', value: { text: 'projector "meeting room" -broken' } },
      restricted: {
        summary: 'Comments and tasks of a community',
        value: { text: 'contract', kinds: ['comment', 'task'], communityIds: [12] },
      },
      operators: { summary: 'Operators', value: { text: 'invoice state:open before:2026-03-01 has:file' } },
    }),
    clientMethod: 'find',
    command: {
      rows: 'items',
      columns: ['kind', 'id', 'title', 'excerpt', 'communityName', 'stateName'],
      examples: ['--text projector', "--text 'invoice state:open' --kinds post --output json"],
    },
  },
});
