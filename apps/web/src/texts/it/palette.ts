/** Texts of the page `palette` in Italian. */
import type { en as english } from '../../palette/texts.ts';

export const palette: typeof english = {
  placeholder: 'Cerca ovunque, pagine e azioni',
  recent: 'Letti di recente',
  results: 'Risultati',
  resultsOf: (shown, total) => `Risultati: ${shown} di ${total}`,
  all: (total) => `Tutti i risultati (${total})`,
  narrow: 'Filtra per',
  everywhere: (text) => `Cerca “${text}” ovunque`,
  pages: 'Pagine',
  deleted: 'Post eliminati',
  actions: 'Azioni',
  light: 'Aspetto chiaro',
  dark: 'Aspetto scuro',
};
