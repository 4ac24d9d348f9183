/** Texts about the mails of the portal. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  empty: 'No mail has these properties.',
  everyState: 'Every state',
  states: { waiting: 'Waiting', failed: 'Failed', unsent: 'Not sent: there is no mail server', sent: 'Sent' },
  recipient: 'Recipient',
  kind: 'Kind',
  kinds: { invitation: 'Invitation', 'password-reset': 'Link for a password' },
  created: 'Created',
  error: 'Answer of the mail server',
  retry: 'Send again',
  retryOf: (recipient: string) => `Send the mail to ${recipient} again`,
  retried: 'The mail is sent again.',
  discard: 'Remove',
  discardOf: (recipient: string) => `Remove the mail to ${recipient}`,
  discardTitle: (recipient: string) => `Remove the mail to ${recipient}?`,
  discardHint: 'A waiting mail is not sent any more. A link that was received stays valid.',
  discarded: 'The mail was removed.',
  actions: 'Actions',
};

const it: typeof en = {
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

export const useMailsTexts = () => usePageTexts('adminMails', { en, it });
