/** Explains which notifications of a post a person got, and by mail (operation explainNotifications). */
import {
  type ExplainedNotification,
  type ExplainNotificationsResponse,
  MailOutcome,
  MailReason,
  NotNotifiedReason,
  PushOutcome,
  PushReason,
} from '@portico/contract';
import { holds } from '../../../kernel/access/index.ts';
import { forbidden, notFound } from '../../../kernel/errors.ts';
import { historyTypeNames } from '../../../kernel/history-types.ts';
import { type Follower, isTold, NOTIFIED_TYPES, readPeople } from '../../../kernel/notified-people.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  describeMail,
  describePush,
  describeType,
  hasBrowser,
  notificationKindOf,
  readRecipients,
  whyHeld,
  withoutUnwanted,
} from '../../notifications/index.ts';
import { requirePost } from '../../post-parts/index.ts';
import {
  type PostEvent,
  type PostRelation,
  readPostEvents,
  readPostRelation,
  readWrittenNotifications,
  type WrittenNotification,
} from './notifications.repository.ts';
import { type Person, readPerson } from './person.ts';

/**
 * Explains the newest events of a post for a person.
 * @throws PorticoError NOT_FOUND; FORBIDDEN for another person without manageUsers; ValidationError
 * for an unknown person
 */
export async function explainNotifications(
  scope: Scope,
  postId: number,
  { userId }: { userId?: number | undefined },
): Promise<ExplainNotificationsResponse> {
  const { db, actor: caller } = scope;
  const own = userId === undefined || userId === caller.userId;
  if (own) await requirePost(db, caller, postId);
  else if (!holds(caller, 'manageUsers')) throw forbidden('Missing administrative right: manageUsers.');
  const person = await readPerson(scope, userId);
  const relation = await readPostRelation(db, person.actor, postId);
  if (!relation) throw notFound();
  const events = (await readPostEvents(db, postId)).filter(
    ({ commentId }) => !own || commentId === null || relation.seesComments,
  );
  const written = await readWrittenNotifications(db, person.actor.userId, postId);
  const [recipient] = await readRecipients(db, [person.actor.userId], scope.clock.now());
  const pushHeld = await whyNoBrowser(scope, person.actor.userId, recipient?.active ?? false);
  const situation = { person, relation, pushHeld };
  const items = [
    ...(await explainEvents(scope, postId, situation, events, written)),
    ...written.filter(({ eventId }) => eventId === null).map((one) => notifiedItem(situation, one, one.at)),
  ];
  return {
    userId: person.actor.userId,
    userName: person.name,
    mailHeld: whyHeld(scope, recipient),
    pushHeld,
    items: items.sort((a, b) => b.timestamp! - a.timestamp!),
  };
}

type PushHeld = ExplainNotificationsResponse['pushHeld'];

/** Returns why no browser of a person shows notifications; undefined: one does. */
async function whyNoBrowser({ db, settings }: Scope, userId: number, active: boolean): Promise<PushHeld> {
  if (!settings.notificationPush) return PushReason.TENANT_OFF;
  if (!active) return PushReason.NO_RECIPIENT;
  return (await hasBrowser(db, userId)) ? undefined : PushReason.NO_BROWSER;
}

/** A person, and how the person relates to a post. */
interface Situation {
  readonly person: Person;
  readonly relation: PostRelation;
  /** Why no browser of the person shows notifications. */
  readonly pushHeld: PushHeld;
}

async function explainEvents(
  { db }: Scope,
  postId: number,
  situation: Situation,
  events: readonly PostEvent[],
  written: readonly WrittenNotification[],
): Promise<ExplainedNotification[]> {
  const { person } = situation;
  const first = Math.min(...events.map(({ id }) => id));
  const announced = events.some(({ announces }) => announces);
  const people = events.length === 0 ? [] : await readPeople(db, [postId], first - 1, true, announced);
  const followers = people.filter(({ userId }) => userId === person.actor.userId);
  const told = new Map(events.map((event) => [event.id, followers.filter((follower) => isTold(event, follower))]));
  const kinds = [...told].flatMap(([id, reasons]) => {
    const event = events.find((one) => one.id === id)!;
    return reasons.map((reason) => ({ userId: person.actor.userId, kind: notificationKindOf(event, reason) }));
  });
  const wanted = new Set((await withoutUnwanted(db, postId, kinds)).map(({ kind }) => kind));
  return events.map((event) => {
    const row =
      written.find(({ eventId }) => eventId === event.id) ??
      // All events of a write make a single notification.
      written.find(({ at, authorId }) => at === event.at && authorId === event.authorId);
    if (row) return { ...notifiedItem(situation, row, event.at), typeDescription: historyTypeNames[event.typeId] };
    const wants = told.get(event.id)!.some((follower: Follower) => wanted.has(notificationKindOf(event, follower)));
    const reason = whyNotNotified(situation, event, told.get(event.id)!.length > 0, wants);
    return {
      timestamp: event.at,
      typeDescription: historyTypeNames[event.typeId],
      notified: false,
      reason,
      sentence: `${subject(person)} not notified: ${NOT_NOTIFIED[reason]}.`,
    };
  });
}

function whyNotNotified(
  { person, relation }: Situation,
  event: PostEvent,
  concerns: boolean,
  wants: boolean,
): NotNotifiedReason {
  if (event.authorId === person.actor.userId) return NotNotifiedReason.OWN_ACTION;
  if (!NOTIFIED_TYPES.has(event.typeId)) return NotNotifiedReason.NO_NOTIFICATION;
  if (person.blocked || !relation.visible) return NotNotifiedReason.NOT_VISIBLE;
  if (event.commentId !== null && !relation.seesComments) return NotNotifiedReason.NOT_VISIBLE;
  if (!concerns) return relation.muted ? NotNotifiedReason.MUTED : NotNotifiedReason.NOT_CONCERNED;
  if (!wants) return NotNotifiedReason.KIND_OFF;
  return event.pending ? NotNotifiedReason.PENDING : NotNotifiedReason.NOT_KEPT;
}

function notifiedItem(
  { person, pushHeld }: Situation,
  row: WrittenNotification,
  timestamp: number,
): ExplainedNotification {
  const mail = describeMail(row) ?? {
    outcome: row.mailState === 'new' ? MailOutcome.BUNDLED : MailOutcome.HELD,
    reason: row.mailState === 'new' ? undefined : MailReason.TENANT_OFF,
  };
  const push = describePush(row) ?? {
    outcome: PushOutcome.HELD,
    reason: pushHeld ?? (row.pushWanted ? PushReason.NO_BROWSER : PushReason.NEVER),
  };
  const because = (sentence: string | undefined) => (sentence === undefined ? '' : `: ${sentence}`);
  const parts = [
    `${subject(person)} notified`,
    `${OUTCOMES[mail.outcome!]}${because(mail.reason && MAIL_REASONS[mail.reason])}`,
    // Most tenants have no use for it.
    ...(push.reason === PushReason.TENANT_OFF
      ? []
      : [`${PUSH_OUTCOMES[push.outcome!]}${because(push.reason && PUSH_REASONS[push.reason])}`]),
  ];
  return {
    timestamp,
    typeDescription: describeType(row),
    notified: true,
    kind: row.kind,
    mail,
    push,
    sentence: `${parts.join('; ')}.`,
  };
}

const subject = ({ isCaller, name }: Person) => (isCaller ? 'You were' : `${name ?? 'The person'} was`);

const NOT_NOTIFIED: Readonly<Record<NotNotifiedReason, string>> = {
  ownAction: 'people are not notified of their own actions',
  noNotification: 'nobody is notified of events of this type',
  pending: 'the notifications of the event are written within seconds',
  notVisible: 'the account is blocked, or cannot see the post or its comments',
  muted: 'the post or its community is muted or not followed',
  notConcerned: 'the post is not followed or watched, and the event names nobody of that account',
  kindOff: 'this kind of notification is switched off',
  notKept: 'the settings were others at the time, or the notification was removed since',
};

const OUTCOMES: Readonly<Record<MailOutcome, string>> = {
  bundled: 'the mail waits',
  sent: 'the mail was sent',
  held: 'no mail was sent',
  failed: 'the mail failed',
};

const MAIL_REASONS: Readonly<Record<MailReason, string>> = {
  tenantOff: 'mail of notifications is switched off for the tenant, or was at the time',
  noServer: 'there is no mail server, or the tenant has no address',
  noRecipient: 'the account is blocked, deleted, a service account or a person of the demo',
  personOff: 'the person has switched mail off',
  noAddress: 'there is no contact address',
  undeliverable: 'the mail server refused the address lately',
  never: 'no mail is chosen for this kind',
  read: 'the notification was read first',
  notVisible: 'it could not be seen any more when the mail was sent',
  dailyLimit: 'twenty mails were sent within a day, so it is in the digest',
  addressRefused: 'the mail server refused the address',
  mailRefused: 'the mail server refused the mail',
  notTaken: 'the mail server did not take it within a day',
};

const PUSH_OUTCOMES: Readonly<Record<PushOutcome, string>> = {
  waiting: 'the message to a browser waits',
  sent: 'a browser got it',
  held: 'no browser was to show it',
  failed: 'no browser got it',
};

const PUSH_REASONS: Readonly<Record<PushReason, string>> = {
  tenantOff: 'notifications in browsers are switched off for the tenant, or were at the time',
  noBrowser: 'the person has, or had at the time, no browser that shows notifications',
  noRecipient: 'the account is blocked, deleted or a service account',
  never: 'browsers do not show this kind by choice',
  read: 'the notification was read first',
  notVisible: 'it could not be seen any more when it was sent',
  browserGone: 'the browser has ended its subscription',
  refused: 'the push service refused it',
  notTaken: 'the push service did not take it within a day',
};
