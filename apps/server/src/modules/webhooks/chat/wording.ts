/** Names of events in messages to chats, by language. */
import type { WebhookEvent } from '@portico/contract';
import type { MailLanguage } from '../../people/index.ts';

/** Words of each language. */
export const chatWords: Readonly<Record<MailLanguage, Readonly<Record<WebhookEvent | 'webhook.test', string>>>> = {
  en: {
    'post.created': 'New post',
    'post.modified': 'Post changed',
    'post.transition.run': 'New state',
    'post.screen.modified': 'Data of the workflow changed',
    'post.comment.added': 'New comment',
    'post.comment.deleted': 'Comment deleted',
    'post.task.assigned': 'Task assigned',
    'post.attachment.changed': 'Attachments changed',
    'post.like.changed': 'Likes changed',
    'post.touched': 'Post changed',
    'post.gone': 'Post no longer visible',
    'webhook.test': 'Test message',
  },
  it: {
    'post.created': 'Nuovo post',
    'post.modified': 'Post modificato',
    'post.transition.run': 'Nuovo stato',
    'post.screen.modified': 'Dati del flusso di lavoro modificati',
    'post.comment.added': 'Nuovo commento',
    'post.comment.deleted': 'Commento eliminato',
    'post.task.assigned': 'Attività assegnata',
    'post.attachment.changed': 'Allegati modificati',
    'post.like.changed': 'Mi piace modificati',
    'post.touched': 'Post modificato',
    'post.gone': 'Post non più visibile',
    'webhook.test': 'Messaggio di prova',
  },
  de: {
    'post.created': 'Neuer Beitrag',
    'post.modified': 'Beitrag geändert',
    'post.transition.run': 'Neuer Status',
    'post.screen.modified': 'Daten des Workflows geändert',
    'post.comment.added': 'Neuer Kommentar',
    'post.comment.deleted': 'Kommentar gelöscht',
    'post.task.assigned': 'Aufgabe zugewiesen',
    'post.attachment.changed': 'Anhänge geändert',
    'post.like.changed': '„Gefällt mir“ geändert',
    'post.touched': 'Beitrag geändert',
    'post.gone': 'Beitrag nicht mehr sichtbar',
    'webhook.test': 'Testnachricht',
  },
};
