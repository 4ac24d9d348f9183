/** Texts of the page `adminMails` in Italian. */
import type { en as english } from '../../admin/mails/texts.ts';

export const adminMails: typeof english = {
  empty: 'Nessuna e-mail ha queste proprietà.',
  everyState: 'Tutti gli stati',
  states: { waiting: 'In attesa', failed: 'Fallita', unsent: 'Non inviata: manca un server di posta', sent: 'Inviata' },
  recipient: 'Destinatario',
  kind: 'Tipo',
  kinds: { invitation: 'Invito', 'password-reset': 'Link per la password' },
  created: 'Creata',
  error: 'Risposta del server di posta',
  retry: 'Invia di nuovo',
  retryOf: (recipient) => `Invia di nuovo l’e-mail a ${recipient}`,
  retried: 'L’e-mail è inviata di nuovo.',
  discard: 'Rimuovi',
  discardOf: (recipient) => `Rimuovi l’e-mail a ${recipient}`,
  discardTitle: (recipient) => `Rimuovere l’e-mail a ${recipient}?`,
  discardHint: 'Un’e-mail in attesa non è più inviata. Un link ricevuto resta valido.',
  discarded: 'L’e-mail è stata rimossa.',
  actions: 'Azioni',
};
