/** Guests of events. */
import { defineOperations } from '../define.ts';
import { examples } from '../examples.ts';

export const guestsOperations = defineOperations('posts', {
  listEventGuests: {
    method: 'POST',
    path: '/communication/posts/data/post-event/{postId}/guests',
    body: 'ListEventGuestsRequest',
    responses: { 200: 'ListEventGuestsResponse', 404: null },
    permission: 'seeEvent',
    paging: 'page',
    extension: true,
    summary: 'List the guests of an event',
    description:
      'People who are invited themselves or have answered, with their answers, and how many there are of each; groups that are invited. `editPostEventPartecipate` answers.',
    requestExamples: examples<'ListEventGuestsRequest'>({
      all: { summary: 'All', value: {} },
      coming: { summary: 'Guests who come, perhaps', value: { answers: [1, 2] } },
    }),
    clientMethod: 'guests',
    command: { columns: ['user', 'typeId', 'answer', 'timestamp'], examples: ['4711 --all', '4711 --answers 1,2'] },
  },
});
