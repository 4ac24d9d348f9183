/** Texts of the versions of a post. */
import { usePageTexts } from '../texts/index.ts';
import { type Count, english, italian } from '../texts/plurals.ts';

export const en = {
  title: 'Versions',
  back: 'Back to the post',
  now: 'Current version',
  only: 'This post has not been edited yet.',
  first: 'oldest version',
  parts: {
    title: 'Title',
    description: 'Text',
    hashtags: 'Hashtags',
    event: 'Event',
    attachments: 'Attachments',
    field: 'Field',
  },
  eventParts: { startAt: 'Start', endAt: 'End', timezone: 'Time zone', location: 'Place' },
  fields: (count: Count) => english(count, { one: '1 field', other: `${count} fields` }),
  differences: 'Changes if you restore this version',
  same: 'This version is the same as the current one.',
  filesStay: 'Files stay as they are.',
  bringFilesBack: 'Bring back the files that were removed since',
  newFilesStay: 'Files that were added since stay.',
  nothing: 'nothing',
  restore: 'Restore this version',
  restored: 'The version was restored.',
  conflict: 'The post was edited meanwhile. The list was reloaded.',
  undo: 'Undo',
};

const it: typeof en = {
  title: 'Versioni',
  back: 'Torna al post',
  now: 'Versione attuale',
  only: 'Questo post non è ancora stato modificato.',
  first: 'versione più vecchia',
  parts: {
    title: 'Titolo',
    description: 'Testo',
    hashtags: 'Hashtag',
    event: 'Evento',
    attachments: 'Allegati',
    field: 'Campo',
  },
  eventParts: { startAt: 'Inizio', endAt: 'Fine', timezone: 'Fuso orario', location: 'Luogo' },
  fields: (count) => italian(count, { one: '1 campo', other: `${count} campi` }),
  differences: 'Che cosa cambia se la ripristini',
  same: 'Questa versione è uguale a quella attuale.',
  filesStay: 'I file restano come sono.',
  bringFilesBack: 'Riporta i file rimossi da allora',
  newFilesStay: 'I file aggiunti da allora restano.',
  nothing: 'niente',
  restore: 'Ripristina questa versione',
  restored: 'La versione è stata ripristinata.',
  conflict: 'Il post è stato modificato nel frattempo. L’elenco è stato ricaricato.',
  undo: 'Annulla',
};

export const useVersionTexts = () => usePageTexts('versions', { en, it });
