/** Accounts, profiles, user and credentials forms, and the writes behind them. */

import { timeZoneId } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rolledBack } from '../../../../test/support/rolled-back.ts';
import { ensureAreas, ensureBusinessUnits, ensureUsers, setOrganisation, updateUserRecord } from './accounts.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { call, openPeoplePortal, type PeoplePortal, type PeopleTenant, refusal } from './people.fixture.ts';
import { loadUserViews } from './views.ts';

let portal: PeoplePortal;
let tenant: PeopleTenant;

beforeAll(async () => {
  portal = await openPeoplePortal();
  tenant = await portal.tenant();
});
afterAll(() => portal.close());

const form = (userId: number) => call('getUserForEdit', tenant.admin, { params: { userId } });
const credentialsForm = (userId: number, of = tenant) =>
  call('getUserCredentialsForEdit', of.admin, { params: { userId } });
const edit = (userId: number, body: object) => call('editUser', tenant.admin, { params: { userId }, body });
const remove = (userId: number) => call('deleteUser', tenant.admin, { params: { userId } });
const storedHash = async (of: PeopleTenant, userId: number) =>
  (await of.sql<{ hash: string | null }>('SELECT password_hash AS hash FROM users WHERE id = $1', [userId]))[0]!.hash;

describe('the caller', () => {
  test('current-user-data and profile are two shapes of one user', async () => {
    const userId = await tenant.write('access', async (write) => {
      const [boss, me, other] = await ensureUsers(write, [
        'Grace Boss',
        { name: 'Linus van Tor', contactEmail: 'linus@x.org' },
        'Em Ployee',
      ]);
      const [areaId] = await ensureAreas(write, [{ name: 'Kernel', externalId: 'K', description: 'The core' }]);
      const [businessUnitId] = await ensureBusinessUnits(write, [{ name: 'Systems' }]);
      await setOrganisation(write, me!, {
        areaId,
        businessUnitId,
        managerId: boss,
        roleTitle: 'Maintainer',
        place: 'Home',
      });
      await setOrganisation(write, other!, { managerId: me });
      await updateUserRecord(write, me!, {
        language: 'it',
        timezone: 'America/New_York',
        googleAccountId: 'linus@gmail.example',
        googleEnabled: true,
        customUsername: 'linus',
        customActive: true,
        customCanManage: true,
        privateEmail: 'l@home.example',
        phone: '1',
        internalPhone: '2',
        mobilePhone: '3',
        biography: 'Hm.',
        licenceTypes: [1, 5],
        licenceSubType: 'ADVANCED',
      });
      return me!;
    });
    const scope = await tenant.scope(userId);
    const account = await call('currentUserData', scope);
    expect(account.userData).toMatchObject({
      id: userId,
      firstName: 'Linus',
      lastName: 'van Tor',
      caption: 'Maintainer',
      googleAccountId: 'linus@gmail.example',
      customAccountId: 'linus',
      licences: [
        { id: 1, type: 1 },
        { id: 5, type: 5, subType: 'ADVANCED' },
      ],
      deleted: false,
      blocked: false,
    });
    expect(account.userPreferences).toEqual({
      language: { code: 'it', description: 'Italiano' },
      timezone: {
        id: timeZoneId('America/New_York'),
        code: 'America/New_York',
        zoneId: 'America/New_York',
        description: 'America/New York',
      },
      emailNotificationsEnabled: true,
    });
    expect(account.userInfo).toMatchObject({
      area: { name: 'Kernel', externalId: 'K' },
      privateEmail: 'l@home.example',
    });
    expect(account).toMatchObject({
      hasGoogleCredentials: true,
      hasMicrosoftCredentials: false,
      hasCustomCredentials: true,
    });
    expect(account.canManageCustomCredentials).toBe(true);
    const profile = await call('getCurrentUserProfileInfo', scope);
    expect(profile).toMatchObject({
      id: userId,
      role: 'Maintainer',
      place: 'Home',
      manager: { lastName: 'Boss' },
      employees: [{ lastName: 'Ployee' }],
      language: { code: 'it' },
      editProfile: false,
    });
    expect(profile).not.toHaveProperty('userData');
    expect(profile.accountPhotoUrl).toBeUndefined();
    const plain = await call('currentUserData', await tenant.scope(await tenant.user()));
    expect(plain.userPreferences).toMatchObject({ language: { code: 'en' }, timezone: { zoneId: 'Europe/Rome' } });
  });

  test('others see neither account ids nor the last access; deleted users stay under their name', async () => {
    const userId = await tenant.user({
      lastName: 'Gone',
      googleAccountId: 'gone@g.example',
      contactEmail: 'gone@x.org',
    });
    await tenant.sql('UPDATE users SET last_access_at = now() WHERE id = $1', [userId]);
    await remove(userId);
    const views = await loadUserViews(tenant.admin, tenant.admin.db, [userId, 999_999_999, userId]);
    expect([...views.keys()]).toEqual([userId]);
    const view = views.get(userId)!;
    expect(view).toMatchObject({ lastName: 'Gone', deleted: true, contactEmail: 'gone@x.org' });
    for (const hidden of [
      'googleAccountId',
      'microsoftAccountId',
      'spidAccountId',
      'lastAccessTimestamp',
      'accountPhotoUrl',
    ]) {
      expect((view as Record<string, unknown>)[hidden]).toBeUndefined();
    }
  });
});

describe('creating users', () => {
  test('takes the whole form and gives what the form reads', async () => {
    const [areaId, unitId] = await tenant.write('access', async (write) => [
      (await ensureAreas(write, [{ name: 'A' }]))[0]!,
      (await ensureBusinessUnits(write, [{ name: 'U' }]))[0]!,
    ]);
    const made = await call('createUser', tenant.admin, {
      body: {
        firstname: ' Zoë ',
        lastname: 'Ørsted',
        contactEmail: 'zoe@example.org',
        privateEmail: 'zoe@home.example',
        externalId: 'Z-1',
        userPreferences: {
          defaultLanguageId: 'fr',
          defaultTimezoneId: timeZoneId('Asia/Tokyo'),
          emailNotificationsEnabled: false,
        },
        userInfo: { area: { id: areaId }, businessUnit: { id: unitId }, privateEmailVerificationRequired: true },
        userSettings: { peopleSectionEnabled: false, reducedProfile: true },
      },
    });
    expect(made).toMatchObject({ expiredCredentials: false, sentEmailNotify: false, nextOccToken: 1 });
    expect(made.generatedPassword).toBeUndefined();
    expect(await form(made.userId!)).toEqual({
      firstname: 'Zoë',
      adminCapabilities: [],
      lastname: 'Ørsted',
      contactEmail: 'zoe@example.org',
      privateEmail: 'zoe@home.example',
      privateEmailVerified: false,
      externalId: 'Z-1',
      userPreferences: {
        defaultLanguageId: 'fr',
        defaultTimezoneId: timeZoneId('Asia/Tokyo'),
        emailNotificationsEnabled: false,
      },
      userInfo: {
        area: { id: areaId, name: 'A' },
        businessUnit: { id: unitId, name: 'U' },
        privateEmail: 'zoe@home.example',
        privateEmailVerified: false,
        privateEmailVerificationRequired: true,
      },
      userSettings: {
        peopleSectionEnabled: false,
        visibleInPeopleSection: true,
        reducedProfile: true,
        viewUserProfiles: true,
        editPrivateEmailEnabled: true,
      },
      occToken: 1,
      blocked: false,
    });
  });

  test('takes and gives the profile in userInfo, which an older generation of clients writes', async () => {
    const bossId = await tenant.user({ firstName: 'Bo', lastName: 'Boss' });
    const profile = {
      biography: 'Measures flow.',
      internalPhone: '12',
      mobilePhone: '+39 300 1',
      phone: '+39 0341 1',
      place: 'Lecco',
      role: 'Buyer',
    };
    const body = { firstname: 'Pro', lastname: 'File' };
    const { userId } = await call('createUser', tenant.admin, {
      body: { ...body, userInfo: { ...profile, manager: { id: bossId } } },
    });
    const shown = async () => (await form(userId!)).userInfo!;
    const read = await shown();
    expect(read).toMatchObject({ ...profile, manager: { id: bossId, firstName: 'Bo', lastName: 'Boss' } });
    const me = await tenant.scope(userId!);
    expect(await call('getCurrentUserProfileInfo', me)).toMatchObject({ ...profile, manager: { id: bossId } });
    expect((await call('listSystemUsers', tenant.admin, { body: { role: 'buy', place: 'lecc' } })).items).toHaveLength(
      1,
    );
    // A client may send back the values that it read; values omitted by clients that do not know
    // these fields stay.
    await edit(userId!, { ...body, userInfo: read, occToken: 1 });
    expect(await shown()).toEqual(read);
    await edit(userId!, { ...body, userInfo: { privateEmailVerificationRequired: false }, occToken: 2 });
    expect(await shown()).toEqual(read);
    await edit(userId!, {
      ...body,
      userInfo: { role: 'Head buyer', phone: ' ', biography: '', manager: {} },
      occToken: 3,
    });
    const after = await shown();
    expect(after).toMatchObject({ role: 'Head buyer', place: 'Lecco', mobilePhone: '+39 300 1' });
    for (const gone of ['phone', 'biography', 'manager'])
      expect((after as Record<string, unknown>)[gone]).toBeUndefined();
    const refused = async (userInfo: object) =>
      (await refusal(edit(userId!, { ...body, userInfo, occToken: 4 }))).faults.join();
    expect(await refused({ manager: { id: userId } })).toBe('userInfo.manager.id: UNKNOWN_REFERENCE');
    expect(await refused({ manager: { id: 999_999_999 } })).toBe('userInfo.manager.id: UNKNOWN_REFERENCE');
    expect(await refused({ role: 'x'.repeat(201) })).toBe('userInfo.role: TEXT_TOO_LONG');
    expect(await refused({ biography: 'x'.repeat(10_001) })).toBe('userInfo.biography: TEXT_TOO_LONG');
    // A deleted manager may stay, but no other user may report to them from now on.
    await edit(userId!, { ...body, userInfo: { manager: { id: bossId } }, occToken: 4 });
    await remove(bossId);
    await edit(userId!, { ...body, userInfo: { manager: { id: bossId } }, occToken: 5 });
    expect((await shown()).manager).toMatchObject({ id: bossId, deleted: true });
    const other = await tenant.user();
    expect(
      (await refusal(edit(other, { ...body, userInfo: { manager: { id: bossId } }, occToken: 1 }))).faults,
    ).toEqual(['userInfo.manager.id: UNKNOWN_REFERENCE']);
  });

  test('hears of every fault at once', async () => {
    const { status, faults } = await refusal(
      call('createUser', tenant.admin, {
        body: {
          firstname: ' ',
          contactEmail: 'nobody',
          externalId: 'x'.repeat(300),
          userPreferences: { defaultLanguageId: 'xx', defaultTimezoneId: 0 },
          userInfo: { area: { id: 999_999 }, businessUnit: {}, privateEmail: 'nowhere' },
          userCredentialsConfiguration: {
            google: { googleAccountId: 'a@b', enabled: false },
            custom: { username: 'u' },
          },
          resetUserCustomCredentialsCommand: { password: ['short'], generatePassword: true },
        },
      }),
    );
    expect(status).toBe(400);
    expect(faults.sort()).toEqual(
      [
        'firstname: REQUIRED_FIELD',
        'lastname: REQUIRED_FIELD',
        'contactEmail: INVALID_VALUE',
        'externalId: TEXT_TOO_LONG',
        'userPreferences.defaultLanguageId: INVALID_VALUE',
        'userPreferences.defaultTimezoneId: INVALID_VALUE',
        'userInfo.area.id: UNKNOWN_REFERENCE',
        'userInfo.businessUnit.id: REQUIRED_FIELD',
        'userInfo.privateEmail: INVALID_VALUE',
        'userCredentialsConfiguration.google.enabled: INVALID_VALUE',
        'userCredentialsConfiguration.custom.active: REQUIRED_FIELD',
        'userCredentialsConfiguration.custom.username: REQUIRED_FIELD',
        'resetUserCustomCredentialsCommand.generatePassword: INVALID_VALUE',
        'resetUserCustomCredentialsCommand.password: INVALID_VALUE',
      ].sort(),
    );
  });

  test('refuses values that another user has, naming the field; a deleted user frees them', async () => {
    const taken = await tenant.user({
      lastName: 'First',
      contactEmail: 'Taken@example.org',
      externalId: 'T-1',
      googleAccountId: 'taken@g.example',
      customUsername: 'taken',
    });
    const tried = (body: object) =>
      refusal(call('createUser', tenant.admin, { body: { firstname: 'S', lastname: 'S', ...body } }));
    expect((await tried({ contactEmail: 'taken@EXAMPLE.org' })).faults).toEqual(['contactEmail: DUPLICATE_VALUE']);
    expect((await tried({ externalId: 'T-1' })).faults).toEqual(['externalId: DUPLICATE_VALUE']);
    const google = { google: { googleAccountId: 'TAKEN@g.example', enabled: true } };
    expect((await tried({ userCredentialsConfiguration: google })).faults).toEqual([
      'userCredentialsConfiguration.google.googleAccountId: DUPLICATE_VALUE',
    ]);
    const custom = { custom: { username: 'Taken', active: true } };
    expect((await tried({ userCredentialsConfiguration: custom })).faults).toEqual([
      'userCredentialsConfiguration.custom.username: DUPLICATE_VALUE',
    ]);
    // All of them are reported at once, beside other errors; a user's own value is no duplicate.
    const all = {
      contactEmail: 'taken@example.org',
      externalId: 'T-1',
      userCredentialsConfiguration: { ...google, ...custom },
    };
    expect((await tried({ ...all, lastname: ' ' })).faults.sort()).toEqual([
      'contactEmail: DUPLICATE_VALUE',
      'externalId: DUPLICATE_VALUE',
      'lastname: REQUIRED_FIELD',
      'userCredentialsConfiguration.custom.username: DUPLICATE_VALUE',
      'userCredentialsConfiguration.google.googleAccountId: DUPLICATE_VALUE',
    ]);
    const other = await tenant.user({ lastName: 'Second', contactEmail: 'second@example.org' });
    const same = { contactEmail: 'TAKEN@example.org', externalId: 'T-1', occToken: 1 };
    expect((await refusal(edit(other, { firstname: 'S', ...same }))).faults.sort()).toEqual([
      'contactEmail: DUPLICATE_VALUE',
      'externalId: DUPLICATE_VALUE',
      'lastname: REQUIRED_FIELD',
    ]);
    await edit(other, { firstname: 'S', lastname: 'S', contactEmail: 'SECOND@example.org', occToken: 1 });
    const { occToken } = await credentialsForm(other);
    const credentials = call('editUserCredentials', tenant.admin, {
      params: { userId: other },
      body: { userCredentialsConfiguration: { ...google, custom: { username: 'taken', active: true } }, occToken },
    });
    expect((await refusal(credentials)).faults.sort()).toEqual([
      'userCredentialsConfiguration.custom.username: DUPLICATE_VALUE',
      'userCredentialsConfiguration.google.googleAccountId: DUPLICATE_VALUE',
    ]);
    await remove(taken);
    const again = await call('createUser', tenant.admin, {
      body: { firstname: 'S', lastname: 'S', contactEmail: 'taken@example.org' },
    });
    expect(again.userId).toBeGreaterThan(taken);
  });

  test('keeps passwords as argon2id hashes; a generated one is shown once, as a list of one', async () => {
    const custom = (username: string) => ({ custom: { username, active: true } });
    const given = await call('createUser', tenant.admin, {
      body: {
        firstname: 'P',
        lastname: 'Given',
        userCredentialsConfiguration: custom('given'),
        resetUserCustomCredentialsCommand: { password: 'correct horse è', forceCredentialsExpiration: true },
      },
    });
    expect(given).toMatchObject({ expiredCredentials: true });
    expect(given.generatedPassword).toBeUndefined();
    const hash = (await storedHash(tenant, given.userId!))!;
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword('correct horse e\u0300', hash)).toBe(true);
    expect(await verifyPassword('correct horse e', hash)).toBe(false);
    const generated = await call('createUser', tenant.admin, {
      body: {
        firstname: 'P',
        lastname: 'Generated',
        userCredentialsConfiguration: custom('generated'),
        resetUserCustomCredentialsCommand: { generatePassword: true },
      },
    });
    // The response tells which requested and unrequested actions happened.
    expect(generated).toMatchObject({ expiredCredentials: false, sentEmailNotify: false });
    const forced = await call('createUser', tenant.admin, {
      body: {
        firstname: 'P',
        lastname: 'Forced',
        userCredentialsConfiguration: custom('forced'),
        resetUserCustomCredentialsCommand: { generatePassword: true, forceCredentialsExpiration: true },
      },
    });
    expect(forced).toMatchObject({ expiredCredentials: true, sentEmailNotify: false });
    expect(generated.generatedPassword).toHaveLength(1);
    expect(generated.generatedPassword![0]).toMatch(/^[A-Za-z2-9]{20}$/);
    expect(await verifyPassword(generated.generatedPassword![0]!, (await storedHash(tenant, generated.userId!))!)).toBe(
      true,
    );
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
  });

  test('rolled back, makes nobody', async () => {
    const before = await tenant.sql('SELECT count(*) FROM users');
    const answer = await rolledBack(tenant.admin, (scope) =>
      call('createUser', scope, { body: { firstname: 'Dry', lastname: 'Run' } }),
    );
    expect(answer.userId).toBeGreaterThan(0);
    expect(await tenant.sql('SELECT count(*) FROM users')).toEqual(before);
  });
});

describe('editing users', () => {
  test('clears addresses and external id, keeps blocks that are left out', async () => {
    const userId = await tenant.user({
      firstName: 'Old',
      lastName: 'Name',
      contactEmail: 'old@x.org',
      privateEmail: 'old@home.example',
      privateEmailVerified: true,
      externalId: 'O-1',
      language: 'de',
      timezone: 'UTC',
      reducedProfile: true,
      roleTitle: 'Baker',
    });
    const before = await form(userId);
    const answer = await edit(userId, { firstname: 'New', lastname: 'Name', occToken: before.occToken });
    expect(answer).toEqual({ nextOccToken: before.occToken! + 1 });
    const after = await form(userId);
    for (const cleared of ['contactEmail', 'privateEmail', 'externalId'])
      expect((after as Record<string, unknown>)[cleared]).toBeUndefined();
    expect(after.privateEmailVerified).toBe(false);
    expect(after.userPreferences).toEqual(before.userPreferences);
    expect(after.userSettings).toEqual(before.userSettings);
    const { items } = await call('listSystemUsers', tenant.admin, {
      body: { role: 'baker', firstNamePrefixFullTextFilter: 'new' },
    });
    expect(items!.map((item) => item.id)).toEqual([userId]);
  });

  test('a block that is sent replaces what it holds; a form sent back changes nothing', async () => {
    const userId = await tenant.user({
      firstName: 'F',
      lastName: 'Orm',
      language: 'de',
      timezone: 'UTC',
      privateEmail: 'o@rm.example',
      privateEmailVerified: true,
    });
    const before = await form(userId);
    const { blocked: _blocked, occToken, ...content } = before;
    await edit(userId, { ...content, occToken });
    expect(await form(userId)).toEqual({ ...before, occToken: occToken! + 1 });
    await edit(userId, { ...content, userPreferences: { emailNotificationsEnabled: false }, occToken: occToken! + 1 });
    expect((await form(userId)).userPreferences).toEqual({ emailNotificationsEnabled: false });
  });

  test('names are needed, and a stale token is a 409 that says who and when', async () => {
    const userId = await tenant.user({ firstName: 'Tok', lastName: 'En' });
    expect((await refusal(edit(userId, {}))).faults).toEqual([
      'firstname: REQUIRED_FIELD',
      'lastname: REQUIRED_FIELD',
      'occToken: REQUIRED_FIELD',
    ]);
    await edit(userId, { firstname: 'T', lastname: 'E', occToken: 1 });
    const refused = await refusal(edit(userId, { firstname: 'X', lastname: 'Y', occToken: 1 }));
    expect(refused).toMatchObject({
      status: 409,
      code: 'CONFLICT_STALE_TOKEN',
      details: {
        currentOccToken: 2,
        changedBy: { id: tenant.admin.actor.userId, name: 'Ada Admin' },
        changedAt: expect.any(Number),
      },
    });
    expect((await form(userId)).firstname).toBe('T');
  });

  test('of fifty edits with one token exactly one wins', async () => {
    const userId = await tenant.user({ firstName: 'Race', lastName: 'Car' });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => edit(userId, { firstname: `Winner ${n}`, lastname: 'Car', occToken: 1 })),
    );
    const won = outcomes.flatMap((outcome, n) => (outcome.status === 'fulfilled' ? [n] : []));
    expect(won).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 });
    expect(await form(userId)).toMatchObject({ firstname: `Winner ${won[0]}`, occToken: 2 });
  });

  test('of fifty credentials edits with one token exactly one wins, also about oneself', async () => {
    const userId = tenant.admin.actor.userId;
    const { occToken } = await credentialsForm(userId);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        call('editUserCredentials', tenant.admin, {
          params: { userId },
          body: { occToken, userCredentialsConfiguration: { custom: { username: `ada${n}`, active: true } } },
        }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });
});
