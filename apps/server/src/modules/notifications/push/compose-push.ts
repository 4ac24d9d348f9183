/** Composes the messages that browsers show. */
import { NotificationKind } from '@portico/contract';
import type { Scope } from '../../../kernel/scope.ts';
import { mailLanguageOf } from '../../people/index.ts';
import { lineOf, type MailedNotification } from '../mails/compose-mail.ts';
import type { Recipient } from '../recipients.ts';
import type { PushKeys, Subscription } from './push-keys.ts';

/** All that a push service passes to a browser. */
export interface PushMessage {
  /** Id of the notification: a repeat replaces what is shown. */
  readonly id: number;
  readonly kind: NotificationKind;
  /** In the language of the reader. */
  readonly title: string;
  /** Title of the post. */
  readonly body: string;
  /** Path of the page. */
  readonly url: string;
  /** Unread notifications, for the number on the installed page. */
  readonly unread: number;
}

/** Longest text, so that a message fits into 4 kB in any script. */
const TEXT = 200;
/** Time for which a push service keeps a message for a browser that is off. Seconds. */
const TTL = 86_400;

/** Returns the message of a notification. */
export function messageOf(
  scope: Pick<Scope, 'settings'>,
  { language, timezone }: Pick<Recipient, 'language' | 'timezone'>,
  notification: MailedNotification,
  unread: number,
): PushMessage {
  const { settings } = scope;
  const { id, kind, postId, title } = notification;
  const line = lineOf(
    {
      language: mailLanguageOf(language, settings.defaultLanguage),
      timezone: timezone ?? settings.defaultTimezone,
    },
    notification,
  );
  const cut = (text: string) => [...text].slice(0, TEXT).join('');
  return { id, kind, title: cut(line), body: cut(title ?? ''), url: `/portal/post/${postId}`, unread };
}

/** A request to a push service. */
interface PushRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Encrypts a message for a browser (RFC 8291) and signs the request as the tenant (RFC 8292).
 * @param subject address of the tenant, at which push services reach its operator
 */
export async function composeRequest(
  keys: PushKeys,
  { endpoint, p256dh, auth }: Subscription,
  message: PushMessage,
  subject: string,
): Promise<PushRequest> {
  const { default: webPush } = await import('web-push');
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      vapidDetails: { subject, ...keys },
      contentEncoding: 'aes128gcm',
      TTL,
      urgency: message.kind === NotificationKind.FOLLOW ? 'low' : 'normal',
      // A repeat replaces a message that the browser has not fetched.
      topic: `n${message.id}`,
    },
  );
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: body as unknown as Buffer,
  };
}
