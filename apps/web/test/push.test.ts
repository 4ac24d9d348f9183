/**
 * Notifications that a browser shows while the portal is closed. The push service is one of this
 * machine, which the browser does not know: the test subscribes for it, and delivers what arrived.
 * The browser of the tests has no screen to show notifications on: it keeps them, as others do.
 */
import { randomBytes } from 'node:crypto';
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { sendPushes } from '../../server/src/jobs/send-pushes.ts';
import { deliverNotifications } from '../../server/src/modules/notifications/index.ts';
import { browserKeys, type TestPushService } from '../../server/src/modules/notifications/push/push-service.fixture.ts';
import { makeServiceDesk, type ServiceDesk } from './service-desk.fixture.ts';
import { API, mustBeAccessible, startWebTest, test, type WebTest } from './support.ts';

const NOTIFICATIONS = `${API}/communication/notifications`;

let web: WebTest;
let service: TestPushService;
let people: ServiceDesk['people'];
let write: ServiceDesk['write'];
let context: BrowserContext;
/** The page of Ada. */
let page: Page;
let devtools: CDPSession;
const keys = browserKeys();

test.beforeAll(async ({ portal, browser, pushService }) => {
  service = pushService;
  // Browsers have service workers for names of this machine.
  web = await startWebTest({ portal, browser }, 'push', 'localhost');
  ({ people, write } = await makeServiceDesk(web));
  ({ context, page } = await web.open('ada', { viewport: { width: 1280, height: 800 }, serviceWorkers: 'allow' }));
  devtools = await context.newCDPSession(page);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
});

afterAll(() => web?.close());

afterEach(() => {
  expect(
    web.complaints
      .splice(0)
      .filter((text) => !/preloaded using link preload|not support the Push API in incognito/.test(text)),
  ).toEqual([]);
});

const settings = async () => {
  await page.goto(`${web.origin}/portal/me/notifications`);
  await page.getByRole('heading', { name: 'Notifications in browsers' }).waitFor();
};
const box = () => page.getByRole('checkbox', { name: 'Notify this browser' });
const stored = async () =>
  (await page.evaluate(`fetch('${NOTIFICATIONS}/data/push-subscriptions').then((answer) => answer.json())`)) as {
    subscriptions: { id: number; current: boolean; service: string }[];
  };
const switchPush = async (notificationPush: boolean) => {
  const path = `${API}/admin/manage/tenant-settings`;
  const { name: _name, hosts: _hosts, ...all } = (await web.tenant.request(web.admin, 'GET', path)).body;
  const edited = await web.tenant.request(web.admin, 'PUT', path, { ...all, notificationPush });
  expect(edited.status, edited.text).toBe(200);
};

/** The person's answer to the question of the browser, in place of the browser without a screen. */
const ANSWER = (answer: NotificationAnswer) => `{
  const answer = () => localStorage.getItem('test answer') ?? 'default';
  Object.defineProperty(Notification, 'permission', { get: answer });
  Notification.requestPermission = async () => {
    localStorage.setItem('test answer', '${answer}');
    return answer();
  };
}`;
type NotificationAnswer = 'granted' | 'default';

/** A push service for this browser, as its makers run them, and the number on the installed page. */
const SUBSCRIBE = (endpoint: string) => `{
  const saved = () => localStorage.getItem('test subscription');
  const bytes = (key) => Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const made = (key) => ({
    options: { applicationServerKey: bytes(key).buffer },
    toJSON: () => ({ endpoint: '${endpoint}', keys: { p256dh: '${keys.p256dh}', auth: '${keys.auth}' } }),
    unsubscribe: async () => { localStorage.removeItem('test subscription'); return true; },
  });
  PushManager.prototype.getSubscription = async () => saved() && made(saved());
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    localStorage.setItem('test subscription', applicationServerKey);
    return made(applicationServerKey);
  };
  navigator.setAppBadge = async (number) => void (window.shownNumber = number);
  navigator.clearAppBadge = async () => void (window.shownNumber = 0);
}`;

/** Notifications on the screen, in the service worker. */
const SCREEN = `{
  const shown = new Map();
  registration.showNotification = async (title, { body, tag, data }) =>
    void shown.set(tag, { title, body, tag, data, close: () => shown.delete(tag) });
  registration.getNotifications = async () => [...shown.values()];
  navigator.setAppBadge = async (number) => void (self.shownNumber = number);
}`;

describe('the switch of the account', () => {
  test('says that the portal has switched it off', async () => {
    await settings();
    await page.getByText('Notifications in browsers are switched off in this portal.').waitFor();
    expect(await box().count()).toBe(0);
    await switchPush(true);
    await expect.poll(async () => ((await stored()) as { enabled?: boolean }).enabled).toBe(true);
  });

  test('says that the browser cannot, blocks notifications, or has no push service', async () => {
    const { context: other, page: old } = await web.open('bo');
    await old.addInitScript('delete window.PushManager');
    await old.goto(`${web.origin}/portal/me/notifications`);
    await old.getByText('This browser cannot show notifications here.').waitFor();
    await other.close();
    await settings();
    await page.getByText('This browser blocks notifications of the portal.').waitFor();
    expect(await box().isDisabled()).toBe(true);
    await page.addInitScript(ANSWER('default'));
    await settings();
    await page.getByText('This browser does not show notifications.').waitFor();
    await box().click();
    await page.getByText('You have not given your permission.').waitFor();
    await page.addInitScript(ANSWER('granted'));
    await settings();
    await box().click();
    await page.getByText('The browser could not reach its push service').waitFor();
    expect(await box().isChecked()).toBe(false);
    expect((await stored()).subscriptions).toEqual([]);
  });

  test('stores the browser, which is then listed', async () => {
    await page.addInitScript(SUBSCRIBE(`http://${service.host}/send/${randomBytes(6).toString('hex')}`));
    await settings();
    await box().click();
    await page.getByText('This browser shows notifications, also while the portal is closed.').waitFor();
    await page.getByText('nothing sent yet').waitFor();
    expect((await stored()).subscriptions).toMatchObject([{ current: true, service: service.host }]);
    const mention = page.getByRole('checkbox', { name: 'Browser: Somebody mentions you: All communities' });
    const step = page.getByRole('checkbox', { name: /^Browser: Somebody takes a step/ });
    expect([await mention.isChecked(), await step.isChecked()]).toEqual([true, false]);
    await Promise.all([page.waitForResponse(/preferences/), step.click()]);
    await page.reload();
    await expect.poll(() => step.isChecked()).toBe(true);
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 360, height: 740 });
    await mustBeAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('a notification', () => {
  /** The service worker. */
  let worker: Worker;
  const shown = () =>
    worker.evaluate<{ title: string; body: string; tag: string }[]>(
      'registration.getNotifications().then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))',
    );
  const mention = (title: string) =>
    write(title, {
      descriptionFormat: 1,
      description: JSON.stringify([
        { insert: { mention: { id: people.get('ada')!, value: 'Ada' } } },
        { insert: '\n' },
      ]),
    });
  /** Takes what arrived at the push service to the browser. */
  const deliver = async () => {
    const db = web.portal.services.databases.for(web.tenant.tenant.id);
    await deliverNotifications(db, Date.now() - 60_000);
    const { push } = web.portal.services;
    while (await sendPushes(web.portal.services, web.tenant.tenant)) await push.settled();
    await push.settled();
    for (const { body } of service.taken.splice(0))
      await devtools.send('ServiceWorker.deliverPushMessage', {
        origin: web.origin,
        registrationId: await registrationId,
        data: JSON.stringify(keys.read(body)),
      });
  };
  let registrationId: Promise<string>;

  test.beforeAll(async () => {
    [worker] = context.serviceWorkers() as [Worker];
    await worker.evaluate(SCREEN);
    const found = Promise.withResolvers<string>();
    registrationId = found.promise;
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${web.origin}/portal/`);
      if (own) found.resolve(own.registrationId);
    });
    await devtools.send('ServiceWorker.enable');
  });

  test('is shown with what happened and the post, and replaces that of the same post', async () => {
    const postId = await mention('Lift');
    await deliver();
    const one = { title: expect.stringContaining('mentioned you'), body: 'Lift', tag: `/portal/post/${postId}` };
    await expect.poll(shown).toEqual([one]);
    await expect.poll(async () => (await stored()).subscriptions[0]).toHaveProperty('lastSentTimestamp');
    await mention('Door');
    await deliver();
    await expect.poll(async () => (await shown()).map(({ body }) => body).sort()).toEqual(['Door', 'Lift']);
  });

  test('opens the post in the page that is open', async () => {
    const tag = (await shown())[0]!.tag;
    // The page listens when it has shown the number, a moment after it opened.
    await expect.poll(() => page.evaluate('typeof window.shownNumber'), { timeout: 20_000 }).toBe('number');
    await page.evaluate('window.same = true');
    await worker.evaluate(
      `registration.getNotifications().then(([notification]) => {
         const event = new ExtendableEvent('notificationclick');
         event.notification = notification;
         dispatchEvent(event);
       })`,
    );
    await page.waitForURL(`${web.origin}${tag}`);
    await page.getByRole('heading', { name: /^(Lift|Door)$/ }).waitFor();
    expect(await page.evaluate('window.same')).toBe(true);
    await expect.poll(async () => (await shown()).length).toBe(1);
  });

  test('has its number on the installed page, which follows what is read', async () => {
    await page.goto(`${web.origin}/portal/`);
    await expect.poll(() => page.evaluate('window.shownNumber')).toBe(2);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => page.evaluate('window.shownNumber')).toBe(0);
  });
});

describe('a subscription', () => {
  test('is stored again after its session ended, and when the browser changes it', async () => {
    const db = web.portal.services.databases.for(web.tenant.tenant.id);
    await db.query('DELETE FROM push_subscriptions WHERE tenant_id = $1', [web.tenant.tenant.id]);
    await page.reload();
    await expect.poll(async () => (await stored()).subscriptions.length, { timeout: 20_000 }).toBe(1);
    const changed = {
      endpoint: `http://${service.host}/changed`,
      keys: { p256dh: keys.p256dh, auth: keys.auth },
    };
    const [worker] = context.serviceWorkers() as [Worker];
    await worker.evaluate(`{
      const event = new ExtendableEvent('pushsubscriptionchange');
      event.newSubscription = { toJSON: () => (${JSON.stringify(changed)}) };
      dispatchEvent(event);
    }`);
    await expect.poll(async () => (await stored()).subscriptions.length).toBe(2);
  });

  test('is removed in the list, and with the sign-in', async () => {
    await settings();
    await expect.poll(() => page.getByRole('button', { name: 'Remove: This browser' }).count()).toBe(2);
    await page.getByRole('button', { name: 'Remove: This browser' }).first().click();
    await expect.poll(async () => (await stored()).subscriptions.length).toBe(1);
    await box().click();
    await page.getByText('This browser shows notifications').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate(`localStorage.getItem('test subscription')`)).toBeNull();
    const rows = await web.portal.services.databases
      .for(web.tenant.tenant.id)
      .query('SELECT FROM push_subscriptions WHERE tenant_id = $1', [web.tenant.tenant.id]);
    expect(rows).toEqual([]);
  });
});
