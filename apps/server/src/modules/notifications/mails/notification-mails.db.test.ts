/** Mail of notifications, from the event to the mail server. */
import { MailReason, NotificationKind } from '@portico/contract';
import { startTestSmtp, type TestSmtp } from '@portico/platform/mail/smtp.fixture';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  settingsReadAnew,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { sendMails } from '../../../jobs/send-mails.ts';
import { sendNotificationMails } from '../../../jobs/send-notification-mails.ts';
import { tidy } from '../../../jobs/tidy.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { createServices } from '../../../process/services.ts';
import { enqueueMail } from '../../people/mails/mail.fixture.ts';
import { deliverNotifications } from '../deliver-notifications.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PREFERENCES = 'notifications/manage/preferences';
const { MENTION, FOLLOW } = NotificationKind;

let smtp: TestSmtp;
let portal: TestPortal;
let world: TestWorld;
/** The clock of the portal: moved by tests. */
let now = Date.now() + HOUR;
const clock = { now: () => now };

beforeAll(async () => {
  smtp = await startTestSmtp();
  portal = await createTestPortal({
    env: { ...smtp.env, PORTICO_NOTIFICATION_MAIL_PER_MINUTE: '6', PORTICO_MAIL_PER_MINUTE: '5' },
    clock,
  });
});
afterAll(async () => {
  await portal?.close();
  await smtp?.close();
});
beforeEach(async () => {
  // The pause after a failure of an earlier test is over.
  now += HOUR;
  world = await createTestWorld(portal);
  smtp.taken.length = 0;
  for (const name of Object.keys(smtp.refusals)) delete smtp.refusals[name as keyof typeof smtp.refusals];
});

/** Lets the jobs run, as the worker does. */
const work = async (services = portal.services) => {
  await deliverNotifications(world.db, now);
  await sendNotificationMails(services, world.tenant.tenant);
};
/** Lets time pass and the jobs run. */
const pass = async (ms: number) => {
  now += ms;
  await work();
};
const mention = (userId: number) => ({
  description: JSON.stringify([{ insert: { mention: { id: userId, value: 'Somebody' } } }, { insert: '\n' }]),
  descriptionFormat: 1,
});
const prefer = (userId: number, preferences: object[]) => world.ok(userId, 'POST', PREFERENCES, { preferences });
const follow = (userId: number) =>
  world.ok(userId, 'PUT', `communities/manage/following/${world.communityId}`, { following: 1 });
/** Outcomes of a person's notifications, the newest first. */
const outcomes = async (userId: number) => {
  const { items } = await world.ok(userId, 'POST', 'notifications/data/notifications', { pageSize: 100 });
  return items.map(
    ({ mail }: { mail?: { outcome: string; reason?: string } }) =>
      mail && [mail.outcome, mail.reason].filter(Boolean).join(' '),
  ) as (string | undefined)[];
};
/** Why a person's notifications were held back, seen or not. */
const reasons = (userId: number) =>
  world.rows<{ state: string; reason: string }>(
    `SELECT mail_state AS state, mail_reason AS reason FROM notifications WHERE tenant_id = $1 AND user_id = $2`,
    [userId],
  );
const read = (index = 0): Promise<Email> => PostalMime.parse(smtp.taken[index]!.raw);
const header = (mail: Email, name: string) => mail.headers.find(({ key }) => key === name)?.value;
const subjects = async () => Promise.all(smtp.taken.map(async (_, index) => (await read(index)).subject));
const settings = async (change: object) => {
  const path = '/portal/api/external/v2/admin/manage/tenant-settings';
  const { tenant, people } = world;
  const { body: form } = await tenant.request(people.admin, 'GET', path);
  const { corsOrigins, audiences, loginDomains, defaultLanguage, defaultTimezone, occToken } = form;
  const body = { corsOrigins, audiences, loginDomains, defaultLanguage, defaultTimezone, occToken, ...change };
  expect((await tenant.request(people.admin, 'PUT', path, body)).status).toBe(200);
  await settingsReadAnew(portal.services, tenant.tenant);
  return (await tenant.request(people.admin, 'GET', path)).body;
};
const user = (userId: number, assignment: string) =>
  world.db.execute(`UPDATE users SET ${assignment} WHERE tenant_id = $1 AND id = $2`, [world.db.tenantId, userId]);

describe('mail of notifications', () => {
  test('is one mail for what happens to a post within 15 minutes, in the thread of the post', async () => {
    const { people, tenant } = world;
    await user(people.reader, `language = 'it'`);
    const postId = await world.post(people.author, { ...mention(people.reader), title: 'Perché no?' });
    await work();
    expect(await outcomes(people.reader)).toEqual(['bundled']);
    await world.ok(people.contributor, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: JSON.stringify([{ insert: { mention: { id: people.reader, value: 'Rita' } } }, { insert: ' look\n' }]),
      commentFormat: 1,
    });
    await pass(14 * MINUTE);
    expect(smtp.taken).toEqual([]);
    await pass(2 * MINUTE);
    expect(await outcomes(people.reader)).toEqual(['sent', 'sent']);
    expect(smtp.taken).toHaveLength(1);
    const mail = await read();
    expect(mail.subject).toBe('Perché no? [News]');
    expect(mail.text).toContain('Ada Last3 ti ha menzionato');
    expect(mail.text).toContain('Carl Last4 ti ha menzionato');
    expect(mail.html).toContain(`https://${tenant.host}/portal/post/${postId}`);
    expect(mail.from).toEqual({ name: tenant.tenant.displayName, address: 'portal@acme.example' });
    expect(mail.references).toBe(`<post-${postId}.${world.db.tenantId}@acme.example>`);
    expect(mail.inReplyTo).toBe(mail.references);
    expect(header(mail, 'auto-submitted')).toBe('auto-generated');
    expect(header(mail, 'list-id')).toBe(`"News" <community-${world.communityId}.${tenant.host}>`);
    expect(header(mail, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header(mail, 'list-unsubscribe')).toMatch(new RegExp(`^<https://${tenant.host}/portal/unsubscribe/\\S+>$`));
    await pass(DAY);
    // Nothing else but the author's digest.
    expect(smtp.taken.filter(({ to }) => to[0] === mail.to?.[0]?.address)).toHaveLength(1);
  });

  test('is one digest for forty changes to followed posts, at the hour and in the zone of the person', async () => {
    const { people } = world;
    await follow(people.reader);
    await user(people.reader, `digest_hour = 18, timezone = 'America/New_York'`);
    for (let index = 0; index < 40; index++) await world.post(people.author, { title: `Post ${index}` });
    await work();
    expect(new Set(await outcomes(people.reader))).toEqual(new Set(['bundled']));
    const [row] = await world.rows<{ due: number }>(
      'SELECT due_at AS due FROM notification_mails WHERE tenant_id = $1',
    );
    const hour = new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' });
    expect(Number(hour.format(row!.due))).toBe(18);
    await pass(row!.due - now - MINUTE);
    expect(smtp.taken).toEqual([]);
    await pass(2 * MINUTE);
    expect(smtp.taken).toHaveLength(1);
    const { subject, text } = await read();
    expect(subject).toBe(`${world.tenant.tenant.displayName}: 40 notifications`);
    expect(text).toContain('and 10 more');
  });

  test('is not sent of what was read or done, cannot be seen, or is not wanted when it is sent, and says so', async () => {
    const { people } = world;
    const told = async () => {
      await world.post(people.author, mention(people.reader));
      await work();
    };
    const marks = async (mark: object) => {
      const { items } = await world.ok(people.reader, 'POST', 'notifications/data/notifications', { pageSize: 1 });
      await world.ok(people.reader, 'POST', 'notifications/manage/mark', { ids: [items[0].id], ...mark });
    };
    const cases: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [MailReason.READ, () => marks({ read: true }), async () => undefined],
      [MailReason.READ, () => marks({ done: true }), async () => undefined],
      [MailReason.NOT_VISIBLE, () => world.role(people.reader, null), () => world.role(people.reader, 3)],
      [
        MailReason.NEVER,
        () => prefer(people.reader, [{ kind: MENTION, communityId: world.communityId, mail: 'never' }]),
        () => prefer(people.reader, [{ kind: MENTION, communityId: world.communityId, mail: 'bundled' }]),
      ],
      [
        MailReason.PERSON_OFF,
        () => user(people.reader, 'email_notifications = false'),
        () => user(people.reader, 'email_notifications = true'),
      ],
      [
        MailReason.NO_ADDRESS,
        () => user(people.reader, 'contact_email = NULL'),
        () => user(people.reader, `contact_email = 'rita@acme.test'`),
      ],
      [
        MailReason.NO_RECIPIENT,
        () => user(people.reader, `contact_email = 'rita@alveria.example'`),
        () => user(people.reader, `contact_email = 'rita@acme.test'`),
      ],
      [
        MailReason.NO_RECIPIENT,
        () => user(people.reader, 'blocked = true'),
        () => user(people.reader, 'blocked = false'),
      ],
      [
        MailReason.TENANT_OFF,
        () => settings({ notificationMails: false }),
        () => settings({ notificationMails: true }),
      ],
    ];
    const expected: string[] = [];
    for (const [reason, before, after] of cases) {
      await told();
      await before();
      await pass(HOUR);
      await after();
      expected.push(reason);
      const held = await reasons(people.reader);
      expect(held.map((row) => `${row.state} ${row.reason}`).sort()).toEqual(
        expected.map((one) => `held ${one}`).sort(),
      );
    }
    expect(smtp.taken).toEqual([]);
    await told();
    await pass(HOUR);
    expect(smtp.taken).toHaveLength(1);
  });

  test('starts with the switch of the tenant: nothing from before is mailed', async () => {
    const { people } = world;
    expect(await settings({ notificationMails: false })).toMatchObject({ notificationMails: false });
    await world.post(people.author, mention(people.reader));
    await work();
    const written = await world.post(people.author, mention(people.reader));
    now += MINUTE;
    expect(await settings({ notificationMails: true })).toMatchObject({ notificationMails: true });
    await pass(HOUR);
    expect(await outcomes(people.reader)).toEqual([undefined, undefined]);
    expect(written).toBeGreaterThan(0);
    await world.post(people.author, mention(people.reader));
    await work();
    await pass(HOUR);
    expect(await outcomes(people.reader)).toEqual(['sent', undefined, undefined]);
    // Saving other settings does not begin anew.
    await settings({ notificationMails: true });
    await settings({});
    await world.post(people.author, mention(people.reader));
    await work();
    await pass(HOUR);
    expect(smtp.taken).toHaveLength(2);
  });

  test('is sent at once where that is chosen, and once in 15 minutes about a post', async () => {
    const { people } = world;
    await prefer(people.author, [{ kind: FOLLOW, mail: 'atOnce' }]);
    const postId = await world.post(people.author);
    const comment = () =>
      world.ok(people.contributor, 'POST', `posts/manage/create-comment/${postId}`, {
        comment: 'Yes',
        commentFormat: 2,
      });
    await comment();
    await work();
    await pass(2 * MINUTE);
    expect(await outcomes(people.author)).toEqual(['sent']);
    await comment();
    await work();
    await pass(5 * MINUTE);
    await comment();
    await pass(5 * MINUTE);
    expect(smtp.taken).toHaveLength(1);
    await pass(10 * MINUTE);
    expect(smtp.taken).toHaveLength(2);
    expect((await read(1)).text?.match(/commented/g)).toHaveLength(2);
  });

  test('is at most twenty a day; the others are in the digest', async () => {
    const { people } = world;
    const told = async (count: number) => {
      for (let index = 0; index < count; index++) await world.post(people.author, mention(people.reader));
      await work();
    };
    await told(23);
    for (let minute = 0; minute < 6; minute++) await pass(10 * MINUTE);
    const digests = async () => (await subjects()).filter((subject) => subject?.includes('notification'));
    const before = (await digests()).length;
    expect(smtp.taken.length - before).toBe(20);
    await pass(DAY);
    expect(await digests()).toEqual([`${world.tenant.tenant.displayName}: 3 notifications`]);
    expect(new Set(await outcomes(people.reader))).toEqual(new Set(['sent']));
    await told(1);
    await pass(HOUR);
    expect(smtp.taken).toHaveLength(22);
  });

  test('ends by a POST to its address, without a sign-in; a GET changes nothing', async () => {
    const { people, tenant } = world;
    await world.post(people.author, mention(people.reader));
    await work();
    await pass(HOUR);
    const address = new URL(header(await read(), 'list-unsubscribe')!.slice(1, -1));
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const page = await tenant.request(null, 'GET', address.pathname, undefined, { 'Accept-Language': 'it-IT,en' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<form method="post">');
    expect(page.text).toContain('Niente più messaggi');
    expect((await tenant.request(null, 'HEAD', address.pathname)).status).toBe(200);
    const entries = async () => (await world.ok(people.reader, 'GET', 'notifications/data/preferences')).preferences;
    expect(await entries()).toEqual([]);
    const end = (path: string, headers = form, body = 'List-Unsubscribe=One-Click') =>
      tenant.request(null, 'POST', path, body, headers);
    const altered = address.pathname.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await end(altered)).status).toBe(404);
    expect((await end('/portal/unsubscribe/x')).status).toBe(404);
    const other = await portal.createTenant();
    expect((await other.request(null, 'POST', address.pathname, '', form)).status).toBe(404);
    expect(await entries()).toEqual([]);
    expect((await end(address.pathname)).status).toBe(200);
    const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const parts = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    expect((await end(address.pathname, multipart, parts)).status).toBe(200);
    expect(await entries()).toEqual([{ kind: MENTION, communityId: world.communityId, mail: 'never' }]);
    await world.post(people.author, mention(people.reader));
    await work();
    await pass(HOUR);
    expect(await outcomes(people.reader)).toEqual(['held never', 'sent']);
    const block = `/portal/api/external/v2/admin/manage/users/${people.reader}/block`;
    const blocked = await tenant.request(people.admin, 'POST', block);
    expect(blocked.status, blocked.text).toBe(200);
    expect((await end(address.pathname)).status).toBe(200);
  });

  test('reaches the mail server again with the same id after a node was killed while it sent', async () => {
    const { people } = world;
    await world.post(people.author, mention(people.reader));
    await work();
    now += HOUR;
    const node = await createServices({
      config: portal.services.config,
      database: portal.database.service,
      sealer: portal.services.sealer,
      log: portal.services.log,
      clock,
    });
    // The server has the mail, and the node ends before it hears so.
    smtp.refusals.delay = async () => node.close();
    await sendNotificationMails(node, world.tenant.tenant).catch(() => undefined);
    delete smtp.refusals.delay;
    await expect.poll(() => smtp.taken.length).toBe(1);
    await work();
    expect(smtp.taken).toHaveLength(1);
    await pass(HOUR);
    expect(await outcomes(people.reader)).toEqual(['sent']);
    expect(smtp.taken).toHaveLength(2);
    const [first, second] = [await read(0), await read(1)];
    expect(second.messageId).toBe(first.messageId);
    await pass(DAY);
    expect(smtp.taken).toHaveLength(2);
  });

  test('is sent once by several nodes, and later where the server asks for that', async () => {
    const { people } = world;
    smtp.refusals.recipient = () => '450 greylisted';
    await world.post(people.author, mention(people.reader));
    await work();
    await pass(HOUR);
    expect(await outcomes(people.reader)).toEqual(['bundled']);
    delete smtp.refusals.recipient;
    now += HOUR;
    const node = await createServices({
      config: portal.services.config,
      database: portal.database.service,
      sealer: portal.services.sealer,
      log: portal.services.log,
      clock,
    });
    await Promise.all([work(), work(node)]);
    await node.close();
    expect(smtp.taken).toHaveLength(1);
    expect(await outcomes(people.reader)).toEqual(['sent']);
  });

  test('is not sent to a refused address for a week, which the person is shown', async () => {
    const { people, tenant } = world;
    const told = async () => {
      await world.post(people.author, mention(people.reader));
      await work();
      await pass(HOUR);
    };
    const address = async () => {
      const { mailAddress, mailHeld } = await world.ok(people.reader, 'GET', 'notifications/data/preferences');
      return mailHeld ?? mailAddress;
    };
    expect(await address()).toBe(`user5@${tenant.host}`);
    smtp.refusals.recipient = () => '550 no such user';
    await told();
    delete smtp.refusals.recipient;
    expect(await outcomes(people.reader)).toEqual(['failed addressRefused']);
    await told();
    expect(await outcomes(people.reader)).toEqual(['held undeliverable', 'failed addressRefused']);
    expect(await address()).toBe('undeliverable');
    await user(people.reader, `contact_email = 'rita@acme.test'`);
    expect(await address()).toBe('rita@acme.test');
    await user(people.reader, `contact_email = 'user5@${tenant.host}'`);
    now += 8 * DAY;
    await told();
    expect((await outcomes(people.reader))[0]).toBe('sent');
    expect(smtp.taken).toHaveLength(1);
  });

  test('has a limit of its own: links to sign in do not wait for it', async () => {
    const { people, tenant } = world;
    for (let index = 0; index < 9; index++) await world.post(people.author, mention(people.reader));
    await work();
    await pass(HOUR);
    const sent = smtp.taken.length;
    expect(sent).toBe(6);
    const scope = await tenant.scope(tenant.systemUserId, clock);
    await writeTransaction(scope, 'none', (write) =>
      enqueueMail(write, {
        to: 'ada@acme.test',
        template: 'password-reset',
        language: 'en',
        values: { name: 'Ada', link: 'https://acme.test/x', expiry: now + DAY },
      }),
    );
    await sendMails(portal.services, tenant.tenant);
    expect(smtp.taken.slice(sent).map(({ to }) => to)).toEqual([['ada@acme.test']]);
    await work();
    expect(smtp.taken).toHaveLength(sent + 1);
    await pass(2 * MINUTE);
    await pass(2 * MINUTE);
    expect(smtp.taken.length).toBeGreaterThan(sent + 1);
  });

  test('is kept for 30 days after its end', async () => {
    const { people } = world;
    await world.post(people.author, mention(people.reader));
    await work();
    await pass(HOUR);
    const mails = () => world.rows('SELECT id FROM notification_mails WHERE tenant_id = $1');
    await tidy(portal.services, world.tenant.tenant);
    expect(await mails()).toHaveLength(1);
    now += 31 * DAY;
    await tidy(portal.services, world.tenant.tenant);
    expect(await mails()).toEqual([]);
  });
});
