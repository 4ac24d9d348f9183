/** Test messages that administrators send to themselves. */
import { startTestSmtp, type TestSmtp } from '@portico/platform/mail/smtp.fixture';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { faults } from '../../../../test/support/test-world.ts';
import { sendMails } from '../../../jobs/send-mails.ts';
import { MOST_TEST_MAILS } from './send-test-mail.ts';

const API = '/portal/api/admin';
const ADDRESS = 'ada@acme.example';
let smtp: TestSmtp;
let portal: TestPortal;
let tenant: TestTenant;
let admin: number;
/** The clock of the portal: moved by tests. */
let now = Date.now();

beforeAll(async () => {
  smtp = await startTestSmtp();
  portal = await createTestPortal({ env: smtp.env, clock: { now: () => now } });
});
afterAll(async () => {
  await portal?.close();
  await smtp?.close();
});
beforeEach(async () => {
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
  await addressed(ADDRESS);
  smtp.taken.length = 0;
  delete smtp.refusals.recipient;
});

const db = () => portal.services.databases.for(tenant.tenant.id);
const addressed = (address: string | null) =>
  db().execute('UPDATE users SET contact_email = $3 WHERE tenant_id = $1 AND id = $2', [
    tenant.tenant.id,
    admin,
    address,
  ]);
const ask = (actor = admin, query = '') => tenant.request(actor, 'POST', `${API}/manage/mails/test${query}`);
const listed = async () => (await tenant.request(admin, 'POST', `${API}/data/mails`, {})).body.items;
const discard = (mailId: number) => tenant.request(admin, 'DELETE', `${API}/manage/mails/${mailId}`);
const send = () => sendMails(portal.services, tenant.tenant);

test('a test message arrives at the own address, and the list tells so', async () => {
  const sent = await ask();
  expect(sent.status, sent.text).toBe(200);
  const { mailId } = sent.body;
  expect(sent.body).toEqual({ mailId, recipient: ADDRESS });
  expect(await listed()).toMatchObject([
    { id: mailId, userId: admin, recipient: ADDRESS, template: 'test', state: 'waiting' },
  ]);
  await send();
  expect(smtp.taken).toMatchObject([{ to: [ADDRESS] }]);
  expect(smtp.taken[0]!.raw).toMatch(/^Subject: Test message of /m);
  expect(await listed()).toMatchObject([{ id: mailId, state: 'sent', attempts: 1 }]);
  const log = await tenant.request(admin, 'POST', `${API}/data/audit-entries`, { objectTypes: ['user'] });
  expect(log.body.items[0]).toMatchObject({ action: 'modified', objectId: admin, changes: [{ field: 'mails' }] });
});

test('the list tells why a test message did not arrive', async () => {
  smtp.refusals.recipient = () => '550 no such mailbox';
  const { mailId } = (await ask()).body;
  await send();
  expect(await listed()).toMatchObject([
    { id: mailId, state: 'failed', error: expect.stringContaining('550 no such mailbox'), canRetry: true },
  ]);
});

test('a dry run sends nothing', async () => {
  const dry = await ask(admin, '?dryRun=true');
  expect([dry.status, dry.body.dryRun.changes.length]).toEqual([200, 1]);
  expect(await listed()).toEqual([]);
});

test('an account without a contact address is refused, and so is whoever does not manage users', async () => {
  expect((await ask(await tenant.createUser())).status).toBe(403);
  await addressed(null);
  const refused = await ask();
  expect([refused.status, faults(refused)]).toEqual([400, ['contactEmail: REQUIRED_FIELD']]);
  const robot = await tenant.request(admin, 'POST', `${API}/manage/service-accounts`, {
    name: 'Robot',
    adminCapabilities: ['manageUsers'],
  });
  expect(faults(await ask(robot.body.userId))).toEqual(['contactEmail: REQUIRED_FIELD']);
});

test('discarding test messages takes them off the list and out of the queue, and frees none of the limit', async () => {
  const mailIds: number[] = [];
  for (let n = 0; n < MOST_TEST_MAILS; n++) mailIds.push((await ask()).body.mailId);
  for (const mailId of mailIds) expect((await discard(mailId)).status).toBe(200);
  expect(await listed()).toEqual([]);
  expect((await ask()).status).toBe(429);
  await send();
  expect(smtp.taken).toEqual([]);
  expect((await discard(mailIds[0]!)).status).toBe(404);
  expect((await tenant.request(admin, 'POST', `${API}/manage/mails/${mailIds[0]}/retry`)).status).toBe(404);
  const log = await tenant.request(admin, 'POST', `${API}/data/audit-entries`, { objectTypes: ['user'] });
  expect(log.body.items[0]).toMatchObject({ operation: 'discardMail', changes: [{ field: 'mails' }] });
  now += 3_600_000;
  expect((await ask()).status).toBe(200);
});

test('an account sends few of them within an hour, also at once, and as many an hour later', async () => {
  const answers = await Promise.all(Array.from({ length: MOST_TEST_MAILS + 3 }, () => ask()));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array(MOST_TEST_MAILS).fill(200),
    ...Array(3).fill(429),
  ]);
  now += 1_800_000;
  const refused = await ask();
  expect([refused.body.code, refused.headers.get('retry-after')]).toEqual(['RATE_LIMITED', '1800']);
  const other = await tenant.createUser({ admin: true });
  await db().execute(`UPDATE users SET contact_email = 'bo@acme.example' WHERE tenant_id = $1 AND id = $2`, [
    tenant.tenant.id,
    other,
  ]);
  expect((await ask(other)).status).toBe(200);
  now += 1_800_000;
  expect((await ask()).status).toBe(200);
});
