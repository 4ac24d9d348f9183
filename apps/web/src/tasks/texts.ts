/** Texts of the list of tasks. */
import { usePageTexts } from '../texts/index.ts';

export const en = {
  relations: { assigned: 'Assigned to me', created: 'Created by me', watched: 'Watched by me' },
  open: 'Open',
  closed: 'Closed',
  allCommunities: 'All communities',
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next seven days',
  later: 'Later',
  undated: 'No due date',
  finished: 'Closed',
  empty: 'No tasks.',
  emptyHint: 'Tasks belong to posts. Open a post to add one.',
  close: (title: string) => `Close the task ${title}`,
  reopen: (title: string) => `Reopen the task ${title}`,
  wasClosed: 'The task was closed.',
  wasOpened: 'The task was reopened.',
  failed: 'The change failed.',
  review: 'in review',
  priorities: { 1: 'Low', 2: 'Normal', 3: 'High', 4: 'Urgent' },
  checklist: (done: string, all: string) => `${done} of ${all} done`,
  closeKey: 'Close or reopen the task',
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
  undated: 'Senza scadenza',
  finished: 'Chiuse',
  empty: 'Nessuna attività.',
  emptyHint: 'Le attività fanno parte dei post. Apri un post per aggiungerne una.',
  close: (title) => `Chiudi l’attività ${title}`,
  reopen: (title) => `Riapri l’attività ${title}`,
  wasClosed: 'Attività chiusa.',
  wasOpened: 'Attività riaperta.',
  failed: 'La modifica non è riuscita.',
  review: 'in revisione',
  priorities: { 1: 'Bassa', 2: 'Normale', 3: 'Alta', 4: 'Urgente' },
  checklist: (done, all) => `${done} di ${all} completati`,
  closeKey: "Chiudi o riapri l'attività",
};

export const useTaskTexts = () => usePageTexts('tasks', { en, it });
