/** Texts of the versions of a post. */
import { usePageTexts } from '../texts/index.ts';

const en = {
  title: 'Versions',
  back: 'Back to the post',
  now: 'Now',
  only: 'This post was not edited yet, so there is only one version.',
  first: 'first version that is kept',
  parts: {
    title: 'Title',
    description: 'Text',
    hashtags: 'Hashtags',
    event: 'Event',
    attachments: 'Attachments',
    field: 'Field',
  },
  fields: (count: number) => (count === 1 ? '1 field' : `${count} fields`),
  differences: 'What restoring it would change',
  same: 'It is the same as the post now.',
  nothing: 'nothing',
  restore: 'Restore this version',
  restored: 'The version was restored.',
  conflict: 'The post was edited meanwhile. The list was loaded again.',
  undo: 'Undo',
};

const it: typeof en = {
  title: 'Versioni',
  back: 'Torna al post',
  now: 'Ora',
  only: 'Questo post non è mai stato modificato: c’è una sola versione.',
  first: 'prima versione conservata',
  parts: {
    title: 'Titolo',
    description: 'Testo',
    hashtags: 'Hashtag',
    event: 'Evento',
    attachments: 'Allegati',
    field: 'Campo',
  },
  fields: (count) => (count === 1 ? '1 campo' : `${count} campi`),
  differences: 'Che cosa cambia se la ripristini',
  same: 'È uguale al post di ora.',
  nothing: 'niente',
  restore: 'Ripristina questa versione',
  restored: 'La versione è stata ripristinata.',
  conflict: 'Il post è stato modificato nel frattempo. L’elenco è stato riletto.',
  undo: 'Annulla',
};

export const useVersionTexts = () => usePageTexts({ en, it });
