/** Texts of the page `adminMails` in Italian. */
import type { en as english } from '../../admin/mails/texts.ts';

export const adminMails: typeof english = {
  empty: 'Nessuna e-mail ha queste proprietà.',
  everyState: 'Tutti gli stati',
  states: { waiting: 'In attesa', failed: 'Fallita', unsent: 'Non inviata: manca un server di posta', sent: 'Inviata' },
  recipient: 'Destinatario',
  kind: 'Tipo',
  kinds: {
    invitation: 'Invito',
    'password-reset': 'Link per la password',
    'webhook-failing': 'Un webhook non riesce',
    'webhook-stopped': 'Un webhook è stato fermato',
    test: 'Messaggio di prova',
  },
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
  test: 'Invia un messaggio di prova',
  testTo: (recipient) => `Messaggio di prova a ${recipient}`,
  testQueued: 'È in attesa di invio.',
  testSent: 'Il server di posta lo ha accettato. Controlla la casella.',
  testFailed: (error) => `Non è stato inviato. Il server di posta risponde: ${error}`,
  testTried: (error, next) => `L’ultimo tentativo è fallito: ${error} Il prossimo è alle ${next}.`,
  noAddress:
    'Un messaggio di prova va all’indirizzo di contatto del tuo account, che non ne ha. Inseriscilo in Persone.',
};
