/** Texts of the list of tasks. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  relations: { assigned: 'Assigned to me', created: 'Created by me', watched: 'I watch' },
  open: 'Open',
  closed: 'Closed',
  allCommunities: 'All communities',
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next seven days',
  later: 'Later',
  undated: 'Without a date',
  finished: 'Closed',
  empty: 'No task is here.',
  emptyHint: 'Tasks are part of posts: open a post to give one.',
  close: (title: string) => `Close the task ${title}`,
  reopen: (title: string) => `Open the task ${title} again`,
  wasClosed: 'The task was closed.',
  wasOpened: 'The task is open again.',
  failed: 'That did not work. The list was loaded again.',
  review: 'in review',
  priorities: { 1: 'Low', 2: 'Normal', 3: 'High', 4: 'Urgent' },
  steps: (done: string, all: string) => `${done} of ${all}`,
  closeKey: 'Close or open the task',
};

const it: typeof en = {
  relations: { assigned: 'Assegnate a me', created: 'Create da me', watched: 'Che seguo' },
  open: 'Aperte',
  closed: 'Chiuse',
  allCommunities: 'Tutte le comunità',
  overdue: 'Scadute',
  today: 'Oggi',
  week: 'Prossimi sette giorni',
  later: 'Più avanti',
  undated: 'Senza data',
  finished: 'Chiuse',
  empty: 'Nessuna attività.',
  emptyHint: 'Le attività fanno parte dei post: apri un post per assegnarne una.',
  close: (title) => `Chiudi l’attività ${title}`,
  reopen: (title) => `Riapri l’attività ${title}`,
  wasClosed: 'Attività chiusa.',
  wasOpened: 'Attività riaperta.',
  failed: "Non ha funzionato. L'elenco è stato ricaricato.",
  review: 'in revisione',
  priorities: { 1: 'Bassa', 2: 'Normale', 3: 'Alta', 4: 'Urgente' },
  steps: (done, all) => `${done} di ${all}`,
  closeKey: "Chiudi o riapri l'attività",
};

export const useTaskTexts = () => usePageTexts({ en, it });
