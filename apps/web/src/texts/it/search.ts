/** Texts of the page `search` in Italian. */
import type { en as english } from '../../search/texts.ts';
import { italian } from '../plurals.ts';

export const search: typeof english = {
  title: 'Cerca',
  placeholder: 'Cerca in post, commenti, attività, file e persone',
  hint: 'Scrivi alcune parole. Restringi con in:comunità, by:persona, state:nome, before:2026-03, has:file, "una frase" o -parola.',
  nothing: 'Nulla contiene queste parole.',
  community: 'Comunità',
  kind: 'Tipo',
  kinds: {
    post: 'Post',
    comment: 'Commenti',
    task: 'Attività',
    file: 'File',
    person: 'Persone',
    community: 'Comunità',
  },
  count: (count) => italian(count, { one: '1 risultato', other: `${count} risultati` }),
  atLeast: (shown) => `${shown} o più risultati`,
  corrected: (words) => `Risultati per “${words}”`,
  someWords: 'Nulla contiene tutte queste parole. Questi risultati ne contengono alcune.',
  ignored: (parts) => `Non riconosciuto, quindi ignorato: ${parts}`,
  indexing: 'La ricerca è in preparazione: alcuni commenti, attività e file non si trovano ancora.',
  restricted: 'I testi dei campi visibili solo ad alcuni si trovano con il nome del campo: etichetta:valore.',
  inPost: (title) => `in ${title}`,
  more: 'Altri risultati',
  alsoFinds: 'La ricerca trova anche:',
  correctedFinds: (words) => `La ricerca trova “${words}”:`,
};
