/** Texts of the page `tasks` in Italian. */
import type { en as english } from '../../tasks/texts.ts';

export const tasks: typeof english = {
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
