/** Texts of the page `versions` in Italian. */
import type { en as english } from '../../posts/versions-texts.ts';
import { italian } from '../plurals.ts';

export const versions: typeof english = {
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
