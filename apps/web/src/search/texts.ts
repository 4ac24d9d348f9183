/** Texts of the search over everything. */
import { usePageTexts } from '../texts/index.ts';
import { type Count, english, italian } from '../texts/plurals.ts';

export const en = {
  title: 'Search',
  placeholder: 'Search posts, comments, tasks, files and people',
  hint: 'Enter some words. Narrow with in:community, by:person, state:name, before:2026-03, has:file, "a phrase" or -word.',
  nothing: 'Nothing contains these words.',
  community: 'Community',
  kind: 'Kind',
  kinds: {
    post: 'Posts',
    comment: 'Comments',
    task: 'Tasks',
    file: 'Files',
    person: 'People',
    community: 'Communities',
  },
  count: (count: Count) => english(count, { one: '1 result', other: `${count} results` }),
  atLeast: (shown: string) => `${shown} or more results`,
  corrected: (words: string) => `Results for “${words}”`,
  someWords: 'Nothing has all of these words. These results have some of them.',
  ignored: (parts: string) => `Not known, therefore ignored: ${parts}`,
  indexing: 'The search is being prepared: some comments, tasks and files are not found yet.',
  restricted: 'Texts of fields that only some people see are found with the name of the field, as label:value.',
  inPost: (title: string) => `in ${title}`,
  more: 'More results',
};

const it: typeof en = {
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
};

export const useSearchTexts = () => usePageTexts('search', { en, it });
